"""Unit arithmetic over `schema/units.toml`: spellings, dimensions, conversions. Dictionary look-ups, nothing else.

A compound unit is a numerator and any number of denominators ("mg/kg/day"); a denominator may carry a figure
("mg/5mL"). Two dimensions are never converted into each other, save for the analytes under `[molar]`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache, lru_cache

from pharmakon.model.errors import BadInput
from pharmakon.model.vocabulary import factors, read_schema

#: 1.73 m2 as systems write it: "{1.73_m2}", "1,73 m²", "1.73m^2"; folded to one word before the rest is split
_BODY_SURFACE = re.compile(r"[{(]?1[.,]73[\s_.]*m(?:2|²|\^2)[})]?")
_PER = re.compile(r"\s*/\s*|\s+per\s+")
_FIGURE = re.compile(r"(\d+(?:\.\d+)?)\s*(\D.*)")


@dataclass(frozen=True, slots=True)
class _Unit:
    """One unit without a denominator. `factor` leads to the dimension's base."""

    name: str
    dimension: str
    factor: float


@dataclass(frozen=True, slots=True)
class _Molar:
    """`molar = factor * mass + offset`, each in the unit named."""

    mass: str
    molar: str
    factor: float
    offset: float


@cache
def _spellings() -> dict[str, _Unit]:
    """Every spelling, as written and folded, to its unit. A name written in the file wins over a folded one."""
    exact: dict[str, _Unit] = {}
    folded: dict[str, _Unit] = {}
    for dimension, rows in read_schema("units.toml").items():
        if dimension == "molar":
            continue
        for name, row in rows.items():
            unit = _Unit(name, dimension, float(row["factor"]))
            for spelling in (name, *row["names"]):
                exact.setdefault(spelling, unit)
                folded.setdefault(spelling.casefold(), unit)
    return folded | exact


@cache
def _molar() -> dict[str, _Molar]:
    return {
        analyte: _Molar(row["mass"], row["molar"], float(row["factor"]), float(row.get("offset", 0.0)))
        for analyte, row in read_schema("units.toml")["molar"].items()
    }


def _simple(text: str) -> _Unit | None:
    found = _spellings()
    return found.get(text) or found.get(text.casefold())


@lru_cache(maxsize=1024)
def _denominator(text: str) -> _Unit | None:
    unit = _simple(text)
    match = None if unit else _FIGURE.fullmatch(text)
    if match and (unit := _simple(match[2])):
        figure = float(match[1])
        if figure <= 0 or not math.isfinite(figure):
            return None
        factor = figure * unit.factor
        if unit.dimension == "time":  # "per 24 h" is per day
            same = (u for u in _spellings().values() if u.dimension == "time" and math.isclose(u.factor, factor))
            unit = next(same, unit)
        return unit if math.isclose(unit.factor, factor) else _Unit(f"{match[1]}{unit.name}", unit.dimension, factor)
    return unit


@lru_cache(maxsize=4096)
def _parse(text: str) -> tuple[_Unit, ...] | None:
    """The numerator and the denominators of a unit as written, or None where one of them is unknown."""
    spelled = _BODY_SURFACE.sub("1.73m2", " ".join(text.split()))
    if whole := _simple(spelled):
        return (whole,)
    head, *rest = _PER.split(spelled)
    units = (_simple(head), *(_denominator(part) for part in rest))
    known = tuple(unit for unit in units if unit is not None)
    return known if len(known) == len(units) else None


def _known(text: str) -> tuple[_Unit, ...]:
    units = _parse(text)
    if units is None:
        dimensions = (name for name in read_schema("units.toml") if name != "molar")
        raise BadInput(
            f"unknown unit {text!r}",
            expected=f"a unit of {', '.join(dimensions)}, or such units joined by / (mg, mL, mmol/L, mL/min/1.73m2)",
        )
    return units


def is_unit(text: str) -> bool:
    """Whether `canonical` would accept the text."""
    return _parse(text) is not None


def canonical(text: str) -> str:
    """The one spelling of a unit: "ml/min per 1.73 m2" → "mL/min/1.73m2".

    Raises:
        BadInput: the unit is unknown; the message names it.
    """
    return "/".join(unit.name for unit in _known(text))


def dimension(text: str) -> str:
    """What a unit measures: "mass", "volume/time". Denominators in alphabetical order, so that dimensions compare.

    Raises:
        BadInput: the unit is unknown.
    """
    head, *rest = _known(text)
    return "/".join((head.dimension, *sorted(unit.dimension for unit in rest)))


def _factor(text: str) -> float:
    head, *rest = _known(text)
    return head.factor / math.prod(unit.factor for unit in rest)


def convert(value: float, from_unit: str, to_unit: str, analyte: str | None = None) -> float:
    """A value in another unit of the same dimension; between mass and molar only for an analyte of `[molar]`.

    A blank unit is that of an analyte which has none (the INR), and unknown for any other.

    Raises:
        BadInput: a unit is unknown, the dimensions differ, or the value is not a finite number.
    """
    if not math.isfinite(value):
        raise BadInput(f"value {value}", expected="a finite number")
    if not from_unit.strip() and analyte in factors() and factors()[analyte].unit == "1":
        from_unit = "1"  # an INR is reported without a unit
    source, target = dimension(from_unit), dimension(to_unit)
    if source == target:
        if canonical(from_unit) == canonical(to_unit):
            return value
        return value * _factor(from_unit) / _factor(to_unit)
    pair = _molar().get(analyte or "")
    if pair and (source, target) == (dimension(pair.mass), dimension(pair.molar)):
        mass = convert(value, from_unit, pair.mass)
        return convert(pair.factor * mass + pair.offset, pair.molar, to_unit)
    if pair and (source, target) == (dimension(pair.molar), dimension(pair.mass)):
        molar = convert(value, from_unit, pair.molar)
        return convert((molar - pair.offset) / pair.factor, pair.mass, to_unit)
    of = f" of {analyte}" if analyte else ""
    raise BadInput(f"{from_unit!r} can't be converted into {to_unit!r}{of}", expected=f"a unit of {target}")
