"""What many tests share: the starter knowledge base, built once for each worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from pharmakon.adapters.store.embedded import schema
from pharmakon.app.api import Pharmakon
from pharmakon.model import vocabulary
from pharmakon.model.finding import Report

Audit = Callable[..., Report]

#: An older adult of whom everything the rules may ask for is known and unremarkable.
PATIENT: Mapping[str, Any] = {
    "age": 70,
    "sex": "female",
    "weight_kg": 70,
    "height_cm": 168,
    "creatinine": {"value": 0.8, "unit": "mg/dL"},
    "pregnant": False,
    "lactating": False,
    "dialysis": False,
    "conditions": [],
    "allergies": [],
    "labs": {"potassium": {"value": 4.2, "unit": "mmol/L"}},
}


def forget_growth() -> None:
    """Whatever was worked out from the vocabulary is worked out anew."""
    for derived in (*vocabulary._DERIVED, *schema._DERIVED):
        derived.cache_clear()


@pytest.fixture
def seed_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process knows the seed of the schema alone, as a new one does, and again when the test is over."""
    monkeypatch.setattr(vocabulary, "_grown", {})
    forget_growth()
    yield
    monkeypatch.undo()
    forget_growth()


@pytest.fixture(scope="session")
def pharmakon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pharmakon]:
    with Pharmakon(tmp_path_factory.mktemp("home")) as opened:
        yield opened


@pytest.fixture(scope="session")
def audit(pharmakon: Pharmakon) -> Audit:
    """Audits orders of an unremarkable patient; keywords change the patient, None makes a value unknown."""

    def run(*orders: str | Mapping[str, Any], as_of: str = "2026-03-02", **changes: Any) -> Report:
        patient = {k: v for k, v in {**PATIENT, **changes}.items() if v is not None}
        medications = [{"drug": o} if isinstance(o, str) else dict(o) for o in orders]
        return pharmakon.audit({"patient": patient, "medications": medications, "as_of": as_of})

    return run


def order(
    drug: str, dose: float | None = None, unit: str = "mg", frequency: str | None = None, **more: Any
) -> dict[str, Any]:
    """One line of the plain form."""
    line: dict[str, Any] = {"drug": drug, **more}
    if dose is not None:
        line["dose"] = {"value": dose, "unit": unit}
    if frequency is not None:
        line["frequency"] = frequency
    return line


def found(report: Report, kind: str, *drugs: str) -> list[str]:
    """The tiers of the findings of one type about exactly these drugs."""
    wanted = tuple(sorted(drugs))
    return [str(f.tier) for f in report.findings if f.type == kind and f.drugs == wanted]
