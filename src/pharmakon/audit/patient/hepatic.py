"""Child-Pugh class: as stated, from its parts (a range of classes where some are missing), or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pharmakon.audit import formulas
from pharmakon.audit.patient.draft import Draft
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Patient
from pharmakon.model.profile import HeldCondition, Known
from pharmakon.model.units import canonical, convert

_LIVER = ConceptId("disease:liver-disease")
PARTS = ("bilirubin", "albumin", "inr", "ascites", "encephalopathy")
_UNITS = {"bilirubin": "mg/dL", "albumin": "g/dL"}


def hepatic(patient: Patient, draft: Draft, held: Sequence[HeldCondition] | None) -> None:
    """`child_pugh` as a set of classes still possible; {"none"} where the conditions hold no liver disease."""
    if patient.child_pugh:
        draft.known["child_pugh"] = Known(frozenset({patient.child_pugh}), source="input")
    elif patient.child_pugh_parts:
        draft.known["child_pugh"] = _from_parts(dict(patient.child_pugh_parts))
    elif "child_pugh" not in draft.known and held is not None and not any(_LIVER in h.ancestors for h in held):
        draft.known["child_pugh"] = Known(frozenset({"none"}), source="no liver disease among the conditions")


def _from_parts(parts: Mapping[str, str]) -> Known:
    low = high = 0
    for part in PARTS:
        points = formulas.child_pugh_points(part, _value(part, parts[part])) if part in parts else None
        low, high = low + (points or 1), high + (points or 3)
    classes = frozenset(formulas.child_pugh_class(p) for p in range(low, high + 1))
    missing = ", ".join(p for p in PARTS if p not in parts)
    points_said = f"{low} points" if low == high else f"{low} to {high} points; not given: {missing}"
    return Known(classes, source=f"Child-Pugh {points_said}")


def _value(part: str, text: str) -> float | str:
    """`2.5 mg/dL`, `43 umol/L`, `1.8`, or a word."""
    number, _, unit = text.partition(" ")
    if part not in ("bilirubin", "albumin", "inr"):
        return text
    try:
        value = float(number)
        return convert(value, canonical(unit), _UNITS[part], analyte=part) if unit and part in _UNITS else value
    except ValueError:
        raise BadInput(f"{text!r}", where=f"child_pugh, {part}", expected="a number with its unit") from None
    except BadInput as error:
        raise error.within(f"child_pugh, {part}") from None
