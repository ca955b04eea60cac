"""Whatever comes in, a Prescription or a BadInput of one line comes out."""

from __future__ import annotations

import io
import json
from datetime import date
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pharmakon.adapters.interop.csv_mapping import CsvMapping, mapping_of, read_mapping
from pharmakon.adapters.interop.plain_order import KEYS as ORDER_KEYS
from pharmakon.adapters.interop.plain_patient import KEYS as PATIENT_KEYS
from pharmakon.adapters.interop.read import read_batch, read_prescription
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Prescription

from .bundles import WARFARIN, bundle, observation, request, resource

TODAY = date(2026, 6, 1)
#: a busy machine is no failure
quietly = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=80)
WORDS = [
    "", "active", "draft", "stopped", "completed", "#m", "Medication/m", "Patient/p", "2026-02-30", "2026",
    "9999-12-31", "0001", "Today() - 99999 years", "mg", "d", "h", "BID", "MORN", "warfarin", "77386006", "2160-0",
    "82810-3", "http://loinc.org", "final", "refuted", "order", "\u00a0", "1e5", "-3",
]  # fmt: skip
SCALARS = (
    st.none() | st.booleans() | st.integers(-(10**19), 10**19) | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS) | st.text(max_size=8)
)  # fmt: skip
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def read(data: bytes, mapping: CsvMapping | None = None) -> Prescription | None:
    """None for a complaint; anything but that and a prescription is raised."""
    try:
        return read_prescription(data, name="x", today=TODAY, mapping=mapping)
    except BadInput as error:
        if "\n" in str(error):
            raise AssertionError("a complaint of several lines") from error
        return None


def fits(value: object) -> None:
    found = read(json.dumps(value).encode())
    if found is None:
        return
    assert isinstance(found, Prescription)
    assert [o.line for o in found.orders] == list(range(len(found.orders)))
    assert all(o.dose is None or 0 <= o.dose.low <= o.dose.high for o in found.orders)
    assert all(o.drug.text for o in found.orders)
    hash(found)


def objects(keys: list[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(keys), values, max_size=8)


#: FHIR's own element names, at any depth and with anything in them: junk in the right places
FHIR_KEYS = [
    "resourceType", "id", "status", "intent", "code", "coding", "system", "value", "text", "display", "reference",
    "subject", "patient", "contained", "medicationCodeableConcept", "medicationReference", "medication", "concept",
    "authoredOn", "_authoredOn", "extension", "url", "valueString", "dosageInstruction", "dosage", "timing", "repeat",
    "frequency", "frequencyMax", "period", "periodMax", "periodUnit", "dayOfWeek", "timeOfDay", "when",
    "boundsPeriod", "boundsDuration", "start", "end", "doseAndRate", "doseQuantity", "doseRange", "low", "high",
    "unit", "sequence", "asNeededBoolean", "route", "effectivePeriod", "effectiveDateTime", "whenHandedOver",
    "daysSupply", "dispenseRequest", "expectedSupplyDuration", "reasonReference", "ingredient", "itemReference",
    "birthDate", "gender", "clinicalStatus", "verificationStatus", "reaction", "manifestation", "valueQuantity",
    "valueCodeableConcept", "component", "entry", "resource", "link", "relation", "issue",
]  # fmt: skip
NEST = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | objects(FHIR_KEYS, inner), max_leaves=12)
KINDS = [
    "MedicationRequest", "MedicationOrder", "MedicationStatement", "MedicationDispense", "MedicationAdministration",
    "Medication", "Patient", "Condition", "AllergyIntolerance", "Observation", "OperationOutcome", "Bundle",
    "NutritionOrder",
]  # fmt: skip
RESOURCES = st.builds(
    lambda kind, fields: {**fields, "resourceType": kind}, st.sampled_from(KINDS), objects(FHIR_KEYS, NEST)
)
DOSAGES = objects(FHIR_KEYS, NEST).map(
    lambda d: {"resourceType": "MedicationRequest", "status": "active", "dosageInstruction": [d]}
)
CREATININE = {"coding": [{"system": "http://loinc.org", "code": "2160-0"}]}
LABS = objects(FHIR_KEYS, NEST).map(
    lambda d: {
        **d,
        "resourceType": "Observation",
        "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "2160-0"}]},
    }
)
ORDER = {"resourceType": "MedicationRequest", "status": "active", "medicationCodeableConcept": {"text": "warfarin"}}
BUNDLES = st.lists(RESOURCES | DOSAGES | LABS | NEST, max_size=5).map(
    lambda rs: {"resourceType": "Bundle", "entry": [{"resource": r} for r in [*rs, ORDER]]}
)


HOOK_KEYS = ["draftOrders", "medications", "medication", "order", "selections", "patientId", "prefetch", "item2"]
ANY = BUNDLES | RESOURCES | NEST


@quietly
@given(JUNK)
def test_arbitrary_json_is_a_prescription_or_one_complaint(value: object) -> None:
    fits(value)


@quietly
@given(st.lists(objects(list(ORDER_KEYS), JUNK) | JUNK, max_size=3), objects(list(PATIENT_KEYS), JUNK), JUNK)
def test_junk_in_the_plain_form_is_a_prescription_or_one_complaint(
    orders: list[Any], patient: object, as_of: object
) -> None:
    fits(
        {
            "medications": [{"drug": "x", **o} if isinstance(o, dict) else o for o in orders],
            "patient": patient,
            "as_of": as_of,
        }
    )


@quietly
@given(BUNDLES | RESOURCES | st.lists(RESOURCES, max_size=3))
def test_junk_in_fhir_is_a_prescription_or_one_complaint(value: object) -> None:
    fits(value)


