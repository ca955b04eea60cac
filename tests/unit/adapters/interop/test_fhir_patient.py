"""What a record says of the patient: three values, never two."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pharmakon.model.prescription import Patient

from .bundles import observation, read, request, resource


def patient_of(*resources: dict[str, Any], authored: str = "2026-05-01") -> Patient:
    return read(request(authoredOn=authored), *resources).patient


@pytest.mark.parametrize(
    ("born", "age"),
    [
        ("1948-05-01", (78, 78)),
        ("1948-05-02", (77, 77)),
        ("1948", (77, 78)),
        ("1948-05", (77, 78)),
        ("2026-05", (0, 0)),
        ("1700", None),
        ("2030-01-01", None),
        ("soon", None),
    ],
)
def test_age_is_completed_years_on_the_day_of_the_audit(born: str, age: tuple[float, float] | None) -> None:
    assert patient_of(resource("Patient", birthDate=born)).age == age


@pytest.mark.parametrize(
    ("gender", "sex"), [("female", "female"), ("male", "male"), ("other", None), ("unknown", None)]
)
def test_sex_is_known_only_where_it_is_said(gender: str, sex: str | None) -> None:
    assert patient_of(resource("Patient", gender=gender)).sex == sex


def test_no_record_of_conditions_or_allergies_is_unknown_not_none() -> None:
    patient = patient_of(resource("Patient"))
    assert patient.conditions is None
    assert patient.allergies is None


def condition(**fields: Any) -> dict[str, Any]:
    return resource("Condition", code={"text": "peptic ulcer"}, **fields)


def coded(code: str) -> dict[str, Any]:
    return {"coding": [{"code": code}]}


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, "active"),
        ({"clinicalStatus": coded("recurrence")}, "active"),
        ({"clinicalStatus": "resolved"}, "history"),
        ({"clinicalStatus": coded("inactive")}, "history"),
        ({"clinicalStatus": coded("active"), "abatementDateTime": "2017"}, "history"),
        ({"clinicalStatus": "active", "verificationStatus": "differential"}, "uncertain"),
        ({"verificationStatus": coded("provisional")}, "uncertain"),
        ({"verificationStatus": coded("unconfirmed")}, "uncertain"),
    ],
)
def test_a_condition_is_active_history_or_uncertain(fields: dict[str, Any], status: str) -> None:
    found = patient_of(condition(**fields)).conditions
    assert found is not None
    assert found[0].status == status


@pytest.mark.parametrize("verification", ["refuted", "entered-in-error"])
def test_a_refuted_condition_is_not_used_and_that_is_said(verification: str) -> None:
    found = read(request(), condition(verificationStatus=coded(verification)))
    assert found.patient.conditions is None
    said = [r for r in found.remarks if r.startswith("Condition/condition (")]
    assert len(said) == 1
    assert said[0].endswith(f"was not used: it is {verification.replace('-', ' ')}")


def allergy(**fields: Any) -> dict[str, Any]:
    return resource("AllergyIntolerance", **{"code": {"text": "penicillin"}, **fields})


def test_an_allergy_brings_its_kind_reaction_and_severity() -> None:
    found = patient_of(
        allergy(
            type="intolerance", criticality="low", reaction=[{"manifestation": [{"text": "rash"}], "severity": "mild"}]
        )
    ).allergies
    assert found is not None
    assert (found[0].kind, found[0].reaction, found[0].severity) == ("intolerance", "rash", "mild")


@pytest.mark.parametrize(
    "fields",
    [
        {"verificationStatus": coded("refuted")},
        {"verificationStatus": "entered-in-error"},
        {"clinicalStatus": coded("resolved")},
        {"clinicalStatus": "inactive"},
        {"status": "refuted"},
    ],
)
def test_a_refuted_or_resolved_allergy_is_ignored(fields: dict[str, Any]) -> None:
    found = read(request(), allergy(**fields))
    assert not found.patient.allergies
    assert (
        sum("AllergyIntolerance/allergyintolerance (penicillin) was not used: it is" in r for r in found.remarks) == 1
    )


@pytest.mark.parametrize("code", ["716186003", "409137002"])
def test_no_known_allergy_is_an_empty_list(code: str) -> None:
    none_known = allergy(code={"coding": [{"system": "http://snomed.info/sct", "code": code}]})
    assert patient_of(none_known).allergies == ()
    refuted = {**none_known, "verificationStatus": coded("refuted")}
    assert patient_of(refuted).allergies is None


def test_an_allergy_outweighs_a_record_of_none() -> None:
    found = read(request(), {**allergy(), "id": "a2"}, allergy(code={"text": "No known allergies"}))
    assert found.patient.allergies is not None
    assert [a.substance.text for a in found.patient.allergies] == ["penicillin"]
    assert any("both" in r for r in found.remarks)


def test_the_newest_final_value_of_each_factor_is_kept_with_its_date() -> None:
    old = observation("2160-0", 1.1, effectiveDateTime="2025-01-01") | {"id": "o1"}
    new = observation("2160-0", 1.4, effectiveDateTime="2026-04-02T08:00:00Z") | {"id": "o2"}
    draft = observation("2160-0", 9.9, effectiveDateTime="2026-04-30", status="preliminary") | {"id": "o3"}
    labs = dict(patient_of(new, draft, old).labs)
    assert (labs["creatinine"].value, labs["creatinine"].date) == (1.4, date(2026, 4, 2))


@pytest.mark.parametrize(
    ("loinc", "factor"),
    [
        ("14682-9", "creatinine"),
        ("98979-8", "egfr"),
        ("62238-1", "egfr"),
        ("35591-7", "crcl"),
        ("2823-3\u00a0", "potassium"),
        ("2951-2", "sodium"),
        ("19123-9", "magnesium"),
        ("17861-6", "calcium"),
        ("6301-6", "inr"),
        ("4548-4", "hba1c"),
        ("2345-7", "glucose"),
        ("1742-6", "alt"),
        ("1975-2", "bilirubin"),
        ("1751-7", "albumin"),
        ("10535-3", "digoxin"),
        ("8636-3", "qtc"),
    ],
)
def test_a_loinc_code_names_its_factor(loinc: str, factor: str) -> None:
    labs = dict(patient_of(observation(loinc, 5, "as written")).labs)
    assert labs[factor].unit == "as written"


def test_the_kind_of_an_egfr_is_kept() -> None:
    labs = dict(patient_of(observation("62238-1", 40, "mL/min/{1.73_m2}")).labs)
    assert "CKD-EPI 2009" in labs["egfr"].source


def test_an_egfr_in_half_its_unit_is_read_by_its_code_and_said() -> None:
    found = read(request(), observation("33914-3", 26, "mL/min"))
    assert dict(found.patient.labs)["egfr"].unit == "mL/min/1.73m2"
    assert any("per 1.73 m2" in r for r in found.remarks)


def test_ionised_calcium_is_not_taken_for_total_calcium() -> None:
    assert patient_of(observation("1995-0", 1.2, "mmol/L")).labs == ()


def test_weight_and_height_are_the_patients_own() -> None:
    patient = patient_of(observation("29463-7", 58, "kg"), observation("8302-2", 160, "cm"))
    assert patient.weight is not None
    assert patient.height is not None
    assert (patient.weight.value, patient.height.value, patient.labs) == (58, 160, ())


def test_an_impossible_value_is_left_out_and_said() -> None:
    found = read(request(), observation("2160-0", -1))
    assert found.patient.labs == ()
    assert any("creatinine -1" in r for r in found.remarks)


@pytest.mark.parametrize("sign", ["<", "<=", ">=", ">"])
def test_a_value_beyond_the_scale_is_a_bound_and_said(sign: str) -> None:
    above = observation("98979-8", valueQuantity={"value": 60, "unit": "mL/min/1.73m2", "comparator": sign})
    found = read(request(), above)
    egfr = dict(found.patient.labs)["egfr"]
    assert (egfr.value, egfr.comparator) == (60, sign)
    assert any(f"reported as {sign}60" in r for r in found.remarks)


def test_a_comparator_that_is_none_makes_no_value() -> None:
    odd = observation("98979-8", valueQuantity={"value": 60, "unit": "mL/min/1.73m2", "comparator": "ad"})
    found = read(request(), odd)
    assert found.patient.labs == ()
    assert any("comparator" in r for r in found.remarks)


@pytest.mark.parametrize(
    ("loinc", "value", "unit"),
    [("2823-3", 58, "mmol/L"), ("2951-2", 14, "mmol/L"), ("4548-4", 53, "%"), ("2160-0", 90, "mg/dL")],
)
def test_a_value_no_living_patient_has_is_left_out_and_said(loinc: str, value: float, unit: str) -> None:
    found = read(request(), observation(loinc, value, unit))
    assert found.patient.labs == ()
    assert any("implausible, not used" in r for r in found.remarks)


def test_of_a_bound_only_the_closed_side_has_to_be_plausible() -> None:
    def labs(value: float, sign: str) -> int:
        quantity = {"value": value, "unit": "mmol/L", "comparator": sign}
        return len(patient_of(observation("2823-3", valueQuantity=quantity)).labs)

    assert labs(20, "<") == 1
    assert labs(20, ">") == 0
    assert labs(0.5, ">") == 1
    assert labs(0.5, "<") == 0


@pytest.mark.parametrize("born", ["1944-02-30", 5, "soon", {"year": 1944}])
def test_a_birth_date_that_cannot_be_read_is_said(born: object) -> None:
    found = read(request(), resource("Patient", birthDate=born))
    assert found.patient.age is None
    assert sum("birth date" in r and "can't be read" in r for r in found.remarks) == 1


def test_any_other_date_that_cannot_be_read_is_said() -> None:
    found = read(request(), observation("2160-0", 1.1, effectiveDateTime="2026-02-30"))
    assert any("o-2160-0: its effectiveDateTime can't be read" in r for r in found.remarks)


def answer(loinc: str, code: str, when: str) -> dict[str, Any]:
    return {
        "resourceType": "Observation",
        "id": "a",
        "status": "final",
        "effectiveDateTime": when,
        "code": {"coding": [{"system": "http://loinc.org", "code": loinc}]},
        "valueCodeableConcept": {"coding": [{"system": "http://snomed.info/sct", "code": code}]},
    }


def test_pregnancy_is_read_from_its_answer_and_not_from_one_of_years_ago() -> None:
    assert patient_of(answer("82810-3", "77386006", "2026-04-01")).pregnant is True
    assert patient_of(answer("82810-3", "60001007", "2026-04-01")).pregnant is False
    assert patient_of(answer("82810-3", "77386006", "2023-04-01")).pregnant is None
    assert patient_of(answer("63895-7", "413712001", "2026-04-01")).lactating is True


def test_a_panel_is_read_by_its_components() -> None:
    panel = {
        "resourceType": "Observation",
        "id": "panel",
        "status": "final",
        "effectiveDateTime": "2026-04-01",
        "code": {"text": "electrolytes"},
        "component": [observation("2823-3", 5.4, "mmol/L"), observation("2951-2", 139, "mmol/L")],
    }
    assert {n for n, _ in patient_of(panel).labs} == {"potassium", "sodium"}
