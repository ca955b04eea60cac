"""The language in which monographs write conditions and limits.

    age >= 65 years          crcl < 30 mL/min          child_pugh >= B            pregnant · not pregnant
    route in oral, rectal    route is local            object.route is local      form is extended_release
    has disease:x · had disease:x · lacks disease:x    with class:x · without class:x
    dose_daily > 100 mg      gap < 14 days             indication is disease:x    sex is female

A list of lines is an AND; a list of lists is an OR of ANDs.
"""

from __future__ import annotations

import re

from pharmakon.model.concepts import concept_id, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Clause, Condition, Limit
from pharmakon.model.units import canonical, convert
from pharmakon.model.vocabulary import Factor, factors, routes

_NUMBER = re.compile(r"(<=|>=|<|>)\s*([\d.,]+)\s*(\S.*)?")
_WORDS = {"lacks": ("has", True), "without": ("with", True), "has": ("has", False), "had": ("had", False)}
_PER = ("dose", "day", "week", "hour", "course", "mg")
_COUNTS = frozenset({"times", "days", "drugs", "MME"})


def read_condition(text: str) -> Condition:
    """One line of the language; raises `BadInput` with what was expected."""
    line = " ".join(text.split())
    of, rest = "subject", line
    for side in ("subject", "object"):
        if line.startswith(f"{side}."):
            of, rest = side, line[len(side) + 1 :]
    head, _, tail = rest.partition(" ")
    negated = False
    if head == "not" and tail:
        negated, (head, _, tail) = True, tail.partition(" ")
    elif head in _WORDS or head == "with":
        name, negated = _WORDS.get(head, ("with", False))
        return _concepts(line, name, tail, of, negated)
    factor = factors().get(head)
    if factor is None:
        raise BadInput(f"condition {line!r}: {head!r} is no factor", expected=f"one of {', '.join(factors())}")
    if factor.shape == "flag":
        if tail:
            raise BadInput(f"condition {line!r}: nothing can follow {head!r}", expected=f"{head} or not {head}")
        return Condition(head, "is", values=("false" if negated else "true",), of=of, text=line)
    if factor.shape == "number":
        return _number(line, factor, tail, of)
    if factor.shape == "concept":
        return _concepts(line, head, tail.removeprefix("is ").removeprefix("in "), of, negated)
    return _choice(line, factor, tail, of, negated)


def _number(line: str, factor: Factor, tail: str, of: str) -> Condition:
    match = _NUMBER.fullmatch(tail)
    if not match:
        raise BadInput(f"condition {line!r}", expected=f"{factor.name} < NUMBER {factor.unit}")
    unit = (match[3] or "").strip()
    if not unit and factor.unit != "1":
        raise BadInput(f"condition {line!r}: a figure without its unit", expected=f"a unit such as {factor.unit}")
    value = _figure(match[2], f"condition {line!r}")
    if unit and factor.unit not in ("1", "%", "times/day", unit):
        wanted = factor.unit.removesuffix("/day") if factor.name == "dose_daily" else factor.unit
        analyte = factor.name if "/" in wanted else None
        value = convert(
            value, canonical(unit.removesuffix("/day") if wanted == "mg" else unit), wanted, analyte=analyte
        )
    return Condition(factor.name, match[1], number=value, of=of, text=line)


def _figure(text: str, where: str) -> float:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        raise BadInput(f"{where}: {text!r} is no number", expected="a figure such as 2,550 or 1.5") from None


def _choice(line: str, factor: Factor, tail: str, of: str, negated: bool) -> Condition:
    op, _, listed = tail.partition(" ")
    if factor.shape == "ordinal" and op in ("<", "<=", ">", ">="):
        return Condition(factor.name, "in", values=_levels(line, factor, op, listed), of=of, negated=negated, text=line)
    if op not in ("is", "in") or not listed:
        raise BadInput(f"condition {line!r}", expected=f"{factor.name} is VALUE")
    values: list[str] = []
    for value in (v.strip() for v in listed.split(",")):
        if factor.name == "route" and value in ("local", "systemic"):
            values += [r.name for r in routes().values() if r.local == (value == "local")]
        elif factor.name == "route" and value in routes():
            values += [r.name for r in routes().values() if value in (r.name, r.within)]
        elif value in factor.levels:
            values.append(value)
        else:
            raise BadInput(f"condition {line!r}: {value!r}", expected=f"one of {', '.join(factor.levels)}")
    return Condition(factor.name, "in", values=tuple(values), of=of, negated=negated, text=line)


def _levels(line: str, factor: Factor, op: str, level: str) -> tuple[str, ...]:
    if level not in factor.levels:
        raise BadInput(f"condition {line!r}: {level!r}", expected=f"one of {', '.join(factor.levels)}")
    i = factor.levels.index(level)
    return {"<": factor.levels[:i], "<=": factor.levels[: i + 1], ">": factor.levels[i + 1 :], ">=": factor.levels[i:]}[
        op
    ]


def _concepts(line: str, name: str, listed: str, of: str, negated: bool) -> Condition:
    factor = factors()[name]
    ids = tuple(concept_id(part) for part in listed.split(","))
    for cid in ids:
        if kind_of(cid) not in factor.kinds:
            raise BadInput(f"condition {line!r}: {cid}", expected=f"a {' or '.join(sorted(factor.kinds))}")
    return Condition(name, "in", values=tuple(ids), of=of, negated=negated, text=line)


def read_guard(value: object) -> tuple[Clause, ...]:
    """`when:` as an OR of ANDs."""
    if isinstance(value, str):
        return ((read_condition(value),),)
    if isinstance(value, list) and value and all(isinstance(v, list) for v in value):
        return tuple(read_clause(v) for v in value)
    return (read_clause(value),)


def read_clause(value: object) -> Clause:
    """One AND: a line, or a list of lines."""
    lines = [value] if isinstance(value, str) else value
    if not isinstance(lines, list) or not lines or not all(isinstance(v, str) for v in lines):
        raise BadInput(f"conditions {value!r}", expected="a line, a list of lines, or a list of such lists")
    return tuple(read_condition(v) for v in lines)


def read_limit(text: str) -> Limit:
    """`40 mg per day`, `1 mg/kg per dose`, `2 times per day`, `8 weeks per course`, `1.5 MME per mg`."""
    match = re.fullmatch(r"([\d.,]+)\s*(\S+)\s+per\s+(\w+)", " ".join(text.split()))
    if not match or match[3] not in _PER:
        raise BadInput(f"limit {text!r}", expected=f"NUMBER UNIT per {', '.join(_PER)}")
    value, unit, per = _figure(match[1], f"limit {text!r}"), match[2], match[3]
    if unit in _COUNTS:
        return Limit(value, unit, per)
    if per == "course":
        return Limit(convert(value, canonical(unit), "day"), "days", per)
    base, _, basis = unit.partition("/")
    if basis not in ("", "kg", "m2"):
        raise BadInput(f"limit {text!r}: unit {unit!r}", expected="a unit, or a unit per kg or per m2")
    name = canonical(base)
    if name in ("g", "mcg", "ng"):
        value, name = convert(value, name, "mg"), "mg"
    return Limit(value, f"{name}/{basis}" if basis else name, per)
