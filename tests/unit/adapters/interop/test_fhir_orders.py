"""Which medication resources are exposures, of what drug, and since when."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pharmakon.adapters.interop.fhir import read_fhir
from pharmakon.model.concepts import Code
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Timing

from .bundles import TODAY, WARFARIN, bundle, read, request, resource


def other(**fields: Any) -> dict[str, Any]:
    return request(id="m9", medicationCodeableConcept={"text": "digoxin"}, **fields)


@pytest.mark.parametrize(
    ("status", "ours"),
    [
        ("active", "active"),
        ("on-hold", "on_hold"),
        ("draft", "new"),
        ("stopped", "stopped"),
        ("completed", "completed"),
        ("ended", "completed"),
        ("unknown", "active"),
        ("nonsense", "active"),
    ],
)
def test_a_request_keeps_its_status(status: str, ours: str) -> None:
    assert read(request(status=status)).orders[0].status == ours


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"status": "cancelled"}, "cancelled"),
        ({"status": "entered-in-error"}, "entered in error"),
        ({"intent": "proposal"}, "proposal"),
        ({"intent": "plan"}, "plan"),
        ({"doNotPerform": True}, "must not be given"),
    ],
)
def test_what_is_no_exposure_is_left_out_and_said(fields: dict[str, Any], why: str) -> None:
    found = read(request(**fields), other())
    assert [o.drug.text for o in found.orders] == ["digoxin"]
    assert any(why in r and "MedicationRequest/m1" in r for r in found.remarks)


def test_a_status_nobody_knows_is_audited_and_said() -> None:
    assert any("nonsense" in r for r in read(request(status="nonsense")).remarks)


@pytest.mark.parametrize(
    ("kind", "status", "ours"),
    [
        ("MedicationStatement", "active", "active"),
        ("MedicationStatement", "recorded", "active"),
        ("MedicationStatement", "stopped", "stopped"),
        ("MedicationDispense", "completed", "active"),
        ("MedicationAdministration", "completed", "active"),
        ("MedicationAdministration", "in-progress", "active"),
        ("MedicationDispense", "on-hold", "on_hold"),
    ],
)
def test_what_was_stated_dispensed_or_given_counts(kind: str, status: str, ours: str) -> None:
    assert read(resource(kind, status=status, medicationCodeableConcept=WARFARIN)).orders[0].status == ours


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("MedicationStatement", {"status": "not-taken"}),
        ("MedicationStatement", {"status": "active", "taken": "n"}),
        ("MedicationStatement", {"status": "active", "wasNotTaken": True}),
        ("MedicationAdministration", {"status": "not-done"}),
        ("MedicationDispense", {"status": "declined"}),
    ],
)
def test_what_was_not_taken_does_not_count(kind: str, fields: dict[str, Any]) -> None:
    assert len(read(resource(kind, medicationCodeableConcept=WARFARIN, **fields), other()).orders) == 1


def test_a_supply_counts_for_a_hundred_days_or_as_long_as_it_reaches() -> None:
    def status_of(**fields: Any) -> str:
        dispense = resource("MedicationDispense", status="completed", medicationCodeableConcept=WARFARIN, **fields)
        return next(o.status for o in read(dispense, other(authoredOn="2026-05-01")).orders if "arfarin" in o.drug.text)

    assert status_of(whenHandedOver="2026-02-01") == "active"
    assert status_of(whenHandedOver="2025-12-01") == "completed"
    assert status_of(whenHandedOver="2025-12-01", daysSupply={"value": 180, "code": "d"}) == "active"
    assert status_of() == "active"


def test_one_drug_as_request_and_statement_is_one_exposure_and_the_richer_one_stays() -> None:
    bare = resource("MedicationStatement", status="active", medicationCodeableConcept={"text": "warfarin 5 mg"})
    full = request(
        medicationCodeableConcept={"text": "Warfarin 5 MG"},
        dosageInstruction=[{"doseQuantity": {"value": 5, "unit": "mg"}}],
    )
    found = read(bare, full)
    assert [o.source for o in found.orders] == ["MedicationRequest/m1"]
    assert any("one exposure" in r for r in found.remarks)


def test_two_requests_of_one_drug_stay_two() -> None:
    assert len(read(request(id="a"), request(id="b")).orders) == 2


def test_the_same_resource_twice_in_a_bundle_is_one_order() -> None:
    assert len(read(request(), request()).orders) == 1


def test_two_different_resources_under_one_id_are_both_read_and_it_is_said() -> None:
    found = read(request(), request(medicationCodeableConcept={"text": "digoxin"}))
    assert len(found.orders) == 2
    assert any("several different resources MedicationRequest/m1" in r for r in found.remarks)


@pytest.mark.parametrize(
    "drug",
    [
        {"medicationCodeableConcept": WARFARIN},
        {"medication": {"concept": WARFARIN}},
        {
            "medicationReference": {"reference": "#m"},
            "contained": [{"resourceType": "Medication", "id": "m", "code": WARFARIN}],
        },
        {"medication": {"reference": {"reference": "Medication/m7"}}},
        {"medicationReference": {"reference": "https://example.org/fhir/Medication/m7/_history/2"}},
        {"medicationReference": {"reference": "Medication/product"}},
    ],
)
def test_a_drug_is_found_wherever_a_version_puts_it(drug: dict[str, Any]) -> None:
    order = (
        request(**drug) if "medicationCodeableConcept" in drug else {**request(medicationCodeableConcept=None), **drug}
    )
    product = {
        "resourceType": "Medication",
        "id": "product",
        "ingredient": [{"itemReference": {"reference": "Medication/m7"}}],
    }
    found = read(order, {"resourceType": "Medication", "id": "m7", "code": WARFARIN}, product)
    assert found.orders[0].drug.codes == (Code("rxnorm", "855332"),)


def test_a_reference_that_leads_nowhere_surfaces_by_its_own_words() -> None:
    named = {
        **request(medicationCodeableConcept=None),
        "medicationReference": {"reference": "Medication/x", "display": "Marcoumar"},
    }
    bare = {**request(medicationCodeableConcept=None, id="m2"), "medicationReference": {"reference": "Medication/x"}}
    neither = {**request(medicationCodeableConcept=None, id="m3")}
    assert [o.drug.text for o in read(named, bare, neither).orders] == ["Marcoumar", "Medication/x", "(no drug named)"]


def test_references_that_go_round_in_circles_end() -> None:
    ring = {"resourceType": "Medication", "id": "r", "ingredient": [{"itemReference": {"reference": "Medication/r"}}]}
    order = {**request(medicationCodeableConcept=None), "medicationReference": {"reference": "Medication/r"}}
    assert read(order, ring).orders[0].drug.text == "Medication/r"


def test_the_reason_is_the_indication() -> None:
    condition = resource("Condition", code={"text": "atrial fibrillation"})
    for reason in (
        {"reasonCode": [{"text": "atrial fibrillation"}]},
        {"reasonReference": [{"reference": "Condition/condition"}]},
        {"reason": [{"reference": {"reference": "Condition/condition"}}]},
    ):
        indication = read(request(**reason), condition).orders[0].indication
        assert indication is not None
        assert indication.text == "atrial fibrillation"


def test_dstu2_reads_like_r4() -> None:
    order = {
        "resourceType": "MedicationOrder",
        "id": "d",
        "status": "active",
        "patient": {"reference": "Patient/p1"},
        "dateWritten": "2016-01-01",
        "medicationCodeableConcept": WARFARIN,
        "dosageInstruction": [{"timing": {"repeat": {"frequency": 1, "period": 1, "periodUnits": "d"}}}],
    }
    found = read(order)
    assert (found.orders[0].frequency, found.as_of) == (Timing(1, 1, 1), date(2016, 1, 1))


def test_expressions_stand_for_days_before_today() -> None:
    expression = {
        "extension": [
            {"url": "http://hl7.org/fhir/StructureDefinition/cqif-cqlExpression", "valueString": "Today() - 90 days"}
        ]
    }
    order = request(_authoredOn=expression)
    del order["authoredOn"]
    assert read(order).orders[0].start == date(2026, 3, 3)


def test_a_stopped_order_keeps_the_date_a_washout_needs() -> None:
    stopped = read(request(status="stopped")).orders[0]
    assert stopped.end == date(2026, 5, 1)
    period = {"start": "2026-01-01", "end": "2026-02-01"}
    taken = resource(
        "MedicationStatement", status="completed", medicationCodeableConcept=WARFARIN, effectivePeriod=period
    )
    assert read(taken).orders[0].end == date(2026, 2, 1)


def test_lines_are_counted_over_what_is_left() -> None:
    assert [o.line for o in read(request(status="cancelled"), other(), request(id="m3")).orders] == [0, 1]


def test_the_audit_is_as_of_the_latest_order() -> None:
    assert read(request(), other(authoredOn="2026-05-20T10:00:00+02:00")).as_of == date(2026, 5, 20)
    assert read({**request(), "authoredOn": None}).as_of == TODAY


def test_a_bundle_without_an_order_that_counts_is_refused_with_the_reason() -> None:
    with pytest.raises(BadInput, match="no medication in it"):
        read(resource("Patient"))
    with pytest.raises(BadInput, match="cancelled"):
        read(request(status="cancelled"))


def test_two_patients_in_one_bundle_are_refused() -> None:
    one, two = resource("Patient"), {"resourceType": "Patient", "id": "p2"}
    with pytest.raises(BadInput, match="2 patients"):
        read(request(), one, two)
    with pytest.raises(BadInput, match="belong to 2 patients"):
        read(request(subject={"reference": "Patient/a"}), other(subject={"reference": "Patient/b"}))


def test_one_patient_under_several_addresses_is_one() -> None:
    patient = {"resourceType": "Patient", "id": "p1"}
    wrapped = bundle(
        request(subject={"reference": "urn:uuid:1"}), other(subject={"reference": "https://x.org/Patient/p1"})
    )
    wrapped["entry"].append({"fullUrl": "urn:uuid:1", "resource": patient})
    assert len(read_fhir(wrapped, name="b.json", today=TODAY).orders) == 2


def test_any_wrapping_will_do() -> None:
    for value in (request(), [request()], bundle(bundle(request())), {"resourceType": "Bundle", "entry": [request()]}):
        assert len(read_fhir(value, name="b.json", today=TODAY).orders) == 1


def test_a_page_that_was_not_sent_is_said() -> None:
    paged = {**bundle(request()), "link": [{"relation": "next", "url": "https://x.org?page=2"}]}
    assert any("incomplete" in r for r in read_fhir(paged, name="b.json", today=TODAY).remarks)
