"""Conditions on a sketch, in three values: true, false, and None for what the sketch does not say."""

from __future__ import annotations

from collections.abc import Iterable

from pharmakon.evaluate.redteam.sketch import Line, Person, Sketch
from pharmakon.evaluate.redteam.world import World
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Condition, Statement
from pharmakon.model.vocabulary import factors, routes

Truth = bool | None


_LOCAL = frozenset(name for name, route in routes().items() if route.local)


def local(route: str) -> bool:
    """Whether a route gives no systemic exposure unless a statement says otherwise."""
    return route in _LOCAL


def speaks_of_routes(statement: Statement) -> bool:
    """Statements that do not are about systemic use alone."""
    clauses = (*statement.when, *(m.clause for m in statement.modifiers))
    return any(c.factor == "route" for clause in clauses for c in clause)


def above(world: World, line: Line) -> frozenset[ConceptId]:
    """Everything the line's drugs are."""
    if line.ingredients == (line.drug,):
        return world.above[line.drug]
    return frozenset().union(*(world.above[c] for c in (line.drug, *line.ingredients)))


def clause_true(clause: Clause, sketch: Sketch, world: World, at: int, other: int | None = None) -> Truth:
    """An AND: false as soon as one part is, unknown where one part is and none is false."""
    found = [condition_true(c, sketch, world, at, other) for c in clause]
    return False if False in found else None if None in found else True


def guard_true(when: Iterable[Clause], sketch: Sketch, world: World, at: int, other: int | None = None) -> Truth:
    """An OR of ANDs; true where there is none."""
    found = [clause_true(c, sketch, world, at, other) for c in when]
    return True if True in found or not found else None if None in found else False


def condition_true(c: Condition, sketch: Sketch, world: World, at: int, other: int | None = None) -> Truth:
    line = sketch.lines[other] if c.of == "object" and other is not None else sketch.lines[at]
    truth = _plain(c, sketch, world, line, at, other)
    return truth if truth is None else truth != c.negated


def _plain(c: Condition, sketch: Sketch, world: World, line: Line, at: int, other: int | None) -> Truth:
    person = sketch.person
    if factors()[c.factor].shape == "number":
        return _gap(c, sketch, at, other, line) if c.factor == "gap" else _compare(c, _number(c.factor, person, line))
    wanted = frozenset(c.values)
    if c.factor in ("has", "had"):
        held = person.conditions + (person.history if c.factor == "had" else ())
        return any(wanted & world.above[h] for h in held)
    if c.factor == "with":
        return bool(companions(wanted, sketch, world, at, other))
    if c.factor == "indication":
        if line.indication is None:
            return None
        return bool(wanted & world.above[line.indication])
    said = _said(c.factor, person, line)
    return None if said is None else said in wanted


def _gap(c: Condition, sketch: Sketch, at: int, other: int | None, line: Line) -> Truth:
    """Days between the end of this drug and the start of the other: 0 where both are given now.

    Where the other one is what was stopped, nothing of this one has ended, and the question does not arise.
    """
    if line.stopped_for is not None:
        return _compare(c, line.stopped_for)
    both = other is None or (sketch.lines[at].current and sketch.lines[other].current)
    return _compare(c, 0.0) if both else False


def companions(
    wanted: frozenset[str], sketch: Sketch, world: World, at: int, other: int | None = None
) -> tuple[int, ...]:
    """Lines that a `with` condition is about: current, systemic, of other drugs than the pair in question."""
    pair = {i for n in (at, other) if n is not None for i in sketch.lines[n].ingredients}
    return tuple(
        n
        for n, line in enumerate(sketch.lines)
        if n not in (at, other)
        and line.current
        and not local(line.route)
        and not pair & set(line.ingredients)
        and wanted & above(world, line)
    )


def _number(factor: str, person: Person, line: Line) -> float | None:
    if factor == "dose_single":
        return line.dose if line.unit == "mg" else None
    if factor == "dose_daily":
        return line.daily if line.unit == "mg" else None
    if factor == "times_per_day":
        return line.times
    if factor == "duration":
        return line.days
    return person.value(factor)


def _compare(c: Condition, value: float | None) -> Truth:
    if value is None:
        return None
    if c.op in ("<", "<="):
        return value < c.number or (c.op == "<=" and value == c.number)
    return value > c.number or (c.op == ">=" and value == c.number)


def _said(factor: str, person: Person, line: Line) -> str | None:
    if factor == "route":
        return line.route
    if factor == "form":
        return "extended_release" if line.extended else "immediate_release"
    if factor == "sex":
        return "female" if person.female else "male"
    if factor == "child_pugh":
        return person.child_pugh or "none"
    if factor == "trimester":
        return str(person.trimester) if person.trimester else None
    whose = line if factor in ("undiluted", "as_needed") else person
    return "true" if getattr(whose, factor) else "false"
