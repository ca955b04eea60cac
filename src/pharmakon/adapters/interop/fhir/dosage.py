"""Dosage: how much, how often, for how long, in the shapes of DSTU2 to R5.

Daily exposure = dose × times ÷ days. Instructions with one sequence number are taken together and add up; different
numbers follow each other (a taper), and the heaviest step is the one an audit must see.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from pharmakon.adapters.interop.fhir.coding import concept
from pharmakon.adapters.interop.fhir.loose import (
    Resource,
    code_of,
    line,
    number,
    obj,
    objs,
    period,
    table,
    words,
)  # fmt: skip
from pharmakon.adapters.interop.limits import limit
from pharmakon.model.concepts import fold
from pharmakon.model.prescription import Amount, Timing
from pharmakon.model.units import is_unit
from pharmakon.model.vocabulary import routes

SECOND = 1 / 86400  #: in days; a shorter period is no period


@dataclass(frozen=True, slots=True)
class Dose:
    """One instruction read. `sig` is the text, needed where dose or timing is None."""

    amount: Amount | None = None
    timing: Timing | None = None
    route: str | None = None
    as_needed: bool | None = None
    days: float | None = None
    start: date | None = None
    end: date | None = None
    sig: str | None = None
    sequence: float = 0
    remarks: tuple[str, ...] = ()

    @property
    def daily(self) -> float | None:
        """Highest amount a day, in the amount's unit."""
        return self.amount.high * self.timing.per_day[1] if self.amount and self.timing else None


def read_dosages(value: object, today: date) -> Dose:
    """All instructions of one order as a single one, with a remark where something had to be chosen."""
    read = [read_dosage(item, today) for item in objs(value)]
    if not read:
        return Dose(sig=words(value) or None)
    steps = [
        _together([d for d in read if d.sequence == s], numbered=len(read) > 1)
        for s in sorted({d.sequence for d in read})
    ]
    heaviest = _heaviest(steps)
    return replace(heaviest, remarks=tuple(dict.fromkeys(r for d in [*steps, heaviest] for r in d.remarks)))


def _heaviest(steps: list[Dose]) -> Dose:
    if len(steps) == 1:
        return steps[0]
    known = [s for s in steps if s.daily is not None]
    start = min((s.start for s in steps if s.start), default=None)
    end = max((s.end for s in steps if s.end), default=None)
    if len(known) == len(steps) and len({s.amount.unit for s in known if s.amount}) == 1:
        best = max(known, key=lambda s: s.daily or 0)
        note = f"the dose changes in {len(steps)} steps; the step with the highest daily dose is audited"
    else:
        best = known[0] if known else steps[0]
        note = f"the dose changes in {len(steps)} steps that can't be compared; the first readable one is audited"
    days = [s.days for s in steps]
    total = sum(d for d in days if d is not None) if all(d is not None for d in days) else None
    return replace(best, days=total, start=start, end=end, remarks=(*best.remarks, note))


def _together(parts: list[Dose], *, numbered: bool) -> Dose:
    """Instructions that hold at one time: highest single dose, and as many of it as make the exact daily total."""
    first = parts[0]
    if len(parts) == 1:
        return first
    sig = "; ".join(p.sig for p in parts if p.sig) or None
    amounts = [p.amount for p in parts if p.amount]
    timings = [p.timing for p in parts if p.timing]
    note = f"{len(parts)} instructions hold together"
    if len(amounts) < len(parts) or len(timings) < len(parts) or len({a.unit for a in amounts}) > 1:
        known = [p for p in parts if p.daily is not None]
        best = max(known, key=lambda p: p.daily or 0) if known else first
        return replace(
            best, sig=sig, remarks=(*best.remarks, f"{note} and can't be added up; the first or highest is audited")
        )
    high = max(a.high for a in amounts)
    low_total = sum(a.low * t.per_day[0] for a, t in zip(amounts, timings, strict=True))
    high_total = sum(a.high * t.per_day[1] for a, t in zip(amounts, timings, strict=True))
    return Dose(
        amount=Amount(high, high, amounts[0].unit),
        timing=Timing(low_total / high, high_total / high),
        route=next((p.route for p in parts if p.route), None),
        as_needed=all(p.as_needed for p in parts) if any(p.as_needed is not None for p in parts) else None,
        days=max((p.days for p in parts if p.days is not None), default=None),
        start=min((p.start for p in parts if p.start), default=None),
        end=max((p.end for p in parts if p.end), default=None),
        sig=sig,
        sequence=first.sequence,
        remarks=(
            *(r for p in parts for r in p.remarks),
            *((f"{note}; their daily doses are added",) if numbered else ()),
        ),
    )


