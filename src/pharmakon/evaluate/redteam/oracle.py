"""Every stated rule that a sketch breaks, found by walking the statements; nothing of the audit is used.

Kept plain on purpose: no plan, no text, no merging. `broken` is what `also_true` lists and what controls are held to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from pharmakon.evaluate.redteam.conditions import (
    above,
    clause_true,
    companions,
    guard_true,
    local,
    speaks_of_routes,
)
from pharmakon.evaluate.redteam.doses import broken_limits
from pharmakon.evaluate.redteam.sketch import Line, Sketch
from pharmakon.evaluate.redteam.world import World
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Clause, Condition, Statement
from pharmakon.model.vocabulary import Tier

#: Only what is injected or infused can meet in a line or a syringe.
_MIXED = frozenset({"intravenous", "intravenous_push", "intramuscular", "subcutaneous", "epidural", "intrathecal"})
_PUBLISHED = frozenset({"boxed_warning", "contraindications"})


@dataclass(frozen=True, slots=True)
class Broken:
    """One rule that is broken: its type, the display names it is about, and the least tier a report owes it."""

    type: str
    drugs: frozenset[str]
    tier: Tier
    statement: Statement | None = None

    @property
    def key(self) -> tuple[str, frozenset[str]]:
        return self.type, self.drugs


def broken(sketch: Sketch, world: World) -> list[Broken]:
    """All of them, a rule reached twice listed twice."""
    found: list[Broken] = []
    for at, line in enumerate(sketch.lines):
        if line.current:
            found += _contraindicated(sketch, world, at)
            found += _adjustments(sketch, world, at)
            found += _route(world, sketch, at)
            found += _indication(world, sketch, at)
            found += _food(sketch, world, at)
            found += _allergies(sketch, world, at)
    found += [Broken(b.type, b.drugs, owed(b.statement, b.tier), b.statement) for b in broken_limits(sketch, world)]
    found += _pairs(sketch, world)
    found += _duplicates(sketch, world)
    found += _burdens(sketch, world)
    return found


def owed(statement: Statement, tier: Tier) -> Tier:
    """Critical only where a read label's contraindications or boxed warning stand behind it (DESIGN: critical)."""
    read = {e.citation.section for e in statement.evidence if e.citation and e.citation.read}
    return tier if tier < Tier.CRITICAL or read & _PUBLISHED else Tier.WARNING


def tier_of(statement: Statement, sketch: Sketch, world: World, at: int, other: int | None = None) -> Tier:
    """The first true clause of an ordered list, else the highest true modifier, else the statement's own tier."""
    true = [m.tier for m in statement.modifiers if clause_true(m.clause, sketch, world, at, other)]
    if statement.first_true:
        return true[0] if true else statement.tier
    return max([statement.tier, *true])


def held(statement: Statement) -> Clause:
    """The object of a contraindication as a condition on the patient."""
    return () if statement.object is None else (Condition("has", "in", values=(statement.object,)),)


def about(world: World, line: Line, relation: str) -> tuple[Statement, ...]:
    """Statements about what the line's drug is, unless it is excluded."""
    return world.about(above(world, line), relation)


def _names(world: World, line: Line) -> frozenset[str]:
    return frozenset(world.name(i) for i in line.ingredients)


def _reached(world: World, line: Line, statement: Statement) -> list[frozenset[str]]:
    """The ingredients of a line that a statement reaches, one problem each; a statement on a product reaches all."""
    own = [i for i in line.ingredients if statement.subject in world.above[i]]
    return [frozenset({world.name(i)}) for i in (own or line.ingredients)]


