"""Typed look-ups in an object of the plain form; a complaint names the key by its path: `medications[0].dose.value`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from datetime import date

from pharmakon.adapters.interop.limits import Range
from pharmakon.adapters.interop.size import check_length
from pharmakon.model.errors import BadInput

Object = dict[str, object]

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[T ].*)?", re.ASCII)


def kind(value: object) -> str:
    """What a JSON value is, in a person's words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


def shown(value: object) -> str:
    """A value as a complaint quotes it: short, on one line."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def as_object(value: object, where: str, allowed: Collection[str]) -> Object:
    """`value` as an object that has no keys but the allowed ones."""
    if not isinstance(value, dict):
        raise BadInput(f"this is {kind(value)}", where=where, expected=f"an object with {_listed(allowed)}")
    for key in value:
        if key not in allowed:
            near = difflib.get_close_matches(str(key).lower(), allowed, n=1, cutoff=0.5)
            expected = f"{near[0]!r}?" if near else f"one of {', '.join(allowed)}"
            raise BadInput(f"unknown key {shown(key)}", where=where, expected=expected)
    return value


def _listed(names: Collection[str]) -> str:
    return ", ".join(names)


def at(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def listed(obj: Object, key: str, where: str) -> list[object] | None:
    value = obj.get(key)
    if value is None:
        return None
    if not isinstance(value, list):
        raise BadInput(f"this is {kind(value)}", where=at(where, key), expected="a list")
    return value


def plain_text(value: object, where: str, length: str = "text") -> str:
    """A text that is not empty and no longer than `[size]` of limits.toml lets a `length` be."""
    if not isinstance(value, str):
        raise BadInput(f"this is {kind(value)}", where=where, expected="a text")
    if not value.strip():
        raise BadInput("the text is empty", where=where, expected="a text")
    check_length(value.strip(), where, length)
    return value.strip()


def text(obj: Object, key: str, where: str) -> str | None:
    value = obj.get(key)
    return None if value is None else plain_text(value, at(where, key))


def choice(obj: Object, key: str, where: str, allowed: Collection[str]) -> str | None:
    value = text(obj, key, where)
    if value is None:
        return None
    if value.casefold() not in allowed:
        near = difflib.get_close_matches(value.casefold(), allowed, n=1)
        hint = f" ({near[0]}?)" if near else ""
        raise BadInput(f"{shown(value)} is none of them{hint}", where=at(where, key), expected=f"{_listed(allowed)}")
    return value.casefold()


def flag(obj: Object, key: str, where: str) -> bool | None:
    value = obj.get(key)
    if value is not None and not isinstance(value, bool):
        raise BadInput(f"this is {kind(value)}", where=at(where, key), expected="true, false or null")
    return value


def plain_number(value: object, where: str, bounds: Range) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadInput(f"this is {kind(value)}", where=where, expected=f"a number, {bounds}")
    if value not in bounds:
        raise BadInput(f"{value:.10g} is out of range", where=where, expected=str(bounds))
    return float(value)


def number(obj: Object, key: str, where: str, bounds: Range) -> float | None:
    value = obj.get(key)
    return None if value is None else plain_number(value, at(where, key), bounds)


def day(obj: Object, key: str, where: str) -> date | None:
    """A date, or the date of a date-time; written YYYY-MM-DD."""
    value = text(obj, key, where)
    if value is None:
        return None
    if _DAY.fullmatch(value):
        try:
            return date.fromisoformat(value[:10])
        except ValueError:
            pass
    raise BadInput(f"{shown(value)} is no date", where=at(where, key), expected="a date such as 2026-03-01")
