"""Contraindications, cautions and adjustments without a figure: make the guard true, then undo one condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pharmakon.evaluate.redteam.builders.plan import Planned, Skipped, Workshop, slug, some
from pharmakon.evaluate.redteam.conditions import local
from pharmakon.evaluate.redteam.oracle import broken, held
from pharmakon.evaluate.redteam.ordinary import weight
from pharmakon.evaluate.redteam.sketch import Sketch
from pharmakon.evaluate.redteam.solve import break_one, fulfil
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Statement

_RELATIONS = ("contraindicated_in", "requires_caution_with", "dose_adjustment")
_MEMBERS = 2
_LINES = 4


def build(shop: Workshop) -> Iterator[Planned | Skipped]:
    for relation in _RELATIONS:
        for statement in shop.world.statements.get(relation, ()):
            if not statement.negative:
                yield from _statement(shop, statement)


def _statement(shop: Workshop, statement: Statement) -> Iterator[Planned | Skipped]:
    rng = shop.rng(statement.id)
    members = [
        m
        for m in some(shop.world.members(statement.subject), _MEMBERS, rng)
        if statement.excluded.isdisjoint(shop.world.above[m])
    ]
    if not members:
        yield Skipped(statement, "no ingredient described in depth")
    for member in members:
        for n, clause in enumerate(statement.when or ((),)):
            made = _made(shop, statement, (*held(statement), *clause), member, n)
            yield made or Skipped(statement, "its conditions can't be brought about in one plausible patient")


def _made(shop: Workshop, statement: Statement, clause: Clause, member: ConceptId, n: int) -> Planned | None:
    """Of the ordinary orders on which the clause can be made true, the one that breaks least besides."""
    found = []
    for place, line in enumerate(shop.ordinary.lines(member)[:_LINES]):
        rng = shop.rng(statement.id, member, str(n))
        start = Sketch(shop.ordinary.order(member, rng).person, (line,))
        start = shop.ordinary.dosed(start.of(conditions=()).justified(), 0)
        sketch = fulfil(clause, start, shop.world, 0, None, shop.beside([member], rng), rng)
        if sketch is None or (local(sketch.lines[0].route) and not local(line.route)):
            continue
        if not any(c.factor.startswith("dose_") for c in clause):
            sketch = shop.ordinary.dosed(sketch, 0)
        rules = broken(sketch, shop.world)
        own = next((b for b in rules if b.statement is statement), None)
        if own is not None:
            found.append((*weight(rules), place, own, sketch))
    if not found:
        return None
    *_, own, sketch = min(found, key=lambda f: f[:3])
    near = break_one(clause, sketch, shop.world, 0, None)
    near += tuple(s for route in shop.ordinary.routes(member) if (s := _by(sketch, route, clause)) is not None)
    far = break_one(clause, sketch, shop.world, 0, None, far=True)
    if any(c.factor == "indication" for c in clause):
        far += tuple(Sketch(sketch.person, (line,)).justified() for line in shop.ordinary.lines(member)[:3])
    name = f"{slug(member)}/{statement.id[3:11]}-{n}"
    return Planned(name, own.type, own.drugs, statement, sketch, near, far)


def _by(sketch: Sketch, route: str, clause: Clause) -> Sketch | None:
    """The same order by another route, where the rule asks about the route."""
    asked = next((c for c in clause if c.factor == "route"), None)
    if asked is None or route in asked.values:
        return None
    return sketch.with_line(0, replace(sketch.lines[0], route=route))
