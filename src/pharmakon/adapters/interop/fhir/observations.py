"""Observations: the newest final value of each factor, with its unit as written and its date."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from pharmakon.adapters.interop.fhir.coding import concept
from pharmakon.adapters.interop.fhir.dosage import unit_of
from pharmakon.adapters.interop.fhir.loose import (
    Resource,
    code_of,
    day,
    day_range,
    line,
    named,
    number,
    obj,
    objs,
    period,
    table,
    words,
)  # fmt: skip
from pharmakon.adapters.interop.limits import limit
from pharmakon.adapters.interop.plausible import implausible
from pharmakon.model.concepts import Code, fold
from pharmakon.model.prescription import Measured
from pharmakon.model.units import canonical, is_unit

FINAL = {"final", "amended", "corrected", ""}
SIGNS = ("<", "<=", ">=", ">")
ANSWERS = ("pregnant", "lactating")


@dataclass(frozen=True, slots=True)
class Observed:
    """What the observations say: numbers by factor, and answers to yes-or-no questions."""

    numbers: dict[str, Measured]
    answers: dict[str, bool]


@dataclass(frozen=True, slots=True)
class _Seen:
    factor: str
    rank: int  #: place of its code in the table: the lower one wins a tie
    when: date | None
    value: Measured | bool


def read_observations(resources: Iterable[Resource], as_of: date, today: date, remarks: list[str]) -> Observed:
    newest: dict[str, _Seen] = {}
    for resource in resources:
        if code_of(resource.get("status")) not in FINAL:
            continue
        for seen in _seen(resource, today, remarks):
            before = newest.get(seen.factor)
            if before is None or _order(seen) > _order(before):
                newest[seen.factor] = seen
    numbers: dict[str, Measured] = {}
    answers: dict[str, bool] = {}
    for factor, seen in newest.items():
        if isinstance(seen.value, Measured):
            numbers[factor] = seen.value
        elif seen.when and (as_of - seen.when).days > table()["look_back"][factor]:
            remarks.append(f"the answer for {factor} of {seen.when} is too old to say anything about {as_of}; not used")
        else:
            answers[factor] = seen.value
    return Observed(numbers, answers)


def _order(seen: _Seen) -> tuple[date, int]:
    return seen.when or date.min, -seen.rank


def _seen(resource: Resource, today: date, remarks: list[str]) -> Iterable[_Seen]:
    when = day(resource, "effectiveDateTime", today)
    if when is None:
        start, end = period(resource, "effectivePeriod", today)
        when = end or start
    if when is None:
        given = day_range(resource.get("effectiveInstant")) or day_range(resource.get("issued"))
        when = given[0] if given else None
    for part in (resource, *objs(resource.get("component"))):
        row = _row(part)
        if row is None or objs(part.get("dataAbsentReason")):
            continue
        rank, code, factor, kind = row
        detail = f"LOINC {code.value}" + (f", {kind}" if kind else "")
        source = f"FHIR {named(resource)} ({detail})"
        value: Measured | bool | None
        value = _answer(part) if factor in ANSWERS else _number(part, factor, when, source, remarks)
        if value is not None:
            yield _Seen(factor, rank, when, value)


def _row(part: Resource) -> tuple[int, Code, str, str] | None:
    name = concept(part.get("code"))
    table_rows = table()["loinc"]
    for code in name.codes if name else ():
        row = table_rows.get(code.value) if code.system in {"loinc", ""} else None
        if row:
            return list(table_rows).index(code.value), code, row["factor"], row.get("kind", "")
    return None


def _number(part: Resource, factor: str, when: date | None, source: str, remarks: list[str]) -> Measured | None:
    quantity = obj(part.get("valueQuantity"))
    value = number(quantity.get("value"))
    if value is None:
        value = number(part.get("valueInteger") or part.get("valueDecimal"))
    unit = unit_of(quantity) or ("1" if factor == "inr" else "")
    if value is None or not unit:
        remarks.append(f"{source}: no number with a unit, so {factor} was not read from it")
        return None
    if factor == "egfr" and is_unit(unit) and canonical(unit) == "mL/min":
        # every eGFR code of the table is defined per 1.73 m2; senders leave that half of the unit out
        remarks.append(f"{source}: eGFR was reported in {line(unit)}; by its code it is per 1.73 m2 and is read so")
        unit = "mL/min/1.73m2"
    in_its_unit = factor not in {"weight", "height"}
    bounds = limit("lab", factor) if in_its_unit else limit("patient", factor)
    plain = in_its_unit or unit == bounds.unit
    if (plain and value not in bounds) or value < 0:
        remarks.append(f"{source}: {factor} {value:g} {line(unit)} was not used; expected {bounds}")
        return None
    sign = words(quantity.get("comparator"))
    if sign and sign not in SIGNS:
        remarks.append(f"{source}: {factor} was not used, its comparator is not one of {', '.join(SIGNS)}")
        return None
    found = Measured(value, unit, when, source, sign)
    expected = implausible(factor, found) if in_its_unit else ""
    if expected:
        remarks.append(f"{source}: {factor} {sign}{value:g} {line(unit)} is implausible, not used; expected {expected}")
        return None
    if sign:
        remarks.append(f"{source}: {factor} was reported as {sign}{value:g} {line(unit)}: a bound, not a value")
    return found


def _answer(part: Resource) -> bool | None:
    if isinstance(part.get("valueBoolean"), bool):
        return bool(part["valueBoolean"])
    name = concept(part.get("valueCodeableConcept") or part.get("valueString"))
    if name is None:
        return None
    answers: dict[str, bool] = table()["answers"]
    by_code = next((answers[c.value] for c in name.codes if c.value in answers), None)
    spoken: dict[str, bool] = table()["answer_words"]
    return by_code if by_code is not None else spoken.get(fold(name.text))
