"""What a question says of the person it is about: age, pregnancy, breastfeeding, dialysis, kidney function."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from importlib import resources

from pharmakon.model.prescription import Measured, Patient

#: Completed years that "elderly" and "child" stand for; nobody is older than the last.
ELDERLY, ADULT, OLDEST = 65.0, 18.0, 120.0
_UNITS = {"egfr": "mL/min/1.73 m2", "crcl": "mL/min"}


def person(text: str) -> Patient:
    """The patient of a question; what it does not say is unknown.

    >>> person("Can my mother of 82, on dialysis, take this?").dialysis
    True
    """
    pregnant = _first("pregnant", text) and not _first("not_pregnant", text)
    labs = tuple(
        (name, Measured(float(match[1].replace(",", ".")), unit, source="question"))
        for name, unit in _UNITS.items()
        if (match := _first(name, text))
    )
    return Patient(
        age=_age(text),
        sex="female" if pregnant else None,
        pregnant=True if pregnant else None,
        lactating=True if _first("lactating", text) else None,
        dialysis=True if _first("dialysis", text) else None,
        labs=labs,
    )


def carried(earlier: Patient, now: Patient) -> Patient:
    """What was said before holds on, where nothing else is said now."""
    return replace(
        now,
        age=now.age or earlier.age,
        sex=now.sex or earlier.sex,
        pregnant=now.pregnant if now.pregnant is not None else earlier.pregnant,
        lactating=now.lactating if now.lactating is not None else earlier.lactating,
        dialysis=now.dialysis if now.dialysis is not None else earlier.dialysis,
        labs=(*(lab for lab in earlier.labs if lab[0] not in dict(now.labs)), *now.labs),
    )


def is_known(patient: Patient) -> bool:
    """Whether anything is said of the person."""
    return patient != Patient()


def _age(text: str) -> tuple[float, float] | None:
    if (match := _first("age", text)) and 0 < (years := float(match[1])) <= OLDEST:
        return years, years
    if _first("elderly", text):
        return ELDERLY, OLDEST
    if _first("child", text):
        return 0.0, ADULT - 1
    return None


def _first(what: str, text: str) -> re.Match[str] | None:
    return next((m for p in _patterns()[what] if (m := p.search(text))), None)


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], ...]]:
    data = tomllib.loads(resources.files("pharmakon.retrieve").joinpath("people.toml").read_text("utf-8"))
    return {what: tuple(re.compile(p, re.IGNORECASE) for p in row["patterns"]) for what, row in data.items()}
