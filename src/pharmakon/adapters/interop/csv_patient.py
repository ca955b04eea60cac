"""The one patient that all rows of a CSV group tell of.

A file with one row per order repeats the patient, or spreads the record over the rows (one condition in each). So lists
are put together, a value may stand in any row, and two values for one field are no patient: the group is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from pharmakon.adapters.interop.codes import code
from pharmakon.adapters.interop.csv_cells import cell_of, columns, number_of
from pharmakon.adapters.interop.csv_mapping import CsvMapping, Row, Rows
from pharmakon.adapters.interop.limits import Range, lab_names, limit
from pharmakon.adapters.interop.names_as_codes import with_codes
from pharmakon.adapters.interop.plain_allergy import as_written
from pharmakon.adapters.interop.plausible import implausible
from pharmakon.model.concepts import fold
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Ailment, Allergy, Measured, Patient, Text

_T = TypeVar("_T")
_TRUTH = {"true": True, "yes": True, "y": True, "1": True, "false": False, "no": False, "n": False, "0": False}


def read_patient(rows: Rows, mapping: CsvMapping, file: str, remarks: list[str]) -> Patient:
    """`rows` are the group's rows of `file`; BadInput where a cell can't be read or two rows contradict each other."""

    def one(field: str, read: Callable[[str, str], _T | None]) -> _T | None:
        return _one(field, read, rows, mapping, file)

    def number(field: str, bounds: Range) -> float | None:
        return one(field, lambda cell, where: number_of(cell, where, bounds))

    age = number("age", limit("patient", "age"))
    weight, height = limit("patient", "weight"), limit("patient", "height")
    conditions = _names("conditions", rows, mapping, remarks)
    allergies = _names("allergies", rows, mapping, remarks)
    return Patient(
        age=None if age is None else (age, age),
        sex=one("sex", _sex),
        weight=_measured(number("weight_kg", weight), weight.unit),
        height=_measured(number("height_cm", height), height.unit),
        pregnant=one("pregnant", _truth),
        conditions=None if conditions is None else tuple(Ailment(c) for c in conditions),
        allergies=None if allergies is None else as_written([Allergy(a) for a in allergies], "allergies", remarks),
        labs=tuple(_labs({k: number(k, limit("lab", k)) for k in lab_names()}, mapping, remarks)),
        notes=tuple(dict.fromkeys(n for _, row in rows if (n := cell_of("notes", mapping.patient, row, mapping)))),
    )


def _one(
    field: str, read: Callable[[str, str], _T | None], rows: Rows, mapping: CsvMapping, file: str
) -> _T | None:  # fmt: skip
    """The value of a field of which a patient has one, wherever it stands."""
    found: _T | None = None
    first = 0
    for line, row in rows:
        cell = cell_of(field, mapping.patient, row, mapping)
        value = None if cell is None else read(cell, f"{file}, line {line}, {field}")
        if value is None or value == found:
            continue
        if found is not None:
            names = ", ".join(columns(mapping.patient[field]))
            raise BadInput(
                f"{field} (column {names}) is {_shown(found)} in line {first} and {_shown(value)} in line {line}",
                where=file,
                expected="one patient in all rows of a group",
            )
        found, first = value, line
    return found


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _sex(cell: str, where: str) -> str | None:
    if cell not in {"female", "male", "other", "unknown"}:
        raise BadInput(
            f"{cell!r} is no sex", where=where, expected="female, male, other or unknown; map it with values"
        )
    return cell if cell in {"female", "male"} else None


def _truth(cell: str, where: str) -> bool:
    if cell.casefold() not in _TRUTH:
        raise BadInput(f"{cell!r} is neither yes nor no", where=where, expected="true or false")
    return _TRUTH[cell.casefold()]


def _names(field: str, rows: Rows, mapping: CsvMapping, remarks: list[str]) -> list[Text] | None:
    """Each name once, in the order of the rows. None: no row says anything; empty: one says that there are none."""
    told = [names for _, row in rows if (names := _names_in(field, row, mapping)) is not None]
    if not told:
        return None
    once: dict[object, Text] = {}
    for name in (name for names in told for name in names):
        once.setdefault((fold(name.text), name.codes), name)
    if once and [] in told:
        remarks.append(f"{field}: one row says that there are none and another names one; what is named is audited")
    return list(once.values())


def _names_in(field: str, row: Row, mapping: CsvMapping) -> list[Text] | None:
    rule, cell = mapping.patient.get(field), cell_of(field, mapping.patient, row, mapping)
    if rule is None or cell is None:
        return None
    if cell.casefold() in rule.none:
        return []
    parts = [p.strip() for p in (cell.split(rule.split) if rule.split else [cell]) if p.strip()]
    return [Text(f"{rule.system} {p}", (code(rule.system, p),)) if rule.system else with_codes(Text(p)) for p in parts]


def _labs(
    values: dict[str, float | None], mapping: CsvMapping, remarks: list[str]
) -> Iterable[tuple[str, Measured]]:  # fmt: skip
    for name, number in values.items():
        value = _measured(number, mapping.patient[name].unit if name in mapping.patient else "")
        if value is None:
            continue
        expected = implausible(name, value)
        if expected:
            remarks.append(f"{name} {value.value:g} {value.unit} is implausible, not used; expected {expected}")
        else:
            yield name, value


def _measured(value: float | None, unit: str) -> Measured | None:
    return None if value is None else Measured(value, unit, source="input")
