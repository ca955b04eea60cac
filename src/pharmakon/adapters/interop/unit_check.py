"""Whether a unit as written means anything: the one place where the strict reader asks."""

from __future__ import annotations

from pharmakon.model.errors import BadInput
from pharmakon.model.units import canonical


def check_unit(unit: str, *, where: str) -> str:
    """`unit` as written, trimmed; BadInput where it is no unit we can count with."""
    text = unit.strip()
    try:
        canonical(text)
    except BadInput as error:
        raise error.within(where) from None
    return text
