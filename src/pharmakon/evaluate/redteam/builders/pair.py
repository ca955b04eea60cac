"""Two drugs: interactions, incompatibilities, two of one class. The twin has another second drug, or has waited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from pharmakon.evaluate.redteam.builders.plan import Planned, Skipped, Workshop, slug
from pharmakon.evaluate.redteam.oracle import broken
from pharmakon.evaluate.redteam.ordinary import weight
from pharmakon.evaluate.redteam.sketch import Sketch
from pharmakon.evaluate.redteam.solve import break_one, fulfil
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Clause, Statement

_PAIRS = 2
_TRIED = 4
_ROUTES = ("intravenous", "intravenous_push")


def build(shop: Workshop) -> Iterator[Planned | Skipped]:
    for relation in ("interacts_with", "incompatible_with"):
        for statement in shop.world.statements.get(relation, ()):
            if statement.object is not None and kind_of(statement.object) != "lifestyle" and not statement.negative:
                yield from _statement(shop, statement)


def _statement(shop: Workshop, statement: Statement) -> Iterator[Planned | Skipped]:
    rng = shop.rng(statement.id)
    pairs = _pairs(shop, statement)
    if not pairs:
        yield Skipped(statement, "no two drugs described that it speaks of")
        return
    tried = sorted(rng.sample(pairs, min(_TRIED, len(pairs))))
    for n, clause in enumerate(statement.when or ((),)):
        made = [m for a, b in tried if (m := _made(shop, statement, clause, a, b, n)) is not None]
        ranked = sorted((*weight(broken(m.violation, shop.world)), place) for place, m in enumerate(made))
        for *_, place in ranked[:_PAIRS]:
            yield made[place]
        if not made:
            yield Skipped(statement, "its conditions can't be brought about in one plausible patient")


def _pairs(shop: Workshop, statement: Statement) -> list[tuple[ConceptId, ConceptId]]:
    assert statement.object is not None
    world = shop.world
    found: dict[frozenset[str], tuple[ConceptId, ConceptId]] = {}
    for a in world.members(statement.subject):
        for b in world.members(statement.object):
            if a != b and statement.excluded.isdisjoint(world.above[a] | world.above[b]):
                found.setdefault(frozenset((a, b)), (a, b))
    return list(found.values())


def _made(shop: Workshop, statement: Statement, clause: Clause, a: ConceptId, b: ConceptId, n: int) -> Planned | None:
    rng = shop.rng(statement.id, a, b, str(n))
    start = shop.ordinary.together([a, b], rng)
    if statement.relation == "incompatible_with":
        start = _by_vein(shop, start)
    sketch = fulfil(clause, start, shop.world, 0, 1, shop.beside([a, b], rng), rng)
    drugs = shop.name(a) | shop.name(b)
    if sketch is None:
        return None
    own = next((x for x in broken(sketch, shop.world) if x.statement is statement and x.drugs == drugs), None)
    if own is None:
        return None
    near = break_one(clause, sketch, shop.world, 0, 1)
    far = break_one(clause, sketch, shop.world, 0, 1, far=True) + _with_another(shop, sketch, a, b, rng)
    name = f"{slug(a)}+{slug(b)}/{statement.id[3:11]}-{n}"
    return Planned(name, own.type, drugs, statement, sketch, near, far)


def _by_vein(shop: Workshop, sketch: Sketch) -> Sketch:
    """What is mixed is given into a vein, where the drug may be."""
    for at, line in enumerate(sketch.lines):
        vein = next((r for r in _ROUTES if r in shop.ordinary.routes(line.drug)), None)
        if vein is not None:
            sketch = shop.ordinary.dosed(sketch.with_line(at, replace(line, route=vein)), at)
    return sketch


def _with_another(shop: Workshop, sketch: Sketch, a: ConceptId, b: ConceptId, rng: Random) -> tuple[Sketch, ...]:
    """The second drug exchanged for one that breaks least beside the first."""
    candidates = [d for d in shop.world.drugs if d not in (a, b)]
    rng.shuffle(candidates)
    ranked = []
    for drug in candidates[:8]:
        line = shop.ordinary.line(drug)
        if sketch.lines[1].route in shop.ordinary.routes(drug):
            line = replace(line, route=sketch.lines[1].route)
        other = sketch.with_line(1, line)
        kept = tuple(c for c in sketch.person.conditions if c != sketch.lines[1].indication)
        other = shop.ordinary.dosed(other.of(conditions=kept).justified(), 1)
        ranked.append((*weight(broken(shop.ordinary.complete(other), shop.world)), drug, other))
    return tuple(r[-1] for r in sorted(ranked, key=lambda r: r[:3])[:3])
