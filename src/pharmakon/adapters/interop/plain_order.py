"""One medication of the plain form."""

from __future__ import annotations

import re

from pharmakon.adapters.interop import fields
from pharmakon.adapters.interop.codes import code
from pharmakon.adapters.interop.fields import Object, at
from pharmakon.adapters.interop.limits import limit
from pharmakon.adapters.interop.names_as_codes import with_codes
from pharmakon.adapters.interop.unit_check import check_unit
from pharmakon.model.concepts import Code
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import STATUSES, Amount, Order, Text, Timing

KEYS = (
    "drug", "dose", "frequency", "route", "duration_days", "indication", "sig", "status", "start", "end",
)  # fmt: skip

_PER = re.compile(r"(?:(\d+(?:\.\d+)?)\s*)?(minute|min|hour|day|week|month|year|h|d)s?")
_DAYS = {
    "minute": 1 / 1440, "min": 1 / 1440, "hour": 1 / 24, "h": 1 / 24, "day": 1.0, "d": 1.0, "week": 7.0, "month": 30.0,
    "year": 365.25,
}  # fmt: skip


def read_order(value: object, line: int, where: str) -> Order:
    entry = fields.as_object(value, where, KEYS)
    if entry.get("drug") is None:
        raise BadInput("the drug is missing", where=at(where, "drug"), expected="a name such as 'warfarin 5 mg tablet'")
    start, end = fields.day(entry, "start", where), fields.day(entry, "end", where)
    if start and end and end < start:
        raise BadInput(
            f"the order ends ({end}) before it starts ({start})", where=at(where, "end"), expected=f"{start} or later"
        )
    indication = entry.get("indication")
    return Order(
        line=line,
        drug=read_name(entry["drug"], at(where, "drug")),
        dose=_dose(entry.get("dose"), at(where, "dose")),
        frequency=_frequency(entry.get("frequency"), at(where, "frequency")),
        route=fields.text(entry, "route", where),
        duration_days=fields.number(entry, "duration_days", where, limit("order", "duration_days")),
        indication=None if indication is None else with_codes(read_name(indication, at(where, "indication"))),
        sig=fields.text(entry, "sig", where),
        status=fields.choice(entry, "status", where, STATUSES) or "active",
        start=start,
        end=end,
    )


def read_name(value: object, where: str) -> Text:
    """A name on its own, or `{"text", "codes": [{"system", "value"}]}`."""
    if not isinstance(value, dict):
        return Text(fields.plain_text(value, where))
    entry = fields.as_object(value, where, ("text", "codes"))
    codes = read_codes(entry, where)
    words = fields.text(entry, "text", where)
    if words is None and not codes:
        raise BadInput("neither a text nor a code is given", where=where, expected="text, codes or both")
    return Text(words or f"{codes[0].system} {codes[0].value}", codes)


def read_codes(entry: Object, where: str) -> tuple[Code, ...]:
    found = []
    for i, item in enumerate(fields.listed(entry, "codes", where) or []):
        place = f"{at(where, 'codes')}[{i}]"
        pair = fields.as_object(item, place, ("system", "value"))
        system, value = fields.text(pair, "system", place), fields.text(pair, "value", place)
        if system is None or value is None:
            raise BadInput("a code needs both", where=place, expected="system and value")
        found.append(code(system, value))
    return tuple(found)


def _dose(value: object, where: str) -> Amount | None:
    if value is None:
        return None
    entry = fields.as_object(value, where, ("value", "unit"))
    amount, unit = fields.number(entry, "value", where, limit("order", "dose")), fields.text(entry, "unit", where)
    if amount is None or unit is None:
        missing = "value" if amount is None else "unit"
        raise BadInput(f"the {missing} is missing", where=where, expected="value and unit")
    return Amount(amount, amount, check_unit(unit, where=at(where, "unit")))


def _frequency(value: object, where: str) -> str | Timing | None:
    if value is None or isinstance(value, str):
        return None if value is None else fields.plain_text(value, where)
    entry = fields.as_object(value, where, ("times", "per"))
    times, per = fields.number(entry, "times", where, limit("order", "times")), fields.text(entry, "per", where)
    if times is None or per is None:
        missing = "times" if times is None else "per"
        raise BadInput(f"{missing!r} is missing", where=where, expected='{"times": 2, "per": "day"} or a text')
    match = _PER.fullmatch(per.casefold())
    days = float(match[1] or 1) * _DAYS[match[2]] if match else 0.0
    if not days:
        raise BadInput(
            f"{fields.shown(per)} is no period",
            where=at(where, "per"),
            expected="hour, day, week, month or such as '8 hours'",
        )
    if times / days not in limit("order", "times"):
        raise BadInput(f"{times:g} per {per} is out of range", where=where, expected="at most 1440 times a day")
    return Timing(times, times, days)
