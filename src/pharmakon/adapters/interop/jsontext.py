"""Bytes to JSON values, with every way it can go wrong told in one line.

Stricter than `json.loads`: a name written twice in one object, NaN, Infinity, numbers beyond a double, lone surrogates
and absurd nesting are refused, because each of them lets two readers of one file see two different prescriptions.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import BinaryIO, NoReturn

from pharmakon.model.errors import BadInput

SIZE_CAP = 50 * 1024 * 1024  #: bytes of one input
DEPTH_CAP = 100  #: levels of nesting; real FHIR stays below 20

_NAN = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)')
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def read_capped(stream: BinaryIO, *, name: str, cap: int = SIZE_CAP) -> bytes:
    """All of `stream`, or BadInput when it is longer than `cap` bytes; never holds more than `cap` + 1 of them."""
    data = stream.read(cap + 1)
    check_size(data, name=name, cap=cap)
    return data


def check_size(data: bytes, *, name: str, cap: int = SIZE_CAP) -> None:
    if len(data) > cap:
        raise BadInput("the input is too large", where=name, expected=f"at most {cap / 1024 / 1024:g} MB")


def decode(data: bytes, *, name: str) -> str:
    """UTF-8, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # utf-8-sig counts from after the mark, a person looks at the file
        offset = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        byte = data[offset : offset + 1].hex()
        raise BadInput(f"byte 0x{byte} at offset {offset} is no UTF-8", where=name, expected="UTF-8 text") from None


def parse_json(text: str, *, name: str) -> object:
    """The one JSON value `text` holds.

    >>> parse_json('{"age": 82}', name="a.json")
    {'age': 82}
    """

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(items)
        if len(found) < len(items):
            counted = Counter(key for key, _ in items)
            twice = next(key for key, _ in items if counted[key] > 1)
            raise BadInput(f"the key {twice[:60]!r} stands twice in one object", where=name, expected="each key once")
        return found

    def whole(digits: str) -> int:
        if len(digits) > 20:
            raise BadInput(f"the number {digits[:20]}… is too long", where=name, expected="a number of measure")
        return int(digits)

    def fraction(digits: str) -> float:
        value = float(digits)
        if not math.isfinite(value):
            raise BadInput(f"the number {digits[:20]} is too large", where=name, expected="a finite number")
        return value

    def constant(_: str) -> NoReturn:
        found = next(m for m in _NAN.finditer(text) if m[1])
        line = text.count("\n", 0, found.start()) + 1
        raise BadInput(f"{found[1]} is no number", where=f"{name}, line {line}", expected="a finite number")

    if text.startswith("\ufeff"):  # `decode` has taken one off already
        raise BadInput("a second byte order mark stands at its beginning", where=name, expected="UTF-8 text")
    try:
        value: object = json.loads(
            text, object_pairs_hook=pairs, parse_int=whole, parse_float=fraction, parse_constant=constant
        )
    except json.JSONDecodeError as error:
        where = f"{name}, line {error.lineno} column {error.colno}"
        if not text.strip():
            raise BadInput("there is nothing in it", where=name, expected="one JSON document") from None
        if error.msg == "Extra data":
            raise BadInput(
                "a second document begins here", where=where, expected="one JSON document (NDJSON is read as a batch)"
            ) from None
        ended = error.pos >= len(text.rstrip())
        what = "the JSON breaks off" if ended else f"this is no JSON ({error.msg[:1].lower()}{error.msg[1:]})"
        raise BadInput(what, where=where, expected="valid JSON") from None
    except RecursionError:
        raise _too_deep(name) from None
    _check_values(value, name, surrogates=bool(_SURROGATE_ESCAPE.search(text)))
    return value


def _too_deep(name: str) -> BadInput:
    return BadInput("the JSON is nested too deeply", where=name, expected=f"at most {DEPTH_CAP} levels")


def _check_values(value: object, name: str, *, surrogates: bool) -> None:
    level: list[object] = [value]
    for _ in range(DEPTH_CAP + 1):
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
                if surrogates:
                    _check_texts(item, name)
            elif isinstance(item, list):
                below.extend(item)
        if surrogates:
            _check_texts(level, name)
        if not below:
            return
        level = below
    raise _too_deep(name)


def _check_texts(items: Iterable[object], name: str) -> None:
    for item in items:
        if isinstance(item, str) and any("\ud800" <= c <= "\udfff" for c in item):
            raise BadInput("half a surrogate pair stands in a text", where=name, expected="valid Unicode")