def _contraindicated(sketch: Sketch, world: World, at: int) -> Iterator[Broken]:
    line = sketch.lines[at]
    have = frozenset().union(*(world.above[c] for c in sketch.person.conditions))
    for relation in ("contraindicated_in", "requires_caution_with"):
        for s in about(world, line, relation):
            if s.object is not None and s.object not in have:
                continue
            if local(line.route) and not speaks_of_routes(s):
                continue
            if guard_true(s.when, sketch, world, at):
                tier = owed(s, tier_of(s, sketch, world, at))
                yield from (Broken(s.risk, drugs, tier, s) for drugs in _reached(world, line, s))


def _adjustments(sketch: Sketch, world: World, at: int) -> Iterator[Broken]:
    """A co-medication that makes an adjustment due belongs to the problem."""
    line = sketch.lines[at]
    for s in about(world, line, "dose_adjustment"):
        if (local(line.route) and not speaks_of_routes(s)) or not guard_true(s.when, sketch, world, at):
            continue
        clause = next((c for c in s.when if clause_true(c, sketch, world, at)), ())
        others = beside(clause, sketch, world, at)
        tier = owed(s, tier_of(s, sketch, world, at))
        yield from (Broken(s.risk, drugs | others, tier, s) for drugs in _reached(world, line, s))


def beside(clause: Clause, sketch: Sketch, world: World, at: int) -> frozenset[str]:
    """Names of the drugs that make the `with` conditions of a clause true."""
    wanted = frozenset(v for c in clause if c.factor == "with" and not c.negated for v in c.values)
    names = (_names(world, sketch.lines[n]) for n in companions(wanted, sketch, world, at)) if wanted else ()
    return frozenset().union(*names)


def _route(world: World, sketch: Sketch, at: int) -> Iterator[Broken]:
    line = sketch.lines[at]
    for ingredient in line.ingredients:
        own = [s for s in about(world, line, "given_by") if s.subject == line.drug]
        rules = own or list(world.about(world.above[ingredient], "given_by"))
        if rules and not any(guard_true(s.when, sketch, world, at) for s in rules):
            yield Broken("ROUTE_ERROR", frozenset({world.name(ingredient)}), rules[0].tier, rules[0])


def _indication(world: World, sketch: Sketch, at: int) -> Iterator[Broken]:
    """Labelled for the reason, for something above it, or for a special form of it; or an accepted practice."""
    line = sketch.lines[at]
    if line.indication is None:
        return
    for ingredient in line.ingredients:
        mine = world.above[ingredient] | world.above[line.drug]
        uses = [s for relation in ("treats", "used_for") for s in world.about(mine, relation) if s.object]
        labelled = [s for s in uses if s.relation == "treats"]
        if labelled and not any(related(world, s.object, line.indication) for s in uses):
            yield Broken("INDICATION_MISMATCH", frozenset({world.name(ingredient)}), Tier.WARNING, labelled[0])


def related(world: World, a: ConceptId | None, b: ConceptId) -> bool:
    """Whether one is the other or a kind of it."""
    return a is not None and (a in world.above[b] or b in world.above[a])


def _food(sketch: Sketch, world: World, at: int) -> Iterator[Broken]:
    line = sketch.lines[at]
    for s in about(world, line, "interacts_with"):
        if s.object is None or kind_of(s.object) != "lifestyle" or (local(line.route) and not speaks_of_routes(s)):
            continue
        if guard_true(s.when, sketch, world, at):
            tier = owed(s, tier_of(s, sketch, world, at))
            yield from (Broken(s.risk, drugs, tier, s) for drugs in _reached(world, line, s))


def _allergies(sketch: Sketch, world: World, at: int) -> Iterator[Broken]:
    line = sketch.lines[at]
    for ingredient in line.ingredients:
        mine = world.above[ingredient] | world.above[line.drug]
        drugs = frozenset({world.name(ingredient)})
        for allergy in sketch.person.allergies:
            if allergy in mine:
                yield Broken("ALLERGY_CONFLICT", drugs, Tier.CRITICAL)
            for s in world.statements.get("cross_reacts_with", ()):
                ends = ((s.subject, s.object), (s.object, s.subject))
                if not s.negative and any(a in world.above[allergy] and b in mine for a, b in ends):
                    yield Broken("ALLERGY_CONFLICT", drugs, owed(s, tier_of(s, sketch, world, at)), s)


