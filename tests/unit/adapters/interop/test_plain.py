"""The plain form: what it may hold, and how each mistake is told."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from typing import Any

import pytest

from pharmakon.adapters.interop.plain import read_plain
from pharmakon.model.concepts import Code
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Amount, Prescription, Timing

TODAY = date(2026, 6, 1)

FULL: dict[str, Any] = {
    "patient": {
        "age": 82,
        "sex": "female",
        "weight_kg": 54,
        "height_cm": 158,
        "creatinine": {"value": 1.4, "unit": "mg/dL"},
        "child_pugh": "B",
        "pregnant": False,
        "trimester": None,
        "lactating": False,
        "dialysis": False,
        "conditions": ["atrial fibrillation"],
        "allergies": ["penicillin"],
        "labs": {"potassium": {"value": 5.4, "unit": "mmol/L"}},
        "notes": ["CKD stage 4, last eGFR 22. No history of GI bleeding."],
    },
    "medications": [
        {
            "drug": "warfarin 5 mg tablet",
            "dose": {"value": 5, "unit": "mg"},
            "frequency": "once daily",
            "route": "oral",
            "duration_days": 28,
            "indication": "atrial fibrillation",
            "sig": None,
            "status": "new",
            "start": "2026-03-01",
            "end": None,
        }
    ],
    "as_of": "2026-03-02",
}


def read(value: object) -> Prescription:
    return read_plain(value, name="p.json", today=TODAY)


def with_patient(**fields: Any) -> dict[str, Any]:
    return {"patient": fields, "medications": [{"drug": "warfarin"}]}


def with_order(**fields: Any) -> dict[str, Any]:
    return {"medications": [{"drug": "warfarin", **fields}]}


def complaint(value: object) -> str:
    with pytest.raises(BadInput) as caught:
        read(value)
    return str(caught.value)


def test_the_example_of_the_design_reads_whole() -> None:
    read_ = read(FULL)
    order, patient = read_.orders[0], read_.patient
    assert (order.drug.text, order.dose, order.frequency) == ("warfarin 5 mg tablet", Amount(5, 5, "mg"), "once daily")
    assert (order.status, order.start, order.end, order.duration_days) == ("new", date(2026, 3, 1), None, 28)
    assert patient.age == (82, 82)
    assert patient.weight is not None
    assert (patient.weight.value, patient.weight.unit) == (54, "kg")
    assert {name for name, _ in patient.labs} == {"creatinine", "potassium"}
    assert patient.pregnant is False
    assert patient.trimester is None
    assert read_.as_of == date(2026, 3, 2)


def test_what_is_absent_is_unknown_and_an_empty_list_is_none() -> None:
    nothing, empty = read(with_order()).patient, read(with_patient(conditions=[], allergies=[])).patient
    assert (nothing.age, nothing.conditions, nothing.allergies) == (None, None, None)
    assert (empty.conditions, empty.allergies) == ((), ())


def test_no_known_drug_allergies_means_none() -> None:
    assert read(with_patient(allergies=["NKDA"])).patient.allergies == ()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            {"medications": [{"drug": "warfarin", "dosage": 5}]},
            "p.json, medications[0]: unknown key 'dosage'; expected 'dose'?",
        ),
        ({"medications": [{"drug": "x"}], "pateint": {}}, "p.json: unknown key 'pateint'; expected 'patient'?"),
        (with_patient(weight=70), "p.json, patient: unknown key 'weight'; expected 'weight_kg'?"),
        (
            with_patient(labs={"potasium": {"value": 5, "unit": "mmol/L"}}),
            "unknown key 'potasium'; expected 'potassium'?",
        ),
        ({"medications": []}, "p.json, medications: there is no medication to audit"),
        ({}, "p.json, medications: there is no medication"),
        ([], "p.json: this is a list; expected an object"),
        ("warfarin", "p.json: this is a text"),
        (with_patient(age=-1), "p.json, patient.age: -1 is out of range; expected 0 to 125 years"),
        (with_patient(age=900), "patient.age: 900 is out of range"),
        (with_patient(age="82"), "patient.age: this is a text; expected a number, 0 to 125 years"),
        (with_patient(age=True), "patient.age: this is true or false; expected a number"),
        (with_patient(weight_kg=0), "patient.weight_kg: 0 is out of range; expected 0.3 to 500 kg"),
        (with_patient(height_cm=1.58), "patient.height_cm: 1.58 is out of range; expected 20 to 260 cm"),
        (
            with_patient(creatinine={"value": 0, "unit": "mg/dL"}),
            "patient.creatinine.value: 0 is out of range; expected more than 0",
        ),
        (with_patient(creatinine={"value": 1.4}), "patient.creatinine: the unit is missing"),
        (
            with_patient(creatinine=1.4),
            "patient.creatinine: this is a number; expected an object with value, unit, date",
        ),
        (with_patient(sex="femal"), "patient.sex: 'femal' is none of them (female?)"),
        (with_patient(trimester=4), "patient.trimester: 4 is out of range"),
        (with_patient(pregnant="no"), "patient.pregnant: this is a text; expected true, false or null"),
        (with_patient(conditions="CKD"), "patient.conditions: this is a text; expected a list"),
        (with_patient(conditions=[""]), "patient.conditions[0]: the text is empty"),
        (with_patient(child_pugh="D"), "patient.child_pugh: 'D' is no Child-Pugh class"),
        (
            with_order(dose={"value": -5, "unit": "mg"}),
            "medications[0].dose.value: -5 is out of range; expected more than 0",
        ),
        (with_order(dose={"value": 0, "unit": "mg"}), "medications[0].dose.value: 0 is out of range"),
        (with_order(dose={"value": 5}), "medications[0].dose: the unit is missing"),
        (with_order(dose={"value": 5, "unit": "blobs"}), "p.json, medications[0].dose.unit: unknown unit 'blobs'"),
        (with_patient(labs={"potassium": {"value": 5, "unit": "mmol/X"}}), "patient.labs.potassium.unit: unknown unit"),
        (with_order(dose="5 mg"), "medications[0].dose: this is a text; expected an object with value, unit"),
        (with_order(frequency={"times": 2, "per": "fortnight"}), "frequency.per: 'fortnight' is no period"),
        (with_order(frequency={"times": 0, "per": "day"}), "frequency.times: 0 is out of range"),
        (with_order(duration_days=0), "duration_days: 0 is out of range; expected more than 0"),
        (with_order(status="activ"), "status: 'activ' is none of them (active?)"),
        (with_order(start="2026-02-30"), "start: '2026-02-30' is no date; expected a date such as 2026-03-01"),
        (with_order(start="2026-03-02", end="2026-03-01"), "the order ends (2026-03-01) before it starts (2026-03-02)"),
        ({"medications": [{"dose": {"value": 1, "unit": "mg"}}]}, "medications[0].drug: the drug is missing"),
        ({"medications": [{"drug": "  "}]}, "medications[0].drug: the text is empty"),
        ({"medications": ["warfarin"]}, "medications[0]: this is a text; expected an object"),
    ],
)
def test_each_mistake_is_told_with_its_place_and_what_was_expected(value: object, said: str) -> None:
    assert said in complaint(value)


def test_what_is_odd_but_possible_is_left_to_the_audit() -> None:
    odd = read(
        {
            "patient": {"age": 110, "weight_kg": 300, "creatinine": {"value": 20, "unit": "mg/dL"}},
            "medications": [{"drug": "warfarin", "dose": {"value": 500, "unit": "mg"}}],
        }
    )
    assert odd.orders[0].dose == Amount(500, 500, "mg")


def test_frequency_is_text_or_times_per_period() -> None:
    assert read(with_order(frequency="1-0-1")).orders[0].frequency == "1-0-1"
    assert read(with_order(frequency={"times": 2, "per": "day"})).orders[0].frequency == Timing(2, 2, 1)
    assert read(with_order(frequency={"times": 1, "per": "8 hours"})).orders[0].frequency == Timing(1, 1, 8 / 24)
    assert read(with_order(frequency={"times": 1, "per": "week"})).orders[0].frequency == Timing(1, 1, 7)


def test_a_name_may_bring_its_codes() -> None:
    name = {"text": "warfarin", "codes": [{"system": "http://www.nlm.nih.gov/research/umls/rxnorm", "value": "11289"}]}
    read_ = read(
        {
            "medications": [{"drug": name}],
            "patient": {"conditions": [{"codes": [{"system": "ICD-10", "value": "N18.4"}]}]},
        }
    )
    assert read_.orders[0].drug.codes == (Code("rxnorm", "11289"),)
    assert read_.patient.conditions is not None
    assert read_.patient.conditions[0].name.codes == (Code("icd10", "N18.4"),)


def test_an_allergy_may_bring_its_reaction() -> None:
    allergy = {"substance": "penicillin", "reaction": "anaphylaxis", "severity": "severe", "kind": "allergy"}
    read_ = read(with_patient(allergies=["latex", allergy])).patient.allergies
    assert read_ is not None
    assert [(a.substance.text, a.kind, a.reaction, a.severity) for a in read_] == [
        ("latex", "unknown", "", ""),
        ("penicillin", "allergy", "anaphylaxis", "severe"),
    ]


def test_child_pugh_may_be_given_by_its_components() -> None:
    parts = {
        "bilirubin": {"value": 2.5, "unit": "mg/dL"},
        "albumin": {"value": 2.9, "unit": "g/dL"},
        "inr": 1.8,
        "ascites": "mild",
        "encephalopathy": 2,
    }
    patient = read(with_patient(child_pugh=parts)).patient
    assert patient.child_pugh is None
    assert dict(patient.child_pugh_parts) == {
        "bilirubin": "2.5 mg/dL",
        "albumin": "2.9 g/dL",
        "inr": "1.8",
        "ascites": "mild",
        "encephalopathy": "grade 2",
    }


def test_laboratory_values_keep_their_dates_and_stand_newest_last() -> None:
    labs = {
        "egfr": [
            {"value": 30, "unit": "mL/min/1.73m2", "date": "2026-02-01"},
            {"value": 45, "unit": "mL/min/1.73m2", "date": "2025-02-01"},
        ],
        "inr": {"value": 2.5},
    }
    read_ = read(with_patient(labs=labs)).patient.labs
    assert [(n, m.value, m.unit) for n, m in read_] == [
        ("egfr", 45, "mL/min/1.73m2"),
        ("egfr", 30, "mL/min/1.73m2"),
        ("inr", 2.5, "1"),
    ]


def test_the_audit_is_as_of_the_input_else_the_latest_order_else_today() -> None:
    dated = {"medications": [{"drug": "a", "start": "2026-01-05"}, {"drug": "b", "start": "2026-02-05"}]}
    assert read({**dated, "as_of": "2025-12-31"}).as_of == date(2025, 12, 31)
    assert read(dated).as_of == date(2026, 2, 5)
    assert read(with_order()).as_of == TODAY
    mistaken = {
        "medications": [
            {"drug": "a", "start": "2026-01-05"},
            {"drug": "b", "start": "2027-01-01", "status": "entered_in_error"},
        ]
    }
    assert read(mistaken).as_of == date(2026, 1, 5)


def test_markup_in_a_note_stays_text() -> None:
    note = "<script>alert(1)</script> CKD <b>4</b>"
    assert read(with_patient(notes=[note])).patient.notes == (note,)


def test_the_input_is_left_as_it_was() -> None:
    before = deepcopy(FULL)
    read(FULL)
    assert before == FULL


# ── names that are codes, and the words of an allergy list ─────────────────────────────────────────


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("N18.4", Code("icd10", "N18.4")),
        ("n18.4", Code("icd10", "N18.4")),
        ("I10", Code("icd10", "I10")),
        ("N184", Code("icd10", "N184")),
        ("ICD-10 N18.4", Code("icd10", "N18.4")),
        ("ICD-10-CM: N18.4", Code("icd10", "N18.4")),
        ("icd10:I50.9", Code("icd10", "I50.9")),
        ("585.4", Code("icd9", "585.4")),
        ("ICD-9 585.4", Code("icd9", "585.4")),
        ("42731", Code("icd9", "427.31")),
        ("709044004", Code("snomed", "709044004")),
        ("SNOMED CT 709044004", Code("snomed", "709044004")),
        ("CKD stage 4 (N18.4)", Code("icd10", "N18.4")),
        ("N18.4 CKD stage 4", Code("icd10", "N18.4")),
    ],
)
def test_a_condition_that_is_written_as_its_code_carries_the_code(written: str, code: Code) -> None:
    found = read(with_patient(conditions=[written])).patient.conditions
    assert found is not None
    assert found[0].name.codes == (code,)


@pytest.mark.parametrize("written", ["T2D", "H1N1 influenza", "HIV", "type 2 diabetes", "B12 deficiency", "COVID-19"])
def test_a_name_with_figures_in_it_is_no_code(written: str) -> None:
    found = read(with_patient(conditions=[written])).patient.conditions
    assert found is not None
    assert found[0].name.codes == ()


@pytest.mark.parametrize(
    "word", ["none", "None", "no known allergies", "geen", "NKDA", "无", "geen bekende allergieën"]
)
def test_a_word_for_none_is_an_empty_list(word: str) -> None:
    found = read(with_patient(allergies=[word]))
    assert found.patient.allergies == ()
    assert found.remarks == ()


@pytest.mark.parametrize("word", ["none", "geen", "无", "no known conditions"])
def test_a_word_for_no_conditions_is_an_empty_list(word: str) -> None:
    assert read(with_patient(conditions=[word])).patient.conditions == ()


@pytest.mark.parametrize("key", ["conditions", "allergies"])
def test_unknown_is_not_none_and_is_said(key: str) -> None:
    found = read(with_patient(**{key: ["unknown"]}))
    assert getattr(found.patient, key) is None
    assert any("leaves open" in r for r in found.remarks)


@pytest.mark.parametrize("key", ["conditions", "allergies"])
def test_what_is_named_outweighs_a_word_for_none(key: str) -> None:
    found = read(with_patient(**{key: ["none", "latex"]}))
    assert len(getattr(found.patient, key)) == 1
    assert any("says both" in r for r in found.remarks)


@pytest.mark.parametrize(
    "written", ["no penicillin allergy", "not allergic to penicillin", "geen penicilline-allergie", "penicillin: none"]
)
def test_an_allergy_that_is_denied_is_none_and_says_nothing_of_others(written: str) -> None:
    found = read(with_patient(allergies=[written]))
    assert found.patient.allergies is None
    assert any("no such allergy" in r for r in found.remarks)
    assert read(with_patient(allergies=[written, "latex"])).patient.allergies == (
        read(with_patient(allergies=["latex"])).patient.allergies
    )


@pytest.mark.parametrize(
    ("written", "substance", "reaction"),
    [
        ("lisinopril - cough", "lisinopril", "cough"),
        ("lisinopril – cough", "lisinopril", "cough"),
        ("amoxicillin (rash)", "amoxicillin", "rash"),
        ("codeine: nausea", "codeine", "nausea"),
        ("codeine - a strange feeling", "codeine", "a strange feeling"),
        ("青霉素（皮疹）", "青霉素", "皮疹"),
        ("rash: penicillin", "penicillin", "rash"),
        ("allergy: penicillin", "penicillin", ""),
        ("aspirin (acetylsalicylic acid)", "aspirin (acetylsalicylic acid)", ""),
        ("co-trimoxazole", "co-trimoxazole", ""),
        ("no known allergies except penicillin", "penicillin", ""),
        ("norfloxacin", "norfloxacin", ""),
    ],
)
def test_substance_and_reaction_come_apart(written: str, substance: str, reaction: str) -> None:
    found = read(with_patient(allergies=[written])).patient.allergies
    assert found is not None
    assert [(a.substance.text, a.reaction) for a in found] == [(substance, reaction)]


# ── contradictions, slips and sizes ────────────────────────────────────────────────────────────────


def test_an_order_entered_in_error_is_said_to_be_left_out() -> None:
    orders = [{"drug": "warfarin"}, {"drug": "digoxin", "status": "entered_in_error"}]
    assert read({"medications": orders}).remarks == ("line 2: entered in error, not audited",)


def test_a_trimester_without_a_pregnancy_is_refused() -> None:
    assert "patient.trimester: a trimester (2) is given and pregnant is false" in complaint(
        with_patient(trimester=2, pregnant=False)
    )
    assert read(with_patient(trimester=2)).patient.trimester == 2


def test_a_pregnant_man_is_asked_about() -> None:
    assert any("male and pregnant" in r for r in read(with_patient(sex="male", pregnant=True)).remarks)


def test_a_value_from_after_the_audit_is_used_and_said() -> None:
    labs = {"potassium": {"value": 5, "unit": "mmol/L", "date": "2026-03-05"}}
    found = read({**with_patient(labs=labs), "as_of": "2026-03-02"})
    assert len(found.patient.labs) == 1
    assert any("potassium is dated 2026-03-05, after the audit's date 2026-03-02" in r for r in found.remarks)


@pytest.mark.parametrize(
    ("name", "value", "unit"),
    [
        ("potassium", 58, "mmol/L"),
        ("potassium", 58, "mEq/L"),
        ("sodium", 14, "mmol/L"),
        ("hba1c", 53, "%"),
        ("creatinine", 90, "mg/dL"),
        ("albumin", 38, "g/dL"),
        ("calcium", 9.4, "mmol/L"),
        ("inr", 25, "%"),
        ("qtc", 450, "s"),
    ],
)
def test_a_laboratory_value_no_patient_has_is_said_and_not_used(name: str, value: float, unit: str) -> None:
    found = read(with_patient(labs={name: {"value": value, "unit": unit}}))
    assert found.patient.labs == ()
    assert any(f"{name} {value:g} {unit} is implausible, not used" in r for r in found.remarks)


@pytest.mark.parametrize(
    ("name", "value", "unit"),
    [
        ("potassium", 5.8, "mmol/L"),
        ("hba1c", 53, "mmol/mol"),
        ("creatinine", 90, "umol/L"),
        ("albumin", 38, "g/L"),
        ("calcium", 2.4, "mmol/L"),
        ("glucose", 6.1, "mmol/L"),
        ("egfr", 38, "mL/min"),
        ("qtc", 0.45, "s"),
    ],
)
def test_a_plausible_value_keeps_its_unit(name: str, value: float, unit: str) -> None:
    found = read(with_patient(labs={name: {"value": value, "unit": unit}}))
    assert [(n, m.value, m.unit) for n, m in found.patient.labs] == [(name, value, unit)]
    assert found.remarks == ()


def test_a_laboratory_value_may_be_a_bound() -> None:
    labs = {"egfr": {"value": 60, "unit": "mL/min/1.73m2", "comparator": ">"}, "inr": {"value": 1.1, "comparator": "≤"}}
    assert {n: m.comparator for n, m in read(with_patient(labs=labs)).patient.labs} == {"egfr": ">", "inr": "<="}
    labs["egfr"]["comparator"] = "about"
    assert "patient.labs.egfr.comparator: 'about' is none of them" in complaint(with_patient(labs=labs))


def test_a_bare_number_is_a_ratio_or_refused() -> None:
    assert [m.unit for _, m in read(with_patient(labs={"inr": 2.5})).patient.labs] == ["1"]
    assert "patient.labs.potassium: this is a number" in complaint(with_patient(labs={"potassium": 5}))


@pytest.mark.parametrize("key", ["drug", "sig", "frequency", "route", "indication"])
def test_a_text_of_an_order_has_an_end(key: str) -> None:
    assert f"medications[0].{key}: the text is too long (2001 characters)" in complaint(with_order(**{key: "x" * 2001}))
    assert read(with_order(**{key: "x" * 2000})).orders


def test_a_condition_ends_sooner_than_a_note() -> None:
    assert "patient.conditions[0]: the text is too long" in complaint(with_patient(conditions=["x" * 2001]))
    assert read(with_patient(notes=["x" * 100_000])).patient.notes
    assert "patient.notes[0]: the text is too long" in complaint(with_patient(notes=["x" * 100_001]))


def test_a_prescription_has_at_most_500_orders_and_500_conditions() -> None:
    assert "medications: 501 orders are too many" in complaint({"medications": [{"drug": "x"}] * 501})
    assert "patient.conditions: 501 conditions are too many" in complaint(with_patient(conditions=["x"] * 501))


@pytest.mark.parametrize("unit", ["", " ", "1", None])
def test_an_empty_unit_of_an_inr_is_no_unit(unit: str | None) -> None:
    assert read(with_patient(labs={"inr": {"value": 2.5, "unit": unit}})).patient.labs[0][1].unit == "1"


def test_an_empty_unit_of_what_has_one_is_refused() -> None:
    empty = {"creatinine": {"value": 80, "unit": ""}}
    assert "patient.labs.creatinine.unit: the text is empty" in complaint(with_patient(labs=empty))
