"""CDS Hooks requests as clients send them, including the ones the page does not describe."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pharmakon.adapters.interop.cds_hooks import read_hooks
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Prescription

from .bundles import TODAY, bundle, request, resource

DRAFT = request(id="d1", status="draft", medicationCodeableConcept={"text": "ketorolac 10 mg"}, authoredOn="2026-05-20")
SECOND = request(id="d2", status="draft", medicationCodeableConcept={"text": "digoxin"}, authoredOn="2026-05-20")


def sign(*drafts: dict[str, Any], hook: str = "order-sign", **more: Any) -> dict[str, Any]:
    context = {"userId": "Practitioner/x", "patientId": "p1", "draftOrders": bundle(*drafts)}
    return {"hook": hook, "hookInstance": "1", "context": {**context, **more.pop("context", {})}, **more}


def read(value: object) -> Prescription:
    return read_hooks(value, name="h.json", today=TODAY)


def statuses(found: Prescription) -> list[tuple[str, str]]:
    return [(o.source.split("/")[-1], o.status) for o in found.orders]


def test_drafts_are_new_and_the_record_is_active() -> None:
    found = read(sign(DRAFT, prefetch={"medications": bundle(request())}))
    assert statuses(found) == [("d1", "new"), ("m1", "active")]


def test_selected_drafts_lead_and_the_others_count_as_new_too() -> None:
    found = read(sign(DRAFT, SECOND, hook="order-select", context={"selections": ["MedicationRequest/d2"]}))
    assert statuses(found) == [("d2", "new"), ("d1", "new")]
    assert any("selected: MedicationRequest/d2" in r for r in found.remarks)


def test_a_selection_that_is_no_medication_is_passed_over() -> None:
    diet = resource("NutritionOrder", status="draft")
    selections = ["NutritionOrder/nutritionorder", "MedicationRequest/gone"]
    found = read(sign(diet, DRAFT, hook="order-select", context={"selections": selections}))
    assert statuses(found) == [("d1", "new")]
    assert any("no medication order" in r for r in found.remarks)
    assert any("MedicationRequest/gone is not among" in r for r in found.remarks)


@pytest.mark.parametrize("field", ["medication", "order"])
@pytest.mark.parametrize("wrapped", [True, False])
def test_a_verification_is_read_as_documented_and_as_exampled(field: str, wrapped: bool) -> None:
    context = {"patientId": "p1", field: {"resource": request()} if wrapped else request()}
    assert statuses(read({"hook": "medication-verify", "context": context})) == [("m1", "new")]


def test_a_prescription_hook_of_the_first_edition_is_read() -> None:
    found = read({"hook": "medication-prescribe", "context": {"medications": bundle(request())}})
    assert statuses(found) == [("m1", "new")]


def test_a_patient_view_audits_the_record() -> None:
    found = read({"hook": "patient-view", "context": {"patientId": "p1"}, "prefetch": {"m": bundle(request())}})
    assert statuses(found) == [("m1", "active")]


@pytest.mark.parametrize(
    "value",
    [bundle(request()), request(), {"response": {"status": "200 OK"}, "resource": bundle(request())}, [request()]],
)
def test_a_prefetch_value_may_have_any_shape(value: Any) -> None:
    assert len(read(sign(DRAFT, prefetch={"m": value})).orders) == 2


def test_the_prefetch_may_stand_in_the_context_or_loose_among_its_fields() -> None:
    inside = {"prefetch": {"a": bundle(request())}, "item2": {"resource": bundle(resource("Patient", gender="male"))}}
    found = read(sign(DRAFT, context=inside))
    assert len(found.orders) == 2
    assert found.patient.sex == "male"


def test_null_is_nothing_found_and_an_error_is_said_by_its_code_alone() -> None:
    issue = {"severity": "error", "code": "timeout", "diagnostics": "Bearer SECRET", "details": {"text": "SECRET"}}
    outcome = {"resourceType": "OperationOutcome", "issue": [issue]}
    found = read(sign(DRAFT, prefetch={"a": None, "labs": outcome}))
    assert any("prefetch labs" in r and "timeout" in r for r in found.remarks)
    assert "SECRET" not in repr(found)


SECRET = "Authorization: Bearer SECRET"


@pytest.mark.parametrize(
    "value",
    [
        {"hook": SECRET, "context": {}},
        sign(DRAFT, prefetch={SECRET: {"resourceType": "OperationOutcome", "issue": [{"code": SECRET}]}}),
        sign(DRAFT, prefetch={SECRET: {**bundle(request()), "link": [{"relation": "next", "url": SECRET}]}}),
        sign(DRAFT, {"resourceType": SECRET, "id": SECRET}),
        sign(DRAFT, SECOND, hook="order-select", context={"selections": [f"MedicationRequest/{SECRET}"]}),
    ],
)
def test_what_stands_where_a_name_belongs_is_not_repeated(value: dict[str, Any]) -> None:
    try:
        said = repr(read(value).remarks)
    except BadInput as error:
        said = str(error)
    assert "SECRET" not in said
    assert "…" in said


def test_two_resources_whose_ids_are_not_shown_stay_two() -> None:
    found = read(sign({**DRAFT, "id": "a b"}, {**SECOND, "id": "c d"}, prefetch={"m": request(id="e f")}))
    assert [o.drug.text for o in found.orders] == ["ketorolac 10 mg", "digoxin", "Warfarin 5 MG"]


def test_a_missing_patient_is_said_and_is_no_error() -> None:
    found = read(sign(DRAFT))
    assert found.patient.age is None
    assert any("no Patient resource" in r for r in found.remarks)


def test_of_several_patients_the_one_of_the_context_is_meant() -> None:
    mine = {"resourceType": "Patient", "id": "p1", "gender": "female"}
    other = {"resourceType": "Patient", "id": "p2", "gender": "male"}
    theirs = request(id="m2", subject={"reference": "Patient/p2"})
    found = read(sign(DRAFT, prefetch={"a": bundle(other, mine, theirs, request(subject={"reference": "Patient/p1"}))}))
    assert found.patient.sex == "female"
    assert [s for s, _ in statuses(found)] == ["d1", "m1"]


def test_a_subject_that_is_not_the_patient_is_read_and_said() -> None:
    stranger = request(subject={"reference": "Patient/p9"})
    found = read(sign(DRAFT, prefetch={"a": bundle({"resourceType": "Patient", "id": "p1"}, stranger)}))
    assert len(found.orders) == 2
    assert any("another subject (p9)" in r for r in found.remarks)


def test_a_draft_in_the_record_is_left_out_and_said() -> None:
    found = read(sign(DRAFT, prefetch={"m": request(status="draft")}))
    assert statuses(found) == [("d1", "new")]
    assert any("draft in the record" in r for r in found.remarks)


def test_a_plan_under_decision_is_audited() -> None:
    assert statuses(read(sign({**DRAFT, "intent": "plan"}))) == [("d1", "new")]


def test_a_draft_replaces_its_own_earlier_copy() -> None:
    found = read(sign(request(status="draft"), prefetch={"m": bundle(request())}))
    assert statuses(found) == [("m1", "new")]


def test_a_draft_without_a_date_is_of_today() -> None:
    undated = {**DRAFT, "authoredOn": None}
    assert read(sign(undated, prefetch={"m": request(authoredOn="2020-01-01")})).as_of == TODAY
    assert read(sign(DRAFT)).as_of == date(2026, 5, 20)


def test_a_request_without_any_medication_is_empty_and_says_so() -> None:
    found = read(sign(resource("NutritionOrder")))
    assert found.orders == ()
    assert any("no medication order to audit" in r for r in found.remarks)


def test_the_access_token_is_nowhere() -> None:
    value = sign(
        DRAFT, fhirServer="https://x.org", fhirAuthorization={"access_token": "SECRET-TOKEN", "scope": "patient/*.read"}
    )
    assert "SECRET-TOKEN" not in repr(read(value))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"hook": "appointment-book", "context": {}}, "the hook 'appointment-book' is not known here"),
        ({"hookInstance": "1", "context": {}}, "it names no hook"),
        ({"hook": "order-sign"}, "there is no context"),
        ({"hook": "order-sign", "context": {"patientId": "1"}}, "order-sign needs draftOrders"),
    ],
)
def test_a_request_that_breaks_the_contract_is_told_so(value: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read(value)
