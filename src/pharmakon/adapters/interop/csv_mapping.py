"""The mapping file that says what the columns of a CSV file are. TOML:

    [file]
    delimiter = ","            optional, one character
    group = "stay"             column whose value tells prescriptions apart; absent: the whole file is one
    epoch = 2000-01-01         where dates are day numbers, the date of day 0
    date_format = "%d-%m-%Y"   optional; dates are YYYY-MM-DD otherwise
    missing = ["NULL"]         cells that mean "not recorded"; the empty cell always does

    [patients]                 optional: a second file with the patient of each group
    file = "stays.csv"         beside the orders, or beside the mapping
    key = "stay"               its column that holds the group

    [order] and [patient]      field = rule, where a rule is one of
      "column"                                       the cell as it is
      { column = "sex", values = { F = "female" } }  the cell through a table; `else = "…"` for all others
      { const = "oral" }                             the same for every row
      { text = "{drug} {strength}" }                 cells put together; one space between, what is empty falls out

Order fields: drug (required), codes, dose, frequency, route, duration_days, indication, sig, status, start, end, note.
`codes` is a list of `{ column, system, skip = ["0"] }`; `dose` a list of `{ amount, unit }`, the first readable one is
taken, and an amount may be a range ("325-650"), have thousands separators or its unit behind it; `note` is kept in the
order's source.

Patient fields: age, sex, weight_kg, height_cm, pregnant, conditions, allergies, notes, and every laboratory value of
the plain form. Conditions and allergies take `{ column, split, system = "icd9" }`: with a system the parts are codes,
without one they are names. `none = ["none"]` are words that say "there are none". A laboratory value takes its unit:
`creatinine = { column = "krea", unit = "umol/L" }`.

All rows of a group tell of one patient. Conditions, allergies and notes of all rows count; any other value may stand in
any row, but not two values of one field.
"""

from __future__ import annotations

import csv
import difflib
import io
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from pharmakon.adapters.interop.jsontext import decode, read_capped
from pharmakon.adapters.interop.limits import UNITLESS, lab_names
from pharmakon.adapters.interop.unit_check import check_unit
from pharmakon.model.errors import BadInput

Row = Mapping[str, str]
Rows = Sequence[tuple[int, Row]]
"""Rows with the numbers of their lines."""

_FILE = ("delimiter", "group", "epoch", "date_format", "missing")
_ORDER = (
    "drug", "codes", "dose", "frequency", "route", "duration_days", "indication", "sig", "status", "start", "end",
    "note",
)  # fmt: skip
_PATIENT = ("age", "sex", "weight_kg", "height_cm", "pregnant", "conditions", "allergies", "notes")
_RULE = ("column", "values", "else", "const", "text", "split", "system", "none", "unit")


@dataclass(frozen=True, slots=True)
class Rule:
    """Where a field's text comes from."""

    column: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    otherwise: str | None = None
    const: str | None = None
    text: str = ""
    split: str = ""
    system: str = ""
    none: tuple[str, ...] = ()
    unit: str = ""  #: of a laboratory value


@dataclass(frozen=True, slots=True)
class CsvMapping:
    name: str
    order: Mapping[str, Rule]
    patient: Mapping[str, Rule]
    codes: tuple[tuple[str, str, tuple[str, ...]], ...]  #: column, system, cells to skip
    doses: tuple[tuple[str, str], ...]  #: amount column, unit column
    group: str = ""
    delimiter: str = ","
    epoch: date | None = None
    date_format: str = ""
    missing: frozenset[str] = frozenset({""})
    patients: Mapping[str, Rows] | None = None  #: group → its rows of the second file
    patients_file: str = ""


def load_mapping(path: Path, *, beside: Path | None = None) -> CsvMapping:
    """The mapping at `path`, with its second file read from the folder `beside` (where the orders are) or its own."""
    name = path.name
    try:
        text = decode(path.read_bytes(), name=name)
    except OSError as error:
        raise BadInput(f"the mapping can't be read ({error.strerror})", where=str(path)) from None
    return read_mapping(text, name=name, folders=[f for f in (beside, path.parent) if f])


