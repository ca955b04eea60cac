"""Step 1 of the chain of verification: the prescription taken apart into typed tasks (PG-5). Deterministic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pharmakon.audit.checks import CHECKS
from pharmakon.audit.exposure import Exposure

#: Which tasks ask the constraint store and which the topology (KB-2).
_TOPOLOGY = frozenset({"interaction", "allergy", "duplicate", "burden", "indication", "food"})


@dataclass(frozen=True, slots=True)
class Task:
    """One sub-task. `kind` says which side of H answers it; `relations` are what it asks for."""

    check: str
    kind: Literal["constraint", "topology"]
    drugs: tuple[str, ...]
    relations: tuple[str, ...]


def plan(exposures: Sequence[Exposure]) -> tuple[Task, ...]:
    """One task for each check and drug; checks of pairs and sums get one task over all drugs."""
    names = tuple(dict.fromkeys(e.name for e in exposures))
    return tuple(task for check in CHECKS for task in _tasks(check.NAME, check.RELATIONS, names))


def _tasks(check: str, relations: tuple[str, ...], names: Sequence[str]) -> Iterable[Task]:
    kind: Literal["constraint", "topology"] = "topology" if check in _TOPOLOGY else "constraint"
    if check in ("interaction", "duplicate", "burden"):
        return [Task(check, kind, tuple(names), relations)]
    return [Task(check, kind, (name,), relations) for name in names]
