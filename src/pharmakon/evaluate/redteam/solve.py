"""Make a condition true, or false, by changing as little of a sketch as possible.

What can't be arranged gives None; whoever asked then leaves the rule out and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from pharmakon.evaluate.redteam.conditions import clause_true, companions
from pharmakon.evaluate.redteam.kidney import creatinine_for, creatinine_for_filtration, height_for
from pharmakon.evaluate.redteam.sketch import Line, Person, Sketch
from pharmakon.evaluate.redteam.world import World
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Condition
from pharmakon.model.vocabulary import factors

Companion = Callable[[Sequence[ConceptId]], Line | None]
"""An ordinary order of a drug that is one of these concepts."""

#: Person first, and of the person what the kidney depends on before the kidney.
_ORDER = ("age", "sex", "pregnant", "trimester", "weight", "bmi", "crcl", "egfr", "creatinine")
_LINE = ("dose_single", "dose_daily", "times_per_day", "duration", "gap")


def fulfil(
    clause: Clause, sketch: Sketch, world: World, at: int, other: int | None, beside: Companion, rng: Random
) -> Sketch | None:
    """A sketch in which all of `clause` is true."""
    groups: dict[tuple[str, str], list[Condition]] = {}
    for c in clause:
        groups.setdefault((c.factor, c.of), []).append(c)
    rank = {name: i for i, name in enumerate(_ORDER)}
    for (factor, of), conditions in sorted(groups.items(), key=lambda g: rank.get(g[0][0], len(rank))):
        place = other if of == "object" and other is not None else at
        if factors()[factor].shape == "number":
            value = _between(factor, conditions, rng)
            made = None if value is None else set_number(sketch, factor, value, place)
        else:
            made = sketch
            for c in conditions:
                made = made and _set(c, made, world, place, beside, rng)
        if made is None:
            return None
        sketch = made
    return sketch if clause_true(clause, sketch, world, at, other) else None


def break_one(
    clause: Clause, sketch: Sketch, world: World, at: int, other: int | None, *, far: bool = False
) -> tuple[Sketch, ...]:
    """Sketches in which one condition of `clause` has become false; `far` leaves the boundary well behind."""
    found: list[Sketch] = []
    for c in clause:
        place = other if c.of == "object" and other is not None else at
        made = _undo(c, sketch, world, place, other if place == at else at, far)
        if made is not None and clause_true(clause, made, world, at, other) is False:
            found.append(made)
    return tuple(found)


def set_number(sketch: Sketch, factor: str, value: float, at: int) -> Sketch | None:
    """The sketch with a number factor at `value`, consistent with everything else."""
    if factor in _LINE:
        return sketch.with_line(at, _line_number(sketch.lines[at], factor, value))
    person = sketch.person
    if factor == "age":
        return replace(sketch, person=aged(person, value))
    if factor == "weight":
        heavier = replace(person, weight=value, height=height_for(value, female=person.female))
        return replace(sketch, person=with_clearance(heavier, person.value("crcl")))
    if factor == "bmi":
        heavier = replace(person, weight=round(value * (person.height / 100) ** 2, 1))
        return replace(sketch, person=with_clearance(heavier, person.value("crcl")))
    if factor in ("crcl", "egfr") and person.age < 18:
        return sketch.of(labs={**person.labs, factor: value})
    if factor == "crcl":
        return replace(sketch, person=with_clearance(person, value))
    if factor == "egfr":
        return sketch.of(creatinine=round(creatinine_for_filtration(person.age, value, female=person.female), 2))
    if factor == "creatinine":
        return sketch.of(creatinine=value)
    return sketch.of(labs={**person.labs, factor: value})


def with_clearance(person: Person, wanted: float | None) -> Person:
    """The same person with a creatinine that gives the wanted clearance (mL/min)."""
    if wanted is None or person.age < 18:
        return person
    found = creatinine_for(person.age, person.weight, wanted, female=person.female)
    return replace(person, creatinine=min(max(round(found, 2), 0.25), 15.0))


def aged(person: Person, age: float) -> Person:
    """The same person at another age; a child gets a child's body and a stated clearance, an adult keeps its own."""
    if age >= 18:
        return with_clearance(replace(person, age=age), person.value("crcl"))
    labs = {**person.labs, "crcl": 100.0, "egfr": 100.0}
    weight = round(3.5 + 2.9 * age, 1)
    height = round(50.0 + 25.0 * age if age < 1 else 75.0 + 6.0 * (age - 1))
    return replace(person, age=age, weight=weight, height=float(height), creatinine=0.5, labs=labs)


def _between(factor: str, conditions: Sequence[Condition], rng: Random) -> float | None:
    """A value that all conditions allow, near the boundary but clear of rounding."""
    low = max((c.number for c in conditions if c.op in (">", ">=")), default=None)
    high = min((c.number for c in conditions if c.op in ("<", "<=")), default=None)
    if low is not None and high is not None:
        return (low + high) / 2 if low < high else None
    if factor == "duration" and high is not None:
        return max(1.0, high if any(c.op == "<=" for c in conditions) else high - 1.0)
    if factor == "age" and low is not None:
        return low + (1 if any(c.op == ">" for c in conditions) else 0) + rng.choice((0, 2, 7))
    if factor == "age" and high is not None:
        return high / 2 if high < 2 else max(1.0, high - rng.choice((1, 3, 6)))
    if low is not None:
        return _rounded(factor, low * rng.choice((1.1, 1.25)))
    assert high is not None
    return _rounded(factor, high * rng.choice((0.75, 0.9)))


def _rounded(factor: str, value: float) -> float:
    return value if factor in ("crcl", "egfr") else round(value, 2 if value < 10 else 1 if value < 100 else 0)


