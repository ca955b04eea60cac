"""A report as FHIR R4, within the cardinalities of DetectedIssue."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pharmakon.adapters.interop.fhir_out import report_to_bundle
from pharmakon.model.concepts import ConceptId
from pharmakon.model.prescription import Order, Patient, Prescription, Text
from pharmakon.model.vocabulary import risk_types

from .reports import BLEEDING, DOSE, report

ELEMENTS = {
    "resourceType",
    "identifier",
    "status",
    "code",
    "severity",
    "identifiedDateTime",
    "implicated",
    "evidence",
    "detail",
    "reference",
    "mitigation",
}


def issues(bundle: dict[str, Any]) -> list[dict[str, Any]]:
    return [e["resource"] for e in bundle["entry"] if e["resource"]["resourceType"] == "DetectedIssue"]


def outcome(bundle: dict[str, Any]) -> list[str]:
    (found,) = [e["resource"] for e in bundle["entry"] if e["resource"]["resourceType"] == "OperationOutcome"]
    return [issue["diagnostics"] for issue in found["issue"]]


def test_each_finding_is_a_detected_issue() -> None:
    first, second = issues(report_to_bundle(report(BLEEDING, DOSE)))
    assert set(first) <= ELEMENTS
    assert (first["status"], first["severity"], second["severity"]) == ("final", "high", "low")
    assert first["code"]["coding"] == [{"system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "DRG"}]
    assert first["identifier"][0]["value"] == "f-1"
    assert first["detail"] == "Warfarin with ibuprofen: bleeding."
    assert first["reference"] == "https://example.org/coumadin#7.2"
    assert first["mitigation"] == [{"action": {"text": "Use paracetamol."}}]
    assert "Bleeding up" in first["evidence"][0]["code"][0]["text"]
    assert "mitigation" not in second
    assert "reference" not in second


def test_the_orders_are_referred_to_where_they_have_an_address() -> None:
    orders = (Order(0, Text("w"), source="MedicationRequest/m1"), Order(1, Text("i"), source="orders.csv, line 3"))
    prescription = Prescription(Patient(), orders, date(2026, 3, 2))
    (issue,) = issues(report_to_bundle(report(BLEEDING), prescription))
    assert issue["implicated"] == [
        {"reference": "MedicationRequest/m1", "display": "warfarin"},
        {"display": "ibuprofen"},
    ]
    (bare,) = issues(report_to_bundle(replace(report(BLEEDING), drugs=())))
    assert bare["implicated"] == [{"display": "warfarin"}, {"display": "ibuprofen"}]


def test_of_a_combination_the_ingredient_that_the_finding_is_about_is_named() -> None:
    allergy = replace(DOSE, type="ALLERGY", drugs=("sulfamethoxazole",), lines=(0,))
    parts = tuple((0, ConceptId(f"ingredient:{n}"), n) for n in ("sulfamethoxazole", "trimethoprim"))
    (issue,) = issues(report_to_bundle(replace(report(allergy), drugs=parts)))
    assert issue["implicated"] == [{"display": "sulfamethoxazole"}]


def test_one_order_is_referred_to_once_with_all_its_drugs_in_question() -> None:
    both = tuple((0, ConceptId(f"ingredient:{n}"), n) for n in ("warfarin", "ibuprofen"))
    prescription = Prescription(
        Patient(), (Order(0, Text("both"), source="MedicationRequest/m1"),), date(2026, 3, 2)
    )  # fmt: skip
    (issue,) = issues(report_to_bundle(replace(report(replace(BLEEDING, lines=(0,))), drugs=both), prescription))
    assert issue["implicated"] == [{"reference": "MedicationRequest/m1", "display": "warfarin, ibuprofen"}]


def test_a_stopped_order_is_named_by_the_drug_that_no_current_order_holds() -> None:
    current = (report().drugs[1],)
    (issue,) = issues(report_to_bundle(replace(report(BLEEDING), drugs=current)))
    assert issue["implicated"] == [{"display": "warfarin"}, {"display": "ibuprofen"}]


@pytest.mark.parametrize("verdict", ["none_found", "not_assessable"])
def test_a_bundle_without_issues_says_how_far_the_audit_went(verdict: str) -> None:
    bundle = report_to_bundle(report(verdict=verdict))
    assert issues(bundle) == []
    said = " ".join(outcome(bundle))
    assert "among what was checked" in said or "no statement that nothing was found" in said
    assert "creatinine" in said
    assert "Wundermittel" in said
    assert "not covered: x" in said
    assert "safe" not in said


def test_every_risk_type_has_its_code() -> None:
    for kind, row in risk_types().items():
        (issue,) = issues(report_to_bundle(report(replace(BLEEDING, type=kind))))
        assert issue["code"]["coding"][0]["code"] == row["code"]


def test_two_runs_give_one_bundle() -> None:
    assert report_to_bundle(report(BLEEDING, DOSE)) == report_to_bundle(report(BLEEDING, DOSE))
    urls = [e["fullUrl"] for e in report_to_bundle(report(BLEEDING, DOSE))["entry"]]
    assert len(set(urls)) == 3
    assert all(u.startswith("urn:uuid:") for u in urls)
