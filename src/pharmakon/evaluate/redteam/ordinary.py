"""Ordinary people and ordinary orders: everything known, as little as possible broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import floor, log10
from random import Random

from pharmakon.evaluate.redteam.conditions import above
from pharmakon.evaluate.redteam.doses import deciding, true_rules
from pharmakon.evaluate.redteam.kidney import height_for
from pharmakon.evaluate.redteam.oracle import Broken, broken
from pharmakon.evaluate.redteam.sketch import Line, Person, Sketch
from pharmakon.evaluate.redteam.solve import with_clearance
from pharmakon.evaluate.redteam.world import World
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Tier, relations

#: Laboratory values of a healthy adult, in the factors' own units; given where a rule about one of the drugs asks.
NORMAL = {
    "potassium": 4.2, "sodium": 140.0, "magnesium": 0.85, "calcium": 9.4, "glucose": 95.0, "bilirubin": 0.6,
    "albumin": 4.2, "hba1c": 5.4, "inr": 1.0, "alt": 22.0, "qtc": 410.0, "digoxin": 0.7, "lithium": 0.7,
}  # fmt: skip
_ROUTES = ("oral", "intravenous", "subcutaneous", "intramuscular", "transdermal", "sublingual", "rectal", "inhalation")
_MANY = 8


def adult(rng: Random) -> Person:
    """A healthy adult between 40 and 56 with a clearance of about 100 mL/min."""
    female = rng.random() < 0.5
    weight = float(rng.randrange(60, 72) if female else rng.randrange(68, 84))
    person = Person(float(rng.randrange(40, 57)), female, weight, height_for(weight, female=female), 1.0)
    return with_clearance(person, 100.0)


def nice(value: float) -> float:
    """Rounded down to two figures, as doses are written.

    >>> nice(1333.3), nice(0.0625), nice(40)
    (1300.0, 0.062, 40.0)
    """
    if value <= 0:
        return 0.0
    step = 10.0 ** (floor(log10(value)) - 1)
    return round(floor(value / step + 1e-9) * step, 6)


@dataclass(slots=True)
class Ordinary:
    """Makes ordinary orders for one world and remembers them."""

    world: World
    _lines: dict[ConceptId, tuple[Line, ...]] = field(default_factory=dict)
    _factors: dict[frozenset[ConceptId], frozenset[str]] = field(default_factory=dict)

    def lines(self, ingredient: ConceptId) -> tuple[Line, ...]:
        """Orders of `ingredient` for a healthy adult with their indication, the one that breaks least first."""
        if ingredient not in self._lines:
            person = adult(Random(f"ordinary {ingredient}"))
            ranked = []
            for n, (route, use) in enumerate(product(self.routes(ingredient), self.uses(ingredient))):
                sketch = self.dosed(Sketch(person, (Line(ingredient, (ingredient,), route=route, indication=use),)), 0)
                ranked.append((*weight(broken(self.complete(sketch.justified()), self.world)), n, sketch.lines[0]))
            self._lines[ingredient] = tuple(r[-1] for r in sorted(ranked, key=lambda r: r[:3]))
        return self._lines[ingredient]

    def line(self, ingredient: ConceptId) -> Line:
        return self.lines(ingredient)[0]

    def routes(self, ingredient: ConceptId) -> tuple[str, ...]:
        """Routes by which it is given, ordinary ones first; by mouth where nothing is said."""
        rules = self.world.about(self.world.above[ingredient], "given_by")
        allowed = {v for s in rules for clause in s.when for c in clause if c.factor == "route" for v in c.values}
        first = [r for r in _ROUTES if r in allowed]
        return tuple(first + sorted(allowed - set(first)))[:3] or ("oral",)

    def uses(self, ingredient: ConceptId) -> tuple[ConceptId | None, ...]:
        """What it is labelled or used for."""
        mine = self.world.above[ingredient]
        found = [s.object for r in ("treats", "used_for") for s in self.world.about(mine, r) if s.object]
        return tuple(dict.fromkeys(found))[:_MANY] or (None,)

    def dosed(self, sketch: Sketch, at: int, times: float | None = None) -> Sketch:
        """A line with half of what its limits allow in this patient; without an amount where no limit is stated."""
        line = replace(sketch.lines[at], dose=0.0, unit="")
        chosen = deciding(true_rules(sketch.with_line(at, line), self.world, at), self.world)
        often = [r.value / (7.0 if per == "week" else 1.0) for (per, what), r in chosen.items() if what == "times"]
        amounts = {per: r for (per, what), r in chosen.items() if what == "amount" and per in ("dose", "day", "week")}
        if times is None:
            weekly = (often and min(often) < 1) or set(amounts) == {"week"}
            times = 1 / 7 if weekly else 1.0
        if not amounts:
            return sketch.with_line(at, replace(line, times=times))
        unit = next(iter(amounts.values())).unit
        per_dose = {"dose": 1.0, "day": max(times, 1.0), "week": max(times * 7, 1.0)}
        most = min(r.value / per_dose[per] for per, r in amounts.items() if r.unit == unit)
        return sketch.with_line(at, replace(line, times=times, dose=nice(most / 2), unit=unit))

    def order(self, ingredient: ConceptId, rng: Random) -> Sketch:
        """An ordinary order for somebody."""
        return self.dosed(Sketch(adult(rng), (self.line(ingredient),)).justified(), 0)

    def together(self, ingredients: Sequence[ConceptId], rng: Random) -> Sketch:
        """Several ordinary orders for one person."""
        sketch = Sketch(adult(rng), tuple(self.line(i) for i in ingredients)).justified()
        for at in range(len(ingredients)):
            sketch = self.dosed(sketch, at)
        return sketch

    def complete(self, sketch: Sketch) -> Sketch:
        """The sketch with normal values for every laboratory factor that a rule about its drugs asks for."""
        asked = {factor for line in sketch.lines for factor in self._asked(above(self.world, line))}
        given = {f: v for f, v in NORMAL.items() if f in asked}
        return sketch.of(labs={**given, **sketch.person.labs})

    def _asked(self, concepts: frozenset[ConceptId]) -> frozenset[str]:
        """Laboratory factors in the rules about these concepts."""
        if concepts not in self._factors:
            rules = (s for relation in relations() for s in self.world.about(concepts, relation))
            clauses = (clause for s in rules for clause in (*s.when, *(m.clause for m in s.modifiers)))
            self._factors[concepts] = frozenset(c.factor for clause in clauses for c in clause if c.factor in NORMAL)
        return self._factors[concepts]


def weight(found: Sequence[Broken]) -> tuple[int, int]:
    """How many rules of tier warning or above are broken, and how many below."""
    tiers = [b.tier for b in found]
    return sum(t >= Tier.WARNING for t in tiers), sum(t < Tier.WARNING for t in tiers)
