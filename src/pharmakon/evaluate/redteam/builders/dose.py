"""Dose limits: doses, frequencies and courses beyond the rule that decides for this patient.

Besides the twin within the limit there are near misses that only the choice of the right rule spares: an amount that a
more general rule would forbid and the deciding one allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil
from random import Random

from pharmakon.evaluate.redteam.builders.plan import Planned, Skipped, Workshop, slug, some
from pharmakon.evaluate.redteam.doses import Dimension, Rule, clauses, deciding, dimension, true_rules
from pharmakon.evaluate.redteam.oracle import beside
from pharmakon.evaluate.redteam.ordinary import nice
from pharmakon.evaluate.redteam.sketch import Sketch
from pharmakon.evaluate.redteam.solve import fulfil
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Statement

_MEMBERS = 2


def build(shop: Workshop) -> Iterator[Planned | Skipped]:
    for statement in shop.world.statements.get("dose_limit", ()):
        if statement.negative or statement.limit is None:
            continue
        if statement.limit.per == "hour":
            yield Skipped(statement, "orders have no rate per hour")
            continue
        rng = shop.rng(statement.id)
        members = some(shop.world.members(statement.subject), _MEMBERS, rng)
        if not members:
            yield Skipped(statement, "no ingredient described in depth")
        for member in members:
            for n, clause in enumerate(clauses(statement)):
                yield _made(shop, statement, clause, member, n)


def _made(shop: Workshop, statement: Statement, clause: Clause, member: ConceptId, n: int) -> Planned | Skipped:
    assert statement.limit is not None
    rng = shop.rng(statement.id, member, str(n))
    where = dimension(statement.limit)
    why = "its conditions can't be brought about in one plausible patient"
    for line in shop.ordinary.lines(member)[:6]:
        start = Sketch(shop.ordinary.order(member, rng).person, (line,)).justified()
        start = shop.ordinary.dosed(start, 0)
        sketch = fulfil(clause, start, shop.world, 0, None, shop.beside([member], rng), rng)
        if sketch is None:
            continue
        rules = true_rules(sketch, shop.world, 0)
        rule = deciding(rules, shop.world).get(where)
        if rule is None or rule.statement is not statement:
            why = "another rule decides wherever it holds"
            continue
        beyond, within = _beyond(shop, sketch, rule, rng), _within(shop, sketch, rule, rng)
        if beyond is None or within is None:
            why = "the limit can't be exceeded by a whole order"
            continue
        drugs = shop.name(member) | beside(rule.clause, beyond, shop.world, 0)
        spared = _spared(sketch, rules, rule)
        name = f"{slug(member)}/{statement.id[3:11]}-{n}"
        return Planned(name, statement.risk, drugs, statement, beyond, (within,), spared=spared)
    return Skipped(statement, why)


def _beyond(shop: Workshop, sketch: Sketch, rule: Rule, rng: Random) -> Sketch | None:
    """Above the limit, below twice the limit."""
    line = sketch.lines[0]
    per, what = rule.dimension
    if what == "times":
        more = int(rule.value) + 1
        return shop.ordinary.dosed(sketch, 0, times=more / (7.0 if per == "week" else 1.0))
    if what == "days":
        return sketch.with_line(0, replace(line, days=float(ceil(rule.value * 1.4))))
    amount = rule.value * rng.choice((1.2, 1.5, 1.8))
    return _with_amount(shop, sketch, rule, amount)


def _within(shop: Workshop, sketch: Sketch, rule: Rule, rng: Random) -> Sketch | None:
    """At the limit or a little below it."""
    line = sketch.lines[0]
    per, what = rule.dimension
    if what == "times":
        return shop.ordinary.dosed(sketch, 0, times=rule.value / (7.0 if per == "week" else 1.0))
    if what == "days":
        return sketch.with_line(0, replace(line, days=float(int(rule.value))))
    return _with_amount(shop, sketch, rule, rule.value * rng.choice((1.0, 0.9)))


def _with_amount(shop: Workshop, sketch: Sketch, rule: Rule, amount: float) -> Sketch | None:
    """The amount per dose, day or week, in as few doses as the limit of one dose asks for."""
    per, _ = rule.dimension
    line = sketch.lines[0]
    others = deciding(true_rules(sketch, shop.world, 0), shop.world)
    if per == "dose":
        return sketch.with_line(0, replace(line, dose=nice(amount), unit=rule.unit, times=min(line.times, 1.0)))
    if per == "week":
        return sketch.with_line(0, replace(line, dose=nice(amount), unit=rule.unit, times=1 / 7))
    single = others.get(("dose", "amount"))
    often = others.get(("day", "times"))
    most = int(often.value) if often and often.value >= 1 else 4
    fits = [t for t in range(1, most + 1) if single is None or single.unit != rule.unit or amount / t <= single.value]
    times = fits[0] if fits else most
    return sketch.with_line(0, replace(line, dose=nice(amount / times), unit=rule.unit, times=float(times)))


def _spared(sketch: Sketch, rules: list[Rule], rule: Rule) -> tuple[Sketch, ...]:
    """An amount between a lower limit that does not decide and the deciding one."""
    where: Dimension = rule.dimension
    if where[1] != "amount":
        return ()
    lower = [r.value for r in rules if r.dimension == where and r.unit == rule.unit and r.value < rule.value * 0.85]
    line = sketch.lines[0]
    if not lower:
        return ()
    times = {"dose": min(line.times, 1.0), "week": 1 / 7}.get(where[0], 1.0)
    return (sketch.with_line(0, replace(line, dose=nice(rule.value), unit=rule.unit, times=times)),)
