"""One file per risk; this list is the order of the chain's tasks and of a report's `checked` table.

A check is a module with `NAME`, the `RELATIONS` it asks for, and `run(case, phrases)`, which yields what it found
(`Breach`), what it can't decide (`Waiting`) and what it looked at (`Looked`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from pharmakon.audit.case import Case, Outcome
from pharmakon.audit.checks import (
    adjustment,
    allergy,
    burden,
    contraindication,
    dose,
    duplicate,
    food,
    indication,
    interaction,
    organ,
    route,
)
from pharmakon.audit.phrases import Phrases


class Check(Protocol):
    """What a check's module offers."""

    @property
    def NAME(self) -> str: ...
    @property
    def RELATIONS(self) -> tuple[str, ...]: ...
    @property
    def run(self) -> Callable[[Case, Phrases], Iterator[Outcome]]: ...


CHECKS: tuple[Check, ...] = (
    indication, dose, route, adjustment, contraindication, organ, allergy, interaction, duplicate, burden, food,
)  # fmt: skip
