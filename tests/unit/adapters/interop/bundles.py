"""Small FHIR resources for the tests."""

from __future__ import annotations

from datetime import date
from typing import Any

from pharmakon.adapters.interop.fhir import read_fhir
from pharmakon.model.prescription import Prescription

TODAY = date(2026, 6, 1)
WARFARIN = {
    "coding": [{"system": "http://www.nlm.nih.gov/research/umls/rxnorm", "code": "855332", "display": "Warfarin 5 MG"}],
    "text": "Warfarin 5 MG",
}
Resource = dict[str, Any]


def bundle(*resources: Resource, kind: str = "collection") -> Resource:
    return {"resourceType": "Bundle", "type": kind, "entry": [{"resource": r} for r in resources]}


def request(**fields: Any) -> Resource:
    base = {"resourceType": "MedicationRequest", "id": "m1", "status": "active", "intent": "order"}
    return {**base, "medicationCodeableConcept": WARFARIN, "authoredOn": "2026-05-01", **fields}


def resource(kind: str, **fields: Any) -> Resource:
    return {"resourceType": kind, "id": kind.lower(), **fields}


def read(*resources: Resource) -> Prescription:
    return read_fhir(bundle(*resources), name="b.json", today=TODAY)


def observation(loinc: str, value: float = 1.0, unit: str = "mg/dL", **fields: Any) -> Resource:
    return {
        "resourceType": "Observation", "id": f"o-{loinc}", "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": loinc}]},
        "effectiveDateTime": "2026-04-01", "valueQuantity": {"value": value, "unit": unit}, **fields,
    }  # fmt: skip
