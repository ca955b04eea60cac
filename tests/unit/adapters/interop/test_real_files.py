"""Files that others wrote: every one of them reads."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from pharmakon.adapters.interop.csv_mapping import load_mapping
from pharmakon.adapters.interop.jsontext import parse_json
from pharmakon.adapters.interop.read import read_batch, read_prescription
from pharmakon.model.concepts import Code
from pharmakon.model.prescription import Amount, Prescription, Timing
from tests.shared_data import ROOT, shared

TODAY = date(2026, 6, 1)


def read(path: Path) -> Prescription:
    return read_prescription(path.read_bytes(), name=path.name, today=TODAY)


def hooks(name: str) -> Prescription:
    return read(shared("cds-hooks", "pddi-requests", name))


def names(found: Prescription) -> list[tuple[str, str]]:
    return [(o.drug.text.split()[0].lower(), o.status) for o in found.orders]


def test_all_synthetic_patients_read() -> None:
    paths = sorted(shared("synthea-fhir-r4").glob("*.json"))
    assert len(paths) == 7
    for path in paths:
        found = read(path)
        assert found.orders
        assert found.patient.sex in {"female", "male"}
        assert found.patient.age is not None
        assert found.patient.age[0] == found.patient.age[1] >= 50
        assert found.patient.weight is not None
        assert found.patient.conditions


def test_an_allergy_record_of_a_synthetic_patient_is_whole() -> None:
    found = read(shared("synthea-fhir-r4", "patient-04.json"))
    assert found.patient.allergies is not None
    assert len(found.patient.allergies) == 6
    assert read(shared("synthea-fhir-r4", "patient-02.json")).patient.allergies is None


def test_all_requests_of_the_interaction_guide_read() -> None:
    paths = sorted(shared("cds-hooks", "pddi-requests").glob("*.json"))
    assert len(paths) == 11
    for path in paths:
        found = read(path)
        assert len(found.orders) >= 2
        assert found.orders[0].status == "new"


def test_a_dispense_is_an_exposure_to_warfarin() -> None:
    found = hooks("request-warfarin-nsaid-scenario-03.json")
    assert names(found) == [("ibuprofen", "new"), ("warfarin", "active"), ("dexamethasone", "active")]
    assert found.patient.age == (78, 78)


def test_an_administration_is_an_exposure_and_a_healed_ulcer_is_history() -> None:
    found = hooks("request-warfarin-nsaid-scenario-04.json")
    assert names(found) == [("ibuprofen", "new"), ("warfarin", "active"), ("ibuprofen", "active")]
    assert found.patient.conditions is not None
    assert [c.status for c in found.patient.conditions] == ["history"]


def test_a_suspected_ulcer_is_uncertain_and_a_missing_patient_is_said() -> None:
    found = hooks("warfarin-nsaids-order-sign-coordination.json")
    assert found.patient.conditions is not None
    assert [c.status for c in found.patient.conditions] == ["uncertain"]
    assert any("no Patient resource" in r for r in found.remarks)


def test_values_of_a_digoxin_patient_are_read_with_their_units() -> None:
    labs = dict(hooks("multi-update-draft-orders-2.json").patient.labs)
    assert {n: (m.value, m.unit) for n, m in labs.items()} == {
        "calcium": (8.6, "mg/dL"),
        "creatinine": (0.7, "mg/dL"),
        "digoxin": (0.7, "ng/mL"),
        "magnesium": (0.8, "mmol/L"),
        "potassium": (3.6, "mEq/L"),
    }


def test_all_golden_requests_read() -> None:
    paths = sorted(shared("cds-hooks", "golden").glob("*request*.json"))
    assert len(paths) == 5
    for path in paths:
        found = read(path)
        assert found.orders[0].status == "new"
        assert "opaque-token" not in repr(found)


def test_a_golden_request_is_read_to_the_last_detail() -> None:
    found = read(shared("cds-hooks", "golden", "03-order-sign-request.json"))
    draft = found.orders[0]
    assert (draft.dose, draft.frequency, draft.route) == (Amount(1, 1, "{tbl}"), Timing(4, 4, 1), "oral")
    assert found.as_of == date(2026, 1, 15)
    assert found.patient.age == (77, 77)
    assert found.patient.allergies is not None
    assert (found.patient.allergies[0].substance.text, found.patient.allergies[0].severity) == ("penicillin", "severe")


def test_one_order_in_five_shapes_is_one_order() -> None:
    shapes = parse_json(shared("cds-hooks", "golden", "11-medication-shapes.json").read_text("utf-8"), name="shapes")
    assert isinstance(shapes, dict)
    shapes.pop("expected_all")
    from pharmakon.adapters.interop.fhir import read_fhir

    for name, shape in shapes.items():
        order = read_fhir(shape, name=name, today=TODAY).orders[0]
        assert order.drug.codes == (Code("rxnorm", "855332"),)
        assert order.frequency == Timing(1, 1, 1)
        assert order.dose is not None
        assert order.status == ("new" if name.startswith("dstu2") else "active")


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_verification_of_the_specification_reads(number: int) -> None:
    path = shared("cds-hooks", "spec", f"hook-medication-verify-context-{number}.json")
    value = path.read_bytes().replace(b"{", b'{"hook": "medication-verify",', 1)
    order = read_prescription(value, name=path.name, today=TODAY).orders[0]
    assert (order.dose, order.frequency, order.status) == (Amount(5, 5, "mL"), Timing(2, 2, 1), "new")


@pytest.mark.parametrize("version", ["R4", "STU3"])
@pytest.mark.parametrize("hook", ["order-sign", "order-select"])
def test_a_context_of_the_specification_reads_past_its_diet(hook: str, version: str) -> None:
    path = shared("cds-hooks", "spec", f"hook-{hook}-context-{version}.json")
    found = read_prescription(
        path.read_bytes().replace(b"{", f'{{"hook": "{hook}",'.encode(), 1), name=path.name, today=TODAY
    )
    assert len(found.orders) == 1
    assert any("NutritionOrder" in r for r in found.remarks)


def test_all_hospital_stays_read_through_the_shipped_mapping() -> None:
    folder = shared("inpatient-orders")
    mapping = load_mapping(ROOT / "examples" / "mappings" / "inpatient-orders.toml", beside=folder)
    with (folder / "orders.csv").open("rb") as stream:
        results = list(read_batch(stream, name="orders.csv", today=TODAY, mapping=mapping))
    found = [r.value for r in results if isinstance(r.value, Prescription)]
    assert len(results) == len(found) == 61
    orders = [o for p in found for o in p.orders]
    assert len(orders) == 5023
    assert Counter(o.source.rsplit("(", 1)[1].rstrip(")") for o in orders) == {
        "MAIN": 3642,
        "BASE": 1328,
        "ADDITIVE": 53,
    }
    assert all(p.patient.age and p.patient.sex and p.patient.conditions for p in found)
    assert sum(o.dose is None for o in orders) < 100
    assert Amount(325, 650, "mg") in {o.dose for o in orders}
