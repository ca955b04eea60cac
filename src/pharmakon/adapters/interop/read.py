"""Bytes of any form we know → Prescription; and NDJSON or CSV, one result per line or group, in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import BinaryIO

from pharmakon.adapters.interop.cds_hooks import is_hooks_request, read_hooks
from pharmakon.adapters.interop.csv_mapping import CsvMapping
from pharmakon.adapters.interop.csv_orders import read_csv
from pharmakon.adapters.interop.fhir import read_fhir
from pharmakon.adapters.interop.jsontext import SIZE_CAP, check_size, decode, parse_json, read_capped
from pharmakon.adapters.interop.plain import read_plain
from pharmakon.adapters.interop.size import bounded
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Prescription

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Result:
    """One line of a batch (`number` counts from 1) or one group of a CSV file (`key`)."""

    number: int
    key: str
    value: Prescription | BadInput


def read_prescription(
    data: bytes, *, name: str, today: date, mapping: CsvMapping | None = None, cap: int = SIZE_CAP
) -> Prescription:
    """The plain form, a FHIR Bundle, resource or list of resources, a CDS Hooks request; CSV where `mapping` is given.

    `name` stands in front of every complaint. Raises BadInput and nothing else.
    """
    check_size(data, name=name, cap=cap)
    text = decode(data, name=name)
    if mapping is not None:
        return _only_one(list(read_csv(text, mapping, name=name, today=today)), name)
    return _read_text(text, name, today)


def read_batch(
    stream: BinaryIO, *, name: str, today: date, mapping: CsvMapping | None = None, cap: int = SIZE_CAP
) -> Iterator[Result]:
    """NDJSON: one result per line; blank lines at the end are none. CSV: one per group of the mapping.

    A line that can't be read, or is blank, yields its BadInput in place. One longer than `cap` bytes is skipped without
    being held.
    """
    if mapping is not None:
        text = decode(read_capped(stream, name=name, cap=cap), name=name)
        for number, (key, value) in enumerate(read_csv(text, mapping, name=name, today=today), 1):
            yield Result(number, key, _bounded(value, f"{name}, {key}" if key else name))
        return
    answered = 0
    for number, line in enumerate(_lines(stream, cap), 1):
        place = f"{name}, line {number}"
        if isinstance(line, bytes) and not line.strip(b" \t\r\n\xef\xbb\xbf"):
            continue
        for blank in range(answered + 1, number):
            spot = f"{name}, line {blank}"
            yield Result(blank, "", BadInput("the line is blank", where=spot, expected="one prescription per line"))
        answered = number
        try:
            if line is None:
                raise BadInput("the line is too large", where=place, expected=f"at most {cap / 1024 / 1024:g} MB")
            yield Result(number, "", _read_text(decode(line, name=place), place, today))
        except BadInput as error:
            yield Result(number, "", error)


def _lines(stream: BinaryIO, cap: int) -> Iterator[bytes | None]:
    """Lines by their line feed; None for one that is longer than `cap`."""
    while line := stream.readline(cap + 1):
        if len(line) <= cap or line.endswith(b"\n"):
            yield line
            continue
        while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
            pass
        yield None


def _read_text(text: str, name: str, today: date) -> Prescription:
    start = text.lstrip()[:1]
    if start == "<":
        raise BadInput("this looks like XML", where=name, expected="JSON: the plain form, FHIR or a CDS Hooks request")
    if start not in {"{", "["} and start and name.lower().endswith((".csv", ".tsv")):
        raise BadInput(
            "a CSV file needs a mapping", where=name, expected="--mapping FILE, which says what the columns are"
        )
    value = parse_json(text, name=name)
    if is_hooks_request(value):
        return bounded(read_hooks(value, name=name, today=today), name)
    if isinstance(value, list) or (isinstance(value, dict) and "resourceType" in value):
        return bounded(read_fhir(value, name=name, today=today), name)
    return bounded(read_plain(value, name=name, today=today), name)


def _bounded(value: Prescription | BadInput, name: str) -> Prescription | BadInput:
    try:
        return value if isinstance(value, BadInput) else bounded(value, name)
    except BadInput as error:
        return error


def _only_one(results: list[tuple[str, Prescription | BadInput]], name: str) -> Prescription:
    if len(results) != 1:
        raise BadInput(f"it holds {len(results)} prescriptions", where=name, expected="one, or a batch")
    value = results[0][1]
    if isinstance(value, BadInput):
        raise value
    return bounded(value, name)
