"""The patient of the plain form. What is absent or null is unknown; an empty list says that there is none."""

from __future__ import annotations

from datetime import date
from typing import cast

from pharmakon.adapters.interop import fields
from pharmakon.adapters.interop.codes import word_list
from pharmakon.adapters.interop.fields import Object, at
from pharmakon.adapters.interop.limits import UNITLESS, Range, lab_names, limit
from pharmakon.adapters.interop.names_as_codes import with_codes
from pharmakon.adapters.interop.plain_allergy import as_written
from pharmakon.adapters.interop.plain_order import read_codes, read_name
from pharmakon.adapters.interop.plausible import implausible
from pharmakon.adapters.interop.size import check_count
from pharmakon.adapters.interop.unit_check import check_unit
from pharmakon.model.concepts import fold
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Ailment, Allergy, Measured, Patient, Text

KEYS = (
    "age", "sex", "weight_kg", "height_cm", "creatinine", "child_pugh", "pregnant", "trimester", "lactating",
    "dialysis", "conditions", "allergies", "labs", "notes",
)  # fmt: skip
SEXES = {"female": "female", "f": "female", "male": "male", "m": "male", "other": None, "unknown": None}
PARTS = ("bilirubin", "albumin", "inr", "ascites", "encephalopathy")
ASCITES = ("none", "mild", "slight", "moderate", "severe")
COMPARATORS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "≤": "<=", "≥": ">="}
GRADES = ("none", "grade 1", "grade 2", "grade 3", "grade 4", "mild", "moderate", "severe")


def read_patient(value: object, where: str, as_of: date, remarks: list[str]) -> Patient:
    """`remarks` gets what was read but not used, or is odd; `as_of` is the day of the audit."""
    entry = fields.as_object(value, where, KEYS)
    age = fields.number(entry, "age", where, limit("patient", "age"))
    sex = fields.choice(entry, "sex", where, SEXES)
    letter, parts = _child_pugh(entry.get("child_pugh"), at(where, "child_pugh"), remarks)
    pregnant, trimester = _pregnancy(entry, where, sex, remarks)
    return Patient(
        age=None if age is None else (age, age),
        sex=SEXES[sex] if sex else None,
        weight=_measure(entry, "weight_kg", where, "kg", limit("patient", "weight")),
        height=_measure(entry, "height_cm", where, "cm", limit("patient", "height")),
        child_pugh=letter,
        child_pugh_parts=parts,
        pregnant=pregnant,
        trimester=trimester,
        lactating=fields.flag(entry, "lactating", where),
        dialysis=fields.flag(entry, "dialysis", where),
        conditions=_conditions(fields.listed(entry, "conditions", where), at(where, "conditions"), remarks),
        allergies=_allergies(fields.listed(entry, "allergies", where), at(where, "allergies"), remarks),
        labs=_labs(entry, where, as_of, remarks),
        notes=tuple(
            fields.plain_text(note, f"{at(where, 'notes')}[{i}]", "note")
            for i, note in enumerate(fields.listed(entry, "notes", where) or [])
        ),
    )


def _measure(entry: Object, key: str, where: str, unit: str, bounds: Range) -> Measured | None:
    value = fields.number(entry, key, where, bounds)
    return None if value is None else Measured(value, unit, source="input")


def _pregnancy(entry: Object, where: str, sex: str | None, remarks: list[str]) -> tuple[bool | None, int | None]:
    pregnant, trimester = fields.flag(entry, "pregnant", where), _trimester(entry, where)
    if pregnant is False and trimester is not None:
        raise BadInput(
            f"a trimester ({trimester}) is given and pregnant is false",
            where=at(where, "trimester"),
            expected="no trimester, or pregnant: true",
        )
    if sex and SEXES[sex] == "male" and (pregnant or trimester is not None):
        remarks.append(f"{where}: it says male and pregnant; both are used, check which is meant")
    return pregnant, trimester


def _trimester(entry: Object, where: str) -> int | None:
    value = fields.number(entry, "trimester", where, Range(1, 3, open_low=False))
    if value is not None and value != int(value):
        raise BadInput(f"{value:g} is no trimester", where=at(where, "trimester"), expected="1, 2 or 3")
    return None if value is None else int(value)


def _conditions(entries: list[object] | None, where: str, remarks: list[str]) -> tuple[Ailment, ...] | None:
    """None where all that was written leaves it open; empty where it says that there are none."""
    if entries is None:
        return None
    check_count("conditions", len(entries), where)
    names = [with_codes(read_name(entry, f"{where}[{i}]")) for i, entry in enumerate(entries)]
    none = [n for n in names if fold(n.text) in word_list("no_known_condition")]
    open_ones = [n for n in names if fold(n.text) in word_list("not_recorded")]
    remarks += [f"{where}: “{n.text}” leaves open whether there is a condition" for n in open_ones]
    found = tuple(Ailment(n) for n in names if n not in none and n not in open_ones)
    if found and none:
        remarks.append(f"{where}: it says both that there are none and that there is one; the conditions are audited")
    return found if found or none or not names else None


def _allergies(entries: list[object] | None, where: str, remarks: list[str]) -> tuple[Allergy, ...] | None:
    if entries is None:
        return None
    check_count("allergies", len(entries), where)
    return as_written([_allergy(entry, f"{where}[{i}]") for i, entry in enumerate(entries)], where, remarks)


