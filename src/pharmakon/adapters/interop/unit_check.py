"""Whether a unit as written means anything: the one place where the readers ask."""

from __future__ import annotations

from pharmakon.model.errors import BadInput


def check_unit(unit: str, *, where: str) -> str:
    """`unit` as written, trimmed; BadInput where it is empty."""
    text = unit.strip()
    if not text:
        raise BadInput("the unit is empty", where=where, expected="a unit such as mg, mL or mmol/L")
    return text