def _pairs(sketch: Sketch, world: World) -> Iterator[Broken]:
    for a, b in permutations(range(len(sketch.lines)), 2):
        for relation in ("interacts_with", "incompatible_with"):
            for s in about(world, sketch.lines[a], relation):
                if s.object is not None and kind_of(s.object) != "lifestyle":
                    yield from _pair(s, sketch, world, a, b)


def _pair(s: Statement, sketch: Sketch, world: World, a: int, b: int) -> Iterator[Broken]:
    x, y = sketch.lines[a], sketch.lines[b]
    washout = any(c.factor == "gap" for clause in s.when for c in clause)
    if not (x.current or y.current) or not ((x.current and y.current) or washout):
        return
    if (local(x.route) or local(y.route)) and not speaks_of_routes(s):
        return
    if s.relation == "incompatible_with" and not {x.route, y.route} <= _MIXED:
        return
    for i in x.ingredients:
        for j in y.ingredients:
            mine, theirs = world.above[i] | world.above[x.drug], world.above[j] | world.above[y.drug]
            if i == j or s.subject not in mine or s.object not in theirs or not s.excluded.isdisjoint(mine | theirs):
                continue
            if guard_true(s.when, sketch, world, a, b):
                tier = owed(s, tier_of(s, sketch, world, a, b))
                yield Broken(s.risk, frozenset({world.name(i), world.name(j)}), tier, s)


def _duplicates(sketch: Sketch, world: World) -> Iterator[Broken]:
    seen: dict[ConceptId, int] = {}
    for line in sketch.lines:
        if line.current and not local(line.route):
            for ingredient in set(line.ingredients):
                seen[ingredient] = seen.get(ingredient, 0) + 1
    for ingredient, count in sorted(seen.items()):
        if count > 1:
            yield Broken("DUPLICATE_THERAPY", frozenset({world.name(ingredient)}), Tier.INFO)


def _burdens(sketch: Sketch, world: World) -> Iterator[Broken]:
    for s in world.statements.get("burden_limit", ()):
        if s.limit is None:
            continue
        carriers = _carriers(sketch, world, s.subject)
        if not carriers or not guard_true(s.when, sketch, world, carriers[0][0]):
            continue
        if s.limit.unit == "drugs" and len({i for _, i in carriers}) >= s.limit.value:
            yield Broken("CUMULATIVE_BURDEN", frozenset(world.name(i) for _, i in carriers), owed(s, s.tier), s)
        if s.limit.unit == "MME":
            amounts = [(i, morphine(sketch, world, at, i)) for at, i in carriers]
            counted = [(i, m) for i, m in amounts if m]
            if sum(m for _, m in counted) >= s.limit.value:
                yield Broken("CUMULATIVE_BURDEN", frozenset(world.name(i) for i, _ in counted), owed(s, s.tier), s)


def _carriers(sketch: Sketch, world: World, effect: ConceptId) -> list[tuple[int, ConceptId]]:
    return [
        (at, i)
        for at, line in enumerate(sketch.lines)
        if line.current and not local(line.route)
        for i in line.ingredients
        if any(
            s.object == effect and guard_true(s.when, sketch, world, at) is not False
            for s in world.about(world.above[i], "has_effect")
        )
    ]


def morphine(sketch: Sketch, world: World, at: int, ingredient: ConceptId) -> float:
    """Morphine milligram equivalents a day; 0 where no factor applies or no amount is known."""
    line = sketch.lines[at]
    if line.unit != "mg":
        return 0.0
    for s in world.about(world.above[ingredient], "morphine_equivalent"):
        if s.limit and guard_true(s.when, sketch, world, at):
            return line.daily * s.limit.value
    return 0.0
