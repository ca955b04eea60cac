"""Laboratory values that no living patient has: a slip of the point or the unit, told and not used."""

from __future__ import annotations

from pharmakon.adapters.interop.limits import limit
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Measured
from pharmakon.model.units import canonical, convert, is_unit
from pharmakon.model.vocabulary import seeded


def implausible(name: str, value: Measured) -> str:
    """What is expected of the laboratory value `name` where this one can't be; empty where it can.

    Of a bound ("> 60") only the side that it leaves closed counts. A unit that can't be compared is no judgement here.
    """
    if not seeded(name):
        return ""
    bounds = limit("plausible", name)
    if not is_unit(value.unit):
        return ""
    if bounds.unit == "" and canonical(value.unit) != "1":
        return f"{bounds} without a unit"
    number = _in_unit(name, value, bounds.unit)
    if number is None:
        return ""
    low = not value.comparator.startswith(">") and number < bounds.low
    high = not value.comparator.startswith("<") and number > bounds.high
    return str(bounds) if low or high else ""


def _in_unit(name: str, value: Measured, wanted: str) -> float | None:
    if wanted == "" or (name == "egfr" and canonical(value.unit) == "mL/min"):  # half of its unit is often left out
        return value.value
    try:
        return convert(value.value, value.unit, wanted, analyte=name)
    except BadInput:
        return None
