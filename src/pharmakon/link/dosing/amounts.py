"""What an order amounts to: one dose, a day and a week, each as a range in the ingredient's own unit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from pharmakon.model.dosing import Part
from pharmakon.model.prescription import Amount, Timing
from pharmakon.model.units import canonical, convert, dimension, is_unit

#: amounts of a substance, as against what a hand or a spoon counts
_SUBSTANCE = ("mass", "activity", "equivalents", "amount")


@dataclass(frozen=True, slots=True)
class Exposure:
    """Ranges in one unit, or None with the reason in `why` (one sentence; empty where all three are known)."""

    single: Amount | None = None
    daily: Amount | None = None
    weekly: Amount | None = None
    why: str = ""


def _times(amount: Amount, low: float, high: float) -> Amount:
    return Amount(amount.low * low, amount.high * high, amount.unit)


def _converted(amount: Amount, unit: str) -> Amount:
    return Amount(convert(amount.low, amount.unit, unit), convert(amount.high, amount.unit, unit), canonical(unit))


def _of_strength(amount: Amount, strength: Amount, per: str) -> Amount | str:
    """`amount` counted in `per` → the ingredient. A patch that releases by the hour gives its amount in a day."""
    counted, kind = dimension(amount.unit), dimension(strength.unit) if strength.unit != "%" else "percent"
    if kind == "percent":
        if counted == "volume":  # percent weight in volume: grams in 100 mL (USP general notices 8.140)
            in_ml = _converted(amount, "mL")
            return Amount(in_ml.low * strength.low * 10, in_ml.high * strength.high * 10, "mg")
        return f"a strength in percent does not tell how much is in {amount.high:g} {amount.unit}"
    unit = canonical(strength.unit)
    if per in ("mg", "g") and counted == "mass":  # grams of a cream, not of its ingredient
        scaled = _converted(amount, per)
        return Amount(scaled.low * strength.low, scaled.high * strength.high, unit)
    if counted == kind:
        return _converted(amount, unit)
    if per == "mL" and counted == "volume":
        scaled = _converted(amount, "mL")
        return Amount(scaled.low * strength.low, scaled.high * strength.high, unit)
    if counted == "count" and per in ("piece", "hour", "day"):
        hours = 24.0 if per == "hour" else 1.0
        return Amount(amount.low * strength.low * hours, amount.high * strength.high * hours, unit)
    return f"{amount.unit} can't be turned into {unit} with a strength in {strength.unit} per {per}"


def in_ingredient(amount: Amount, part: Part) -> Amount | str:
    """An ordered amount as an amount of one ingredient, or the reason why it can't be known.

    "2 tablets" of 5 mg → 10 mg; "10 mL" of 2 mg per mL → 20 mg; "10 mL" of 1 % → 100 mg; "500 mg" stays as it is.
    A patch whose strength is per hour gives what it releases in a day.
    """
    if not is_unit(amount.unit):
        return f"the unit {amount.unit!r} is not known"
    kind = dimension(amount.unit)
    if kind.startswith(tuple(f"{substance}/" for substance in _SUBSTANCE)):
        return f"a dose in {amount.unit} needs the patient's measures"
    if part.strength is None:
        if kind in _SUBSTANCE:
            return _converted(amount, amount.unit)
        return f"how much of the ingredient is in one {amount.unit} is not known"
    if not is_unit(part.strength.unit):
        return f"the unit {part.strength.unit!r} of the strength is not known"
    return _of_strength(amount, part.strength, part.per)


def agreed(dose: Amount, restated: Amount, part: Part) -> tuple[Amount, str]:
    """The dose to count with where it is written in two units (`Sig.dose`, `Sig.restated`), and what to tell of it.

    "2 tablets (20 mg)" of 10 mg agree, and so do "2 tablets (500 mg)" of 500 mg, where the mass is that of one tablet;
    of 5 mg they are 10 mg or 20 mg: the higher counts, and the sentence says so. Empty where nothing disagrees or the
    two can't be compared.
    """
    one, other = in_ingredient(dose, part), in_ingredient(restated, part)
    if isinstance(one, str) or isinstance(other, str) or dimension(one.unit) != dimension(other.unit):
        return dose, ""
    highs = one.high, convert(other.high, other.unit, one.unit)
    if math.isclose(*highs, rel_tol=1e-6):
        return dose, ""
    higher = dose if highs[0] >= highs[1] else restated
    counted, mass = (dose, other) if dimension(dose.unit) == "count" else (restated, one)
    if part.strength and part.per == "piece" and dimension(part.strength.unit) == dimension(mass.unit):
        each = convert(part.strength.high, part.strength.unit, mass.unit)
        if counted.high > 1 and math.isclose(mass.high, each, rel_tol=1e-6):
            return counted, ""
    unit = one.unit
    return higher, f"two doses are written: {highs[0]:g} {unit} and {highs[1]:g} {unit}; the higher counts"


def _often(timing: Timing, days: float) -> tuple[float, float]:
    """Times in a day (or a week) in which it is taken: a weekly dose is a whole dose on its day."""
    low, high = (rate * days for rate in timing.per_day)
    return (max(1.0, low) if low > 0 else 0.0), max(1.0, high)


@lru_cache(maxsize=65_536)  # the same few orders all day
def exposure(dose: Amount | None, timing: Timing | None, part: Part, max_daily: Amount | None = None) -> Exposure:
    """One dose, a day and a week of one ingredient.

    Args:
        dose: as ordered, in any unit ("tablet", "mL", "mg").
        timing: how often; an order as needed counts as if it were always needed.
        part: the ingredient with its strength, if known.
        max_daily: the most in one day ("max 8 tablets in 24 hours"); it bounds the day, and the week at seven times it.

    A day means a day on which it is taken: 15 mg once a week is 15 mg that day and 15 mg a week. A patch that
    releases by the hour has no single dose; while it is worn its day does not depend on how often it is changed.
    """
    whole = in_ingredient(dose, part) if dose else "no dose is given"
    most = in_ingredient(max_daily, part) if max_daily else None
    if isinstance(most, str) or (most and isinstance(whole, Amount) and dimension(most.unit) != dimension(whole.unit)):
        most = None
    if isinstance(whole, str):
        return _bounded_only(None, most, whole)
    if part.per in ("hour", "day") and dose and dimension(dose.unit) == "count":
        reason = f"it releases its ingredient by the {part.per}"
        return Exposure(None, whole, _times(whole, 7, 7), reason)
    if timing is None:
        return _bounded_only(whole, most, "how often it is taken is not known")
    daily, weekly = _times(whole, *_often(timing, 1)), _times(whole, *_often(timing, 7))
    if most:
        ceiling = convert(most.high, most.unit, whole.unit)
        if timing.days > 1 and timing.high > 1:  # several of a week may fall on one day: "q12h x 3 doses weekly"
            daily = Amount(daily.low, max(daily.high, min(ceiling, whole.high * timing.high)), whole.unit)
        daily = Amount(min(daily.low, ceiling), min(daily.high, ceiling), whole.unit)
        weekly = Amount(min(weekly.low, ceiling * 7), min(weekly.high, ceiling * 7), whole.unit)
    return Exposure(whole, daily, weekly)


def _bounded_only(single: Amount | None, most: Amount | None, why: str) -> Exposure:
    """Where dose or timing is missing, a stated maximum still bounds the day."""
    if most is None:
        return Exposure(single, None, None, why)
    return Exposure(single, Amount(0, most.high, most.unit), Amount(0, most.high * 7, most.unit), why)