def read_dosage(item: Resource, today: date) -> Dose:
    timing_given = obj(item.get("timing"))
    repeat = obj(timing_given.get("repeat"))
    remarks: list[str] = []
    amount = _amount(item, remarks)
    timing = _timing(repeat, timing_given, remarks)
    days, start, end = _bounds(repeat, today)
    sig = words(item.get("text")) or words(item.get("patientInstruction")) or words(timing_given.get("text"))
    sig = sig or words(obj(timing_given.get("code")).get("text"))
    most = _maximum(item)
    return Dose(
        amount=amount,
        timing=timing,
        route=_route(item.get("route")),
        as_needed=_as_needed(item),
        days=days,
        start=start,
        end=end,
        sig="; ".join(part for part in (sig, _rate(item), most) if part) or None,
        sequence=number(item.get("sequence")) or 0,
        remarks=tuple(remarks),
    )


def _as_needed(item: Resource) -> bool | None:
    for key in ("asNeededBoolean", "asNeeded"):
        if isinstance(item.get(key), bool):
            return bool(item[key])
    return True if obj(item.get("asNeededCodeableConcept")) or objs(item.get("asNeededFor")) else None


#: A bare figure up to this many is a count of tablets, as it is in free-text directions.
_PIECES = 4


def _amount(item: Resource, remarks: list[str]) -> Amount | None:
    rows = objs(item.get("doseAndRate"))
    rows.sort(
        key=lambda row: code_of(row.get("type")) != "ordered"
    )  # stable: a calculated dose only where nothing else is
    for row in [*rows, item]:
        spread = obj(row.get("doseRange"))
        if spread:
            low, high = obj(spread.get("low")), obj(spread.get("high"))
            found = _between(low or high, high or low, remarks)
        else:
            given = obj(
                row.get("doseQuantity") or row.get("dose") or row.get("quantityQuantity") or row.get("quantity")
            )
            found = _between(given, given, remarks)
        if found:
            return found
    return None


def _between(low: Resource, high: Resource, remarks: list[str]) -> Amount | None:
    least, most = number(low.get("value")), number(high.get("value"))
    if least is None or most is None:
        given = high.get("value") if most is None else low.get("value")
        if given is not None:
            remarks.append(f"the dose “{line(str(given))}” was not used: expected a number")
        return None
    unit = unit_of(high) or unit_of(low)
    if low is high and words(low.get("comparator")):
        remarks.append(f"the dose {most:g} {line(unit)} was not used: it was given as a bound, not as an amount")
        return None
    bounds = limit("order", "dose")
    if most not in bounds or least < 0:
        remarks.append(f"the dose {most:g} {line(unit)} was not used: expected {bounds}".replace("  ", " "))
        return None
    if not unit and most <= _PIECES:
        remarks.append(f"the dose {most:g} has no unit and was taken as so many pieces (tablets, puffs)")
        return Amount(min(least, most), max(least, most), "piece")
    if not unit:  # 500 may be milligrams or a slip: the sender has to say
        remarks.append(f"the dose {most:g} has no unit and was not used")
        return None
    return Amount(min(least, most), max(least, most), unit)


def unit_of(quantity: Resource) -> str:
    """The unit as written; its code where there is none or only the code means something ("milligram(s)", "mg")."""
    written = words(quantity.get("unit")) or words(quantity.get("units"))
    coded = words(quantity.get("code"))
    if not written or (coded and not is_unit(written) and is_unit(coded)):
        return coded
    return written


