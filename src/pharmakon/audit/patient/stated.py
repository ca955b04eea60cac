"""What the record states: age, sex, flags, measurements with units and dates."""

from __future__ import annotations

from datetime import date, timedelta
from math import inf, nextafter

from pharmakon.audit import formulas
from pharmakon.audit.patient.draft import Draft
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Measured, Patient
from pharmakon.model.profile import Interval, Known
from pharmakon.model.units import canonical, convert
from pharmakon.model.vocabulary import factors

#: A value older than this is used and marked stale.
LOOK_BACK = {"weight": timedelta(days=365), "height": timedelta(days=3650)}
DEFAULT_LOOK_BACK = timedelta(days=100)
_UNITLESS = ("1", "ms")


def state(patient: Patient, draft: Draft, as_of: date) -> None:
    """Everything stated in `patient`, into the draft."""
    if patient.age is not None:
        draft.known["age"] = Known(Interval(*patient.age), "year", "input")
    if patient.sex:
        draft.known["sex"] = Known(frozenset({patient.sex}), source="input")
    for name in ("pregnant", "lactating", "dialysis"):
        flag: bool | None = getattr(patient, name)
        if flag is not None:
            draft.known[name] = Known(frozenset({str(flag).lower()}), source="input")
    if patient.trimester is not None:
        draft.known["trimester"] = Known(frozenset({str(patient.trimester)}), source="input")
        draft.known.setdefault("pregnant", Known(frozenset({"true"}), source="a trimester is given"))
    for name, value in patient.labs:
        _measure(name, value, draft, as_of)
    for name, measured in (("weight", patient.weight), ("height", patient.height)):
        if measured is not None:
            _measure(name, measured, draft, as_of)


def _measure(name: str, value: Measured, draft: Draft, as_of: date) -> None:
    """One value in the factor's own unit; of two, the later one counts."""
    wanted = factors()[name].unit
    try:
        number = value.value if wanted in _UNITLESS else _in_unit(name, value, wanted)
    except BadInput as error:
        if value.source in ("", "input"):
            raise error.within(f"patient, {name}") from None
        draft.assume(f"{factors()[name].label} {value.value:g} {value.unit} was not used ({value.source})", str(error))
        return
    low, high = formulas.CREATININE_PLAUSIBLE
    if name == "creatinine" and not low <= number <= high:
        slip = " (a mg/dL value entered as µmol/L?)" if "mol" in value.unit else ""
        draft.assume(
            f"creatinine {value.value:g} {value.unit} was not used",
            f"it is {number:.3g} mg/dL, outside {low:g} to {high:g} mg/dL{slip}; check the unit",
        )
        return
    earlier = draft.known.get(name)
    if earlier and earlier.dated and value.date and value.date < earlier.dated:
        return
    stale = value.date is not None and as_of - value.date > LOOK_BACK.get(name, DEFAULT_LOOK_BACK)
    source = (value.source or "input") + (f", {value.date}" if value.date else "")
    draft.known[name] = Known(_bounded(name, number, value.comparator), wanted, source, value.date, stale)


def _bounded(name: str, number: float, comparator: str) -> Interval:
    """`> 60` is everything from 60 on; a plain value is itself."""
    if comparator.startswith(">"):
        return Interval(nextafter(number, inf) if comparator == ">" else number, inf)
    if comparator.startswith("<"):
        least = formulas.CREATININE_PLAUSIBLE[0] if name == "creatinine" else 0.0
        return Interval(min(least, number), number, open_high=comparator == "<")
    return Interval(number, number)


def _in_unit(name: str, value: Measured, wanted: str) -> float:
    """The number in the factor's unit. Laboratories write an indexed eGFR as plain mL/min."""
    if wanted == "%" and not value.unit.strip():
        return value.value
    unit = canonical(value.unit)
    if name == "egfr" and unit == "mL/min":
        return value.value
    return convert(value.value, unit, wanted, analyte=name)


def infer(draft: Draft) -> None:
    """What sex and age rule out (a man, or a woman of 60 or more, is not pregnant), and the body mass index."""
    sex, age = draft.known.get("sex"), draft.interval("age")
    why = (
        "male sex" if sex and sex.value == frozenset({"male"}) else f"age {age.low:g}" if age and age.low >= 60 else ""
    )
    if why:
        for name in ("pregnant", "lactating"):
            draft.known.setdefault(name, Known(frozenset({"false"}), source=why))
    weight, height = draft.plain("weight"), draft.plain("height")
    if weight is not None and height is not None:
        index = formulas.bmi(height, weight)
        draft.known["bmi"] = Known(Interval(index, index), "kg/m2", "weight and height")