def read_mapping(text: str, *, name: str, folders: list[Path]) -> CsvMapping:
    """The mapping a TOML text holds; its second file is looked for in `folders`, in their order."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"this is no TOML ({error})", where=name) from None
    return mapping_of(data, name=name, folders=folders)


def mapping_of(data: Mapping[str, Any], *, name: str, folders: list[Path]) -> CsvMapping:
    """The same from a table that is read already."""
    _known(data, ("file", "patients", "order", "patient"), name, "")
    file, order, patient = _section(data, "file", name), _section(data, "order", name), _section(data, "patient", name)
    _known(file, _FILE, name, "file")
    _known(order, _ORDER, name, "order")
    _known(patient, (*_PATIENT, *lab_names()), name, "patient")
    if "drug" not in order:
        raise BadInput("no column is named for the drug", where=f"{name}, order.drug", expected='drug = "column"')
    delimiter = str(file.get("delimiter", ","))
    if len(delimiter) != 1:
        raise BadInput(f"{delimiter!r} is no delimiter", where=f"{name}, file.delimiter", expected="one character")
    epoch = file.get("epoch")
    if isinstance(epoch, datetime):
        epoch = epoch.date()
    if epoch is not None and not isinstance(epoch, date):
        raise BadInput(f"{epoch!r} is no date", where=f"{name}, file.epoch", expected="a date such as 2000-01-01")
    missing = frozenset({"", *_texts(file.get("missing"), f"{name}, file.missing")})
    return CsvMapping(
        name=name,
        order={k: _rule(v, f"{name}, order.{k}") for k, v in order.items() if k not in {"codes", "dose"}},
        patient={k: _patient_rule(k, v, f"{name}, patient.{k}") for k, v in patient.items()},
        codes=tuple(_code(row, name) for row in _rows(order.get("codes", []), f"{name}, order.codes")),
        doses=tuple(_dose(row, name) for row in _rows(order.get("dose", []), f"{name}, order.dose")),
        group=str(file.get("group", "")),
        delimiter=delimiter,
        epoch=epoch,
        date_format=str(file.get("date_format", "")),
        missing=missing,
        patients=_patients(data.get("patients"), name, delimiter, folders),
        patients_file=str(_section(data, "patients", name).get("file", "")),
    )


def rows_of(text: str, delimiter: str, name: str) -> list[tuple[int, dict[str, str]]]:
    """`(line number, row)` of a CSV text with a header line; a row of another length is refused."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    found: list[tuple[int, dict[str, str]]] = []
    try:
        header = [h.strip() for h in next(reader, [])]
        twice = next((h for h in header if header.count(h) > 1), None)
        if twice is not None or not header:
            what = f"the column {twice!r} stands twice" if header else "there is no header line"
            raise BadInput(what, where=name, expected="a header line that names each column once")
        for cells in reader:
            if not any(c.strip() for c in cells):
                continue
            if len(cells) != len(header):
                raise BadInput(
                    f"the row has {len(cells)} cells",
                    where=f"{name}, line {reader.line_num}",
                    expected=f"{len(header)}",
                )
            found.append((reader.line_num, dict(zip(header, (c.strip() for c in cells), strict=True))))
    except csv.Error as error:
        raise BadInput(f"this is no CSV ({error})", where=f"{name}, line {reader.line_num}") from None
    return found


def _patients(given: object, name: str, delimiter: str, folders: list[Path]) -> dict[str, Rows] | None:
    if given is None:
        return None
    table = given if isinstance(given, dict) else {}
    _known(table, ("file", "key"), name, "patients")
    file, key = str(table.get("file", "")), str(table.get("key", ""))
    if not file or not key or Path(file).name != file:
        raise BadInput("the second file is not named", where=f"{name}, patients", expected="file (a bare name) and key")
    path = next((folder / file for folder in folders if (folder / file).is_file()), None)
    if path is None:
        places = ", ".join(str(f) for f in folders)
        raise BadInput(f"{file} is not there", where=f"{name}, patients.file", expected=f"a file in {places}")
    with path.open("rb") as stream:
        rows = rows_of(decode(read_capped(stream, name=file), name=file), delimiter, file)
    if rows and key not in rows[0][1]:
        raise BadInput(f"{file} has no column {key!r}", where=f"{name}, patients.key", expected=", ".join(rows[0][1]))
    found: dict[str, list[tuple[int, Row]]] = {}
    for line, row in rows:
        found.setdefault(row[key], []).append((line, row))
    return {group: tuple(members) for group, members in found.items()}


