"""Look-ups in resources that may hold anything: the wrong shape reads as absent, never as an exception.

FHIR's versions write one thing as an object, a list or a string, and real senders mix them. What matters and could not
be used is told in the remarks by whoever looked it up.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any

from pharmakon.model.tables import read_table

Resource = Mapping[str, object]
_NOTHING: Resource = {}

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?", re.DOTALL)
_TODAY = re.compile(r"Today\(\)(?:\s*([-+])\s*(\d{1,5})\s*(day|week|month|year)s?)?", re.IGNORECASE)
_SHORT = re.compile(r"[A-Za-z0-9.-]{1,40}")
_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_STEP = {"day": 1, "week": 7, "month": 30, "year": 365}


@cache
def table() -> dict[str, Any]:
    """FHIR's words (`tables.toml`)."""
    return read_table(__package__, "tables.toml")


def obj(value: object) -> Resource:
    """An object; of a list its first one."""
    if isinstance(value, list):
        return next((item for item in value if isinstance(item, dict)), _NOTHING)
    return value if isinstance(value, dict) else _NOTHING


def objs(value: object) -> list[Resource]:
    """All objects of a list; a lone object is a list of one."""
    if isinstance(value, list):
        return [item for item in value if isinstance(item, dict)]
    return [value] if isinstance(value, dict) else []


def words(value: object) -> str:
    """A text without no-break spaces at its ends; anything else is empty."""
    return value.strip().strip("\u200b\ufeff").strip() if isinstance(value, str) else ""


def number(value: object) -> float | None:
    """A number, also where it came as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str) and re.fullmatch(r"[-+]?\d{1,15}(\.\d{1,15})?", value.strip()):
        return float(value)
    return None


def code_of(value: object) -> str:
    """The code of a CodeableConcept, a Coding or the bare string of older versions; lower case."""
    if isinstance(value, str):
        return words(value).lower()
    concept = obj(value)
    coding = obj(concept.get("coding"))
    return words(coding.get("code") or concept.get("code") or concept.get("text")).lower()


def day_range(value: object) -> tuple[date, date] | None:
    """The earliest and the latest day a FHIR date means: `2020-03` is all of March."""
    match = _DATE.fullmatch(words(value))
    if not match:
        return None
    year, month, day = int(match[1]), int(match[2] or 0), int(match[3] or 0)
    try:
        first = date(year, month or 1, day or 1)
        last = date(year, month or 12, day or monthrange(year, month or 12)[1])
    except ValueError:
        return None
    return first, last


def day(resource: Resource, key: str, today: date) -> date | None:
    """The date at `key`; else what a `Today() - 90 days` expression in its extension comes to."""
    given = day_range(resource.get(key))
    if given:
        return given[0]
    dates = expressed(resource.get(f"_{key}"), today)
    return dates[0] if dates else None


def period(resource: Resource, key: str, today: date) -> tuple[date | None, date | None]:
    """Start and end of the Period at `key`; a partial end date is the last day it may mean."""
    value = obj(resource.get(key))
    dates = expressed(value, today)
    start = day(value, "start", today) or (dates[0] if dates else None)
    end = day_range(value.get("end"))
    return start, end[1] if end else (dates[1] if len(dates) > 1 else None)


def expressed(value: object, today: date) -> list[date]:
    """The dates of a CQL expression extension, in the order of the text."""
    found = []
    for extension in objs(obj(value).get("extension")):
        if "cqlexpression" in words(extension.get("url")).lower():
            for match in _TODAY.finditer(words(extension.get("valueString"))):
                days = int(match[2] or 0) * _STEP[(match[3] or "day").lower()]
                found.append(shifted(today, -days if match[1] == "-" else days))
    return found


def shifted(start: date, days: float) -> date:
    """`days` later; the calendar's last or first day where that lies beyond it."""
    try:
        return start + timedelta(days=days)
    except OverflowError:
        return date.max if days > 0 else date.min


def identity(resource: Resource) -> str:
    """Type and id as they were sent, to tell resources apart; never shown."""
    return f"{words(resource.get('resourceType'))}/{words(resource.get('id'))}"


def named(resource: Resource) -> str:
    """`MedicationRequest/m1`, as remarks and sources name it."""
    kind, given = resource.get("resourceType"), words(resource.get("id"))
    parts = (short(kind) if words(kind) else "", given if _ID.fullmatch(given) else "…" if given else "")
    return "/".join(part for part in parts if part)


def short(value: object) -> str:
    """A name that may be repeated: an identifier of at most 40 characters; whatever else it is, an ellipsis.

    What a sender puts where a name belongs may be a message or a secret.
    """
    text = words(value)
    return text if _SHORT.fullmatch(text) else "…"


def line(value: object, most: int = 120) -> str:
    """A text on one line, for a remark or a complaint."""
    text = " ".join(words(value).split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