@quietly
@given(
    st.sampled_from(["order-sign", "order-select", "medication-prescribe", "medication-verify", "patient-view", "x"]),
    st.dictionaries(st.sampled_from(HOOK_KEYS), ANY, max_size=3),
    st.dictionaries(st.sampled_from(["a", "b"]), ANY, max_size=2),
)
def test_junk_in_a_hook_is_a_prescription_or_one_complaint(hook: str, context: object, prefetch: object) -> None:
    fits({"hook": hook, "context": context, "prefetch": prefetch})


@quietly
@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_a_prescription_or_one_complaint(data: bytes) -> None:
    read(data)


@quietly
@given(st.lists(st.sampled_from([b"", b"{}", b"  ", b"[", b'{"medications": [{"drug": "a"}]}', b"\xff"]), max_size=8))
def test_a_batch_answers_every_line_but_blank_ones_at_its_end(lines: list[bytes]) -> None:
    results = list(read_batch(io.BytesIO(b"\n".join(lines)), name="x", today=TODAY))
    last = max((n for n, line in enumerate(lines, 1) if line.strip()), default=0)
    assert [r.number for r in results] == list(range(1, last + 1))


@quietly
@given(st.text(max_size=120))
def test_arbitrary_text_as_csv_is_a_prescription_or_one_complaint(text: str) -> None:
    mapping = read_mapping('[order]\ndrug = "name"\nstart = "from"\n', name="m", folders=[])
    for data in (text, "name,from\n" + text):
        read(data.encode("utf-8", "replace"), mapping)


MAPPING_KEYS = [
    "file", "group", "epoch", "missing", "patients", "key", "order", "drug", "dose", "codes", "column", "system",
    "skip", "text", "values", "patient", "age", "conditions", "split", "none", "amount", "unit",
]  # fmt: skip
TABLES = st.recursive(
    SCALARS | st.sampled_from(["name", "from"]),
    lambda inner: st.lists(inner, max_size=2) | objects(MAPPING_KEYS, inner),
    max_leaves=10,
)


@quietly
@given(objects(MAPPING_KEYS, TABLES), objects(MAPPING_KEYS, TABLES), st.sampled_from(["name", "{name}", 5]))
def test_junk_in_a_mapping_is_a_mapping_or_one_complaint(
    data: dict[str, Any], order: dict[str, Any], drug: object
) -> None:
    try:
        mapping = mapping_of({**data, "order": {"drug": drug, **order}}, name="m", folders=[])
    except BadInput:
        return
    read(b"name,from\nwarfarin,2026-01-01\n", mapping)


FULL_RECORD: dict[str, Any] = {
    "hook": "order-sign",
    "context": {
        "patientId": "p1",
        "draftOrders": bundle(
            request(
                id="d1",
                status="draft",
                dosageInstruction=[
                    {
                        "sequence": 1,
                        "asNeededBoolean": True,
                        "timing": {"repeat": {"frequency": 1, "period": 8, "periodUnit": "h", "dayOfWeek": ["mon"]}},
                        "doseAndRate": [{"doseRange": {"low": {"value": 1, "unit": "mg"}, "high": {"value": 2}}}],
                        "maxDosePerPeriod": {"numerator": {"value": 4}, "denominator": {"value": 1, "code": "d"}},
                    },
                    {"sequence": 2, "doseQuantity": {"value": 5, "unit": "mg"}, "timing": {"code": {"text": "BID"}}},
                ],
                reasonReference=[{"reference": "Condition/condition"}],
            )
        ),
    },
    "prefetch": {
        "a": bundle(
            {"resourceType": "Patient", "id": "p1", "birthDate": "1948-03", "gender": "female"},
            resource("MedicationDispense", status="completed", medicationReference={"reference": "#m"},
                     contained=[{"resourceType": "Medication", "id": "m", "code": WARFARIN}],
                     whenHandedOver="2026-04-01", daysSupply={"value": 30, "code": "d"}),
            resource("MedicationStatement", status="active", medicationCodeableConcept=WARFARIN,
                     effectivePeriod={"start": "2026-01", "end": "2026-03"}),
            resource("Condition", code={"text": "CKD"}, onsetDateTime="2020",
                     clinicalStatus={"coding": [{"code": "active"}]}),
            resource("AllergyIntolerance", code={"text": "penicillin"},
                     reaction=[{"manifestation": [{"text": "rash"}], "severity": "mild"}]),
            observation("2160-0", 1.4), observation("29463-7", 58, "kg"), observation("82810-3"),
        )
    },
}  # fmt: skip


def _paths(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children: list[tuple[Any, object]] = []
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    return [path, *(p for key, child in children for p in _paths(child, (*path, key)))]


def _replaced(value: Any, path: tuple[Any, ...], junk: object) -> Any:
    if not path:
        return junk
    if isinstance(value, dict) and path[0] in value:
        return {**value, path[0]: _replaced(value[path[0]], path[1:], junk)}
    if isinstance(value, list) and isinstance(path[0], int) and path[0] < len(value):
        return [_replaced(v, path[1:], junk) if i == path[0] else v for i, v in enumerate(value)]
    return value


@settings(quietly, max_examples=300)
@given(st.lists(st.tuples(st.sampled_from(_paths(FULL_RECORD)[1:]), SCALARS | JUNK), min_size=1, max_size=3))
def test_a_whole_record_with_junk_at_any_place_is_a_prescription_or_one_complaint(changes: list[Any]) -> None:
    value = FULL_RECORD
    for path, junk in changes:
        value = _replaced(value, path, junk)
    fits(value)