def _allergy(value: object, where: str) -> Allergy:
    if not isinstance(value, dict) or "text" in value:
        return Allergy(with_codes(read_name(value, where)))
    entry = fields.as_object(value, where, ("substance", "reaction", "severity", "kind", "codes"))
    substance = entry.get("substance")
    codes = read_codes(entry, where)
    if substance is None and not codes:
        raise BadInput(
            "the substance is missing", where=where, expected="substance, and reaction, severity, kind where known"
        )
    named = (
        Text(f"{codes[0].system} {codes[0].value}")
        if substance is None
        else read_name(substance, at(where, "substance"))
    )
    return Allergy(
        Text(named.text, named.codes + codes),
        kind=fields.choice(entry, "kind", where, ("allergy", "intolerance", "unknown")) or "unknown",
        reaction=fields.text(entry, "reaction", where) or "",
        severity=fields.text(entry, "severity", where) or "",
    )


def _labs(entry: Object, where: str, as_of: date, remarks: list[str]) -> tuple[tuple[str, Measured], ...]:
    """Newest last; a value without a date counts as current, so it stands after the dated ones.

    What no living patient has is said and left out; what is dated after the audit is said and used.
    """
    found: list[tuple[str, Measured]] = []
    if entry.get("creatinine") is not None:
        found.append(("creatinine", _lab("creatinine", entry["creatinine"], at(where, "creatinine"))))
    if entry.get("labs") is not None:
        place = at(where, "labs")
        for name, value in fields.as_object(entry["labs"], place, lab_names()).items():
            if value is None:
                continue
            several = value if isinstance(value, list) else [value]
            for i, item in enumerate(several):
                spot = f"{at(place, name)}[{i}]" if isinstance(value, list) else at(place, name)
                found.append((name, _lab(name, item, spot)))
    kept = [(name, value) for name, value in found if _plausible(name, value, where, remarks)]
    for name, value in kept:
        if value.date and value.date > as_of:
            remarks.append(f"{where}: {name} is dated {value.date}, after the audit's date {as_of}; it is used")
    return tuple(sorted(kept, key=lambda pair: pair[1].date or date.max))


def _plausible(name: str, value: Measured, where: str, remarks: list[str]) -> bool:
    expected = implausible(name, value)
    if expected:
        written = f"{name} {value.comparator}{value.value:g} {value.unit}"
        remarks.append(f"{where}: {written} is implausible, not used; expected {expected}")
    return not expected


def _lab(name: str, value: object, where: str) -> Measured:
    if name in UNITLESS and isinstance(value, (int, float)) and not isinstance(value, bool):
        return Measured(fields.plain_number(value, where, limit("lab", name)), "1", source="input")
    entry = fields.as_object(value, where, ("value", "unit", "date", "comparator"))
    sign = fields.choice(entry, "comparator", where, COMPARATORS)
    bound = COMPARATORS[sign] if sign else ""
    amount = fields.number(entry, "value", where, limit("lab", name))
    written = entry.get("unit")
    blank = isinstance(written, str) and not written.strip()
    unit = None if blank and name in UNITLESS else fields.text(entry, "unit", where)
    if amount is not None and unit is None and name in UNITLESS:
        return Measured(amount, "1", fields.day(entry, "date", where), "input", bound)
    if amount is None or unit is None:
        missing = "value" if amount is None else "unit"
        raise BadInput(f"the {missing} is missing", where=where, expected="value and unit")
    unit = check_unit(unit, where=at(where, "unit"))
    return Measured(amount, unit, fields.day(entry, "date", where), "input", bound)


def _child_pugh(value: object, where: str, remarks: list[str]) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """The letter, or the components as written: `(("bilirubin", "2.5 mg/dL"), ("ascites", "mild"))`."""
    if value is None:
        return None, ()
    if isinstance(value, str):
        letter = value.strip().upper()
        if letter not in {"A", "B", "C"}:
            raise BadInput(
                f"{fields.shown(value)} is no Child-Pugh class", where=where, expected="A, B, C or the components"
            )
        return letter, ()
    entry = fields.as_object(value, where, PARTS)
    parts: list[tuple[str, str]] = []
    for name in PARTS:
        given = entry.get(name)
        if given is None:
            continue
        place = at(where, name)
        if name in {"ascites", "encephalopathy"}:
            parts.append((name, _grade(name, given, entry, where)))
        else:
            lab = _lab(name, given, place)
            if lab.comparator:
                raise BadInput("a bound gives no points", where=at(place, "comparator"), expected="a value")
            if _plausible(name, lab, where, remarks):
                parts.append((name, f"{lab.value:.12g} {lab.unit}" if name not in UNITLESS else f"{lab.value:.12g}"))
    return None, tuple(parts)


def _grade(name: str, given: object, entry: Object, where: str) -> str:
    if name == "encephalopathy" and isinstance(given, (int, float)) and not isinstance(given, bool):
        grade = fields.plain_number(given, at(where, name), Range(0, 4, open_low=False))
        if grade != int(grade):
            raise BadInput(f"{grade:g} is no grade", where=at(where, name), expected="none or grade 1 to 4")
        return f"grade {int(grade)}" if grade else "none"
    return cast("str", fields.choice(entry, name, where, ASCITES if name == "ascites" else GRADES))
