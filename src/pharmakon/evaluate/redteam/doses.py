"""Dose limits on a sketch: which rule decides, and what is ordered beyond it.

Of the true rules of one source the one with the smallest box of patients decides; where several are left, the
strictest (DESIGN: P-EST ties).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt

from pharmakon.evaluate.redteam.conditions import above, clause_true, companions, local, speaks_of_routes
from pharmakon.evaluate.redteam.regions import box, narrower
from pharmakon.evaluate.redteam.sketch import Line, Sketch
from pharmakon.evaluate.redteam.world import World
from pharmakon.model.statements import Clause, Condition, Limit, Statement
from pharmakon.model.vocabulary import Tier

Dimension = tuple[str, str]
"""Per what (dose, day, week, course), and what is limited (amount, times, days)."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One clause of a dose limit, with its value in absolute terms for this patient."""

    statement: Statement
    clause: Clause
    value: float
    unit: str

    @property
    def dimension(self) -> Dimension:
        assert self.statement.limit is not None
        return dimension(self.statement.limit)


@dataclass(frozen=True, slots=True)
class Exceeded:
    type: str
    drugs: frozenset[str]
    tier: Tier
    statement: Statement
    ordered: float
    limit: float


def dimension(limit: Limit) -> Dimension:
    return limit.per, limit.unit if limit.unit in ("times", "days") else "amount"


def clauses(statement: Statement) -> tuple[Clause, ...]:
    """The guard's clauses, each with the indication that the limit is for."""
    extra: Clause = ()
    if statement.object is not None:
        extra = (Condition("indication", "in", values=(statement.object,)),)
    return tuple((*extra, *clause) for clause in statement.when or ((),))


def true_rules(sketch: Sketch, world: World, at: int) -> list[Rule]:
    """Every dose rule that holds for a line."""
    line = sketch.lines[at]
    found: list[Rule] = []
    for s in world.about(above(world, line), "dose_limit"):
        if s.limit is None or (local(line.route) and not speaks_of_routes(s)):
            continue
        for clause in clauses(s):
            if clause_true(clause, sketch, world, at):
                value, unit = absolute(s.limit, sketch)
                found.append(Rule(s, clause, value, unit))
    return found


def deciding(rules: list[Rule], world: World) -> dict[Dimension, Rule]:
    """The rule that decides in each dimension."""
    boxes = [(r, box(r.clause), _sources(r.statement)) for r in rules]
    best: dict[Dimension, Rule] = {}
    for rule, own, sources in boxes:
        overruled = any(
            o.dimension == rule.dimension and sources & theirs and narrower(other, own, world.above)
            for o, other, theirs in boxes
        )
        known = best.get(rule.dimension)
        if not overruled and (
            known is None or (rule.value, -rule.statement.tier) < (known.value, -known.statement.tier)
        ):
            best[rule.dimension] = rule
    return best


def _sources(statement: Statement) -> frozenset[str]:
    return frozenset(e.citation.reference if e.citation else e.document for e in statement.evidence)


def absolute(limit: Limit, sketch: Sketch) -> tuple[float, str]:
    """A limit for this patient, and its unit without the body measure."""
    unit, _, basis = limit.unit.partition("/")
    person = sketch.person
    factor = {"": 1.0, "kg": person.weight, "m2": sqrt(person.height * person.weight / 3600)}[basis]
    return limit.value * factor, unit


def ordered(line: Line, where: Dimension) -> float | None:
    """What a line amounts to in a dimension; None where it does not say."""
    per, what = where
    if what == "times":
        return line.times * (7.0 if per == "week" else 1.0)
    if what == "days":
        return line.days
    if not line.unit:
        return None
    return {"dose": line.dose, "day": line.daily, "week": line.weekly}.get(per)


def broken_limits(sketch: Sketch, world: World) -> Iterator[Exceeded]:
    """Limits that one line exceeds, or several lines of one ingredient together."""
    for at, line in enumerate(sketch.lines):
        if line.current and len(line.ingredients) == 1:
            yield from _exceeded(sketch, world, at, line, only_sums=False)
    for total, at in _totals(sketch):
        yield from _exceeded(sketch.with_line(at, total), world, at, total, only_sums=True)


def _exceeded(sketch: Sketch, world: World, at: int, line: Line, *, only_sums: bool) -> Iterator[Exceeded]:
    for where, rule in deciding(true_rules(sketch, world, at), world).items():
        if only_sums and where not in (("day", "amount"), ("week", "amount")):
            continue
        amount = ordered(line, where)
        fits = where[1] != "amount" or rule.unit == line.unit
        if amount is None or not fits or amount <= rule.value * 1.001:
            continue
        wanted = frozenset(v for c in rule.clause if c.factor == "with" and not c.negated for v in c.values)
        others = companions(wanted, sketch, world, at) if wanted else ()
        names = {world.name(i) for n in (at, *others) for i in sketch.lines[n].ingredients}
        s = rule.statement
        yield Exceeded(s.risk, frozenset(names), s.tier, s, amount, rule.value)


def _totals(sketch: Sketch) -> Iterator[tuple[Line, int]]:
    """Several current systemic orders of one ingredient as one line a day."""
    groups: dict[str, list[int]] = {}
    for at, line in enumerate(sketch.lines):
        if line.current and line.unit and len(line.ingredients) == 1 and not local(line.route):
            groups.setdefault(line.ingredients[0], []).append(at)
    for places in groups.values():
        same = [sketch.lines[p] for p in places]
        if len(same) > 1 and len({line.unit for line in same}) == 1:
            yield replace(same[0], dose=sum(line.daily for line in same), times=1.0), places[0]