def _timing(repeat: Resource, timing: Resource, remarks: list[str]) -> Timing | None:
    for key in ("frequency", "frequencyMax", "period", "periodMax"):
        if repeat.get(key) is not None and number(repeat[key]) is None:
            remarks.append(f"the timing was not used: its {key} is “{line(str(repeat[key]))}”, expected a number")
            return None
    found = _repeated(repeat) or _coded(timing.get("code"))
    if found and not (0 < found.low <= found.high and found.per_day[1] in limit("order", "times")):
        remarks.append("the frequency was not used: it is zero, negative or beyond 1440 times a day")
        return None
    return found


def _repeated(repeat: Resource) -> Timing | None:
    times = number(repeat.get("frequency"))
    most = number(repeat.get("frequencyMax")) or times
    unit = table()["time"].get(words(repeat.get("periodUnit") or repeat.get("periodUnits")).lower())
    length = number(repeat.get("period"))
    weekdays = len(set(_strings(repeat.get("dayOfWeek"))))
    share = weekdays / 7 if weekdays else 1.0
    if unit is not None and length is not None and length * unit >= SECOND:
        days, longest = length * unit, (number(repeat.get("periodMax")) or length) * unit
        low, high = times if times is not None else 1.0, most if most is not None else 1.0
        if longest > days:
            return Timing(low / longest * share, high / days * share)
        if share < 1:
            return Timing(low * share, high * share, days)
        return Timing(low, max(low, high), days)
    clock = len(set(_strings(repeat.get("timeOfDay"))))
    events = sum(table()["when"].get(event.upper(), 1) for event in set(_strings(repeat.get("when"))))
    daily = clock or events
    if daily or weekdays:
        times = daily or times or 1
        return Timing(times * (weekdays or 1), times * (weekdays or 1), 7.0 if weekdays else 1.0)
    return None


def _strings(value: object) -> list[str]:
    return [words(v) for v in (value if isinstance(value, list) else [value]) if words(v)]


def _coded(code: object) -> Timing | None:
    given = obj(code)
    for name in [*(words(c.get("code")) for c in objs(given.get("coding"))), words(given.get("text")), words(code)]:
        row = table()["timing_code"].get(name.upper())
        if row:
            return Timing(row[0], row[0], row[1])
    return None


def _bounds(repeat: Resource, today: date) -> tuple[float | None, date | None, date | None]:
    """Duration in days, start, end."""
    for key in ("boundsDuration", "boundsQuantity"):
        days = days_of(obj(repeat.get(key)))
        if days:
            return days, None, None
    spread = obj(repeat.get("boundsRange"))
    days = days_of(obj(spread.get("high"))) or days_of(obj(spread.get("low")))
    start, end = period(repeat, "boundsPeriod", today)
    if not days and start and end and end >= start:
        days = float((end - start).days + 1)
    return days, start, end


def days_of(quantity: Resource) -> float | None:
    """A Duration in days; None where it is none, or out of range."""
    value = number(quantity.get("value"))
    times: dict[str, float] = table()["time"]
    unit = times.get(words(quantity.get("code")).lower()) or times.get(unit_of(quantity).lower())
    if value is None or unit is None or value * unit not in limit("order", "duration_days"):
        return None
    return value * unit


def _route(value: object) -> str | None:
    """A key of the route vocabulary where a code says so, else the words."""
    found = concept(value)
    if found is None:
        return None
    for route in routes().values():
        if any(c.value in route.snomed or c.value in route.nci for c in found.codes):
            return route.name
    plain = fold(found.text).removesuffix(" route").removesuffix(" use")
    return next((r.name for r in routes().values() if plain in r.names or plain == r.name), found.text)


def _quantity(value: Resource) -> str:
    amount = number(value.get("value"))
    return "" if amount is None else f"{amount:g} {unit_of(value)}".strip()


def _ratio(value: Resource) -> str:
    top, bottom = obj(value.get("numerator")), obj(value.get("denominator"))
    return f"{_quantity(top)} per {_quantity(bottom)}" if _quantity(top) and _quantity(bottom) else ""


def _rate(item: Resource) -> str:
    row = obj(item.get("doseAndRate")) or item
    rate = _quantity(obj(row.get("rateQuantity"))) or _ratio(obj(row.get("rateRatio")))
    return f"rate {rate}" if rate else ""


def _maximum(item: Resource) -> str:
    most = _ratio(obj(item.get("maxDosePerPeriod")))
    return f"max {most}" if most else ""