def _line_number(line: Line, factor: str, value: float) -> Line:
    if factor == "dose_single":
        return replace(line, dose=value, unit="mg")
    if factor == "dose_daily":
        return replace(line, dose=round(value / max(line.times, 1.0), 3), unit="mg")
    if factor == "times_per_day":
        return replace(line, times=float(max(1, int(value))))
    if factor == "duration":
        return replace(line, days=float(int(value)))
    return replace(line, stopped_for=float(int(value)))


def _set(c: Condition, sketch: Sketch, world: World, at: int, beside: Companion, rng: Random) -> Sketch | None:
    person, line = sketch.person, sketch.lines[at]
    values = [ConceptId(v) for v in c.values]
    if c.factor in ("has", "had"):
        if c.negated:
            kept = tuple(h for h in person.conditions if not world.above[h] & set(values))
            return sketch.of(conditions=kept, history=())
        chosen = rng.choice(values)
        if c.factor == "had":
            return sketch.of(history=(*person.history, chosen))
        return sketch.of(conditions=(*person.conditions, chosen))
    if c.factor == "with":
        if c.negated:
            return sketch if not companions(frozenset(values), sketch, world, at) else None
        if companions(frozenset(values), sketch, world, at):
            return sketch
        added = beside(values)
        return None if added is None else sketch.adding(added).justified()
    if c.factor == "indication":
        wanted = None if c.negated else rng.choice(values)
        return None if wanted is None else sketch.with_line(at, replace(line, indication=wanted)).justified()
    return _set_token(c, sketch, at, line, rng)


def _set_token(c: Condition, sketch: Sketch, at: int, line: Line, rng: Random) -> Sketch | None:
    flag = ("true" in c.values) != c.negated
    if c.factor == "route":
        return sketch if line.route in c.values else sketch.with_line(at, replace(line, route=rng.choice(c.values)))
    if c.factor == "form":
        return sketch.with_line(at, replace(line, extended="extended_release" in c.values))
    if c.factor in ("undiluted", "as_needed"):
        return sketch.with_line(at, replace(line, **{c.factor: flag}))  # type: ignore[arg-type]
    if c.factor == "pregnant":
        return expecting(sketch, rng.choice((1, 2))) if flag else sketch.of(pregnant=False, trimester=0)
    if c.factor == "trimester":
        return expecting(sketch, int(rng.choice(c.values)))
    if c.factor == "lactating":
        return replace(sketch, person=replace(aged(sketch.person, 31.0), female=True, lactating=flag))
    if c.factor == "dialysis":
        kidneys = with_clearance(sketch.person, 9.0) if flag else sketch.person
        return replace(sketch, person=replace(kidneys, dialysis=flag))
    if c.factor == "child_pugh":
        return sketch.of(child_pugh=rng.choice(c.values))
    if c.factor == "sex":
        return sketch.of(female="female" in c.values)
    return None


def expecting(sketch: Sketch, trimester: int) -> Sketch:
    """The same orders for a pregnant woman of 29."""
    person = aged(replace(sketch.person, female=True), 29.0)
    return replace(sketch, person=replace(person, pregnant=True, trimester=trimester))


def _undo(c: Condition, sketch: Sketch, world: World, at: int, other: int | None, far: bool) -> Sketch | None:
    person, line, values = sketch.person, sketch.lines[at], frozenset(c.values)
    if factors()[c.factor].shape == "number":
        return set_number(sketch, c.factor, _FAR.get((c.factor, c.op[0]), _across(c)) if far else _across(c), at)
    if c.negated or not values:
        return None
    if c.factor in ("has", "had"):
        return sketch.of(
            conditions=tuple(h for h in person.conditions if not world.above[h] & values),
            history=tuple(h for h in person.history if not world.above[h] & values),
        )
    if c.factor == "with":
        for n in reversed(companions(values, sketch, world, at, other)):
            if n < max(at, other or 0):
                return None  # taking it out would move the lines the clause is about
            sketch = sketch.without_line(n)
        return sketch
    if c.factor == "form":
        return sketch.with_line(at, replace(line, extended=not line.extended))
    if c.factor in ("undiluted", "as_needed"):
        return sketch.with_line(at, replace(line, **{c.factor: "true" not in values}))  # type: ignore[arg-type]
    if c.factor == "pregnant":
        return sketch.of(pregnant=False, trimester=0)
    if c.factor == "trimester":
        free = [t for t in (2, 1, 3) if str(t) not in values]
        return sketch.of(trimester=free[0]) if free else None
    if c.factor in ("lactating", "dialysis"):
        return sketch.of(**{c.factor: False})
    if c.factor == "child_pugh":
        return sketch.of(child_pugh="" if "A" in values else "A")
    if c.factor == "sex":
        return sketch.of(female=not person.female)
    return None


#: Ordinary values, where the nearest one on the other side still breaks a neighbouring rule.
_FAR = {("age", "<"): 45.0, ("age", ">"): 45.0, ("crcl", "<"): 100.0, ("egfr", "<"): 95.0, ("gap", "<"): 90.0}


def _across(c: Condition) -> float:
    """The nearest plain value on the other side."""
    if c.factor in ("age", "times_per_day", "duration", "gap"):
        step = 1.0 if c.number >= 2 else c.number / 2
        if c.op == "<" and c.number < 2:
            return c.number + step  # months, as a fraction of a year: clear of rounding
        return c.number - step if c.op == ">=" else c.number + step if c.op == "<=" else c.number
    return _rounded(c.factor, c.number * (0.9 if c.op in (">", ">=") else 1.1))