def _known(table: Mapping[str, Any], allowed: tuple[str, ...], name: str, section: str) -> None:
    for key in table:
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, n=1)
            place = f"{name}, {section}" if section else name
            raise BadInput(
                f"unknown key {key!r}", where=place, expected=near[0] if near else f"one of {', '.join(allowed)}"
            )


def _section(data: Mapping[str, Any], key: str, name: str) -> Mapping[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise BadInput("this is no table", where=f"{name}, {key}", expected=f"[{key}]")
    return value


def _texts(value: object, where: str) -> tuple[str, ...]:
    if value is not None and not isinstance(value, list):
        raise BadInput("this is no list", where=where, expected='such as ["NULL"]')
    return tuple(str(item) for item in value or ())


def _rows(value: object, where: str) -> list[Mapping[str, Any]]:
    rows = value if isinstance(value, list) else [value]
    tables: list[Mapping[str, Any]] = [row for row in rows if isinstance(row, dict)]
    if len(tables) < len(rows):
        raise BadInput("this is no list of tables", where=where, expected="such as [{ amount = …, unit = … }]")
    return tables


def _code(row: Mapping[str, Any], name: str) -> tuple[str, str, tuple[str, ...]]:
    _known(row, ("column", "system", "skip"), name, "order.codes")
    if not row.get("column") or not row.get("system"):
        raise BadInput("a code needs both", where=f"{name}, order.codes", expected="column and system")
    return str(row["column"]), str(row["system"]), _texts(row.get("skip"), f"{name}, order.codes.skip")


def _dose(row: Mapping[str, Any], name: str) -> tuple[str, str]:
    _known(row, ("amount", "unit"), name, "order.dose")
    if not row.get("amount") or not row.get("unit"):
        raise BadInput("a dose needs both", where=f"{name}, order.dose", expected="amount and unit, two columns")
    return str(row["amount"]), str(row["unit"])


def _patient_rule(field: str, value: object, where: str) -> Rule:
    rule = _rule(value, where, _RULE)
    if field not in lab_names():
        if rule.unit:
            raise BadInput("this takes no unit", where=f"{where}, unit", expected="a unit for a laboratory value only")
        return rule
    if not rule.unit and field not in UNITLESS:
        raise BadInput("the unit is missing", where=where, expected='such as { column = "…", unit = "umol/L" }')
    return replace(rule, unit=check_unit(rule.unit or "1", where=f"{where}, unit"))


def _rule(value: object, where: str, allowed: tuple[str, ...] = _RULE[:-1]) -> Rule:
    if isinstance(value, str):
        return Rule(column=value)
    if not isinstance(value, dict):
        raise BadInput(f"{value!r} is no rule", where=where, expected="a column's name or a table")
    _known(value, allowed, where, "")
    if sum(key in value for key in ("column", "const", "text")) != 1:
        raise BadInput("the rule is not clear", where=where, expected="one of column, const or text")
    values = value.get("values", {})
    if not isinstance(values, dict):
        raise BadInput("this is no table", where=f"{where}, values", expected='such as { F = "female" }')
    return Rule(
        column=str(value.get("column", "")),
        values={str(k): str(v) for k, v in values.items()},
        otherwise=None if "else" not in value else str(value["else"]),
        const=None if "const" not in value else str(value["const"]),
        text=str(value.get("text", "")),
        split=str(value.get("split", "")),
        system=str(value.get("system", "")),
        unit=str(value.get("unit", "")).strip(),
        none=tuple(n.casefold() for n in _texts(value.get("none"), f"{where}, none")),
    )
