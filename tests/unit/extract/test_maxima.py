"""What makes an amount in a label no maximum, or the maximum of some patients, of one use, or by one way only."""

from __future__ import annotations

import pytest

from pharmakon.extract.specialists.adjustment import Adjustment
from pharmakon.extract.specialists.dosage import Dosage
from tests.unit.extract.reading import claims, read, said

DRUG = "ingredient:metformin"
SEVERE = "crcl < 30 mL/min"


def limits(text: str, kind: str = "dosage", heading: str = "", routes: tuple[str, ...] = ("oral",)) -> list[str]:
    """All limits that either specialist reads, without the words that they share."""
    found = [
        said(c)
        for specialist in (Dosage(), Adjustment())
        for c in claims(specialist, text, kind, DRUG, heading=heading, routes=routes)
        if c.statement.relation == "dose_limit"
    ]
    return [s.removeprefix(f"{DRUG} dose_limit ").removesuffix(" (warning)") for s in dict.fromkeys(found)]


def whys(text: str, kind: str = "dosage", heading: str = "", routes: tuple[str, ...] = ("oral",)) -> set[str]:
    return {
        r.why
        for specialist in (Dosage(), Adjustment())
        for r in read(specialist, text, kind, DRUG, heading=heading, routes=routes)
        if r.why
    }


@pytest.mark.parametrize(
    "text",
    [
        "The infusion rate should not exceed 40 mg/min.",
        "Give at no more than 2 mg/kg/min or 40 mg/min, whichever is slower.",
        "Most patients have received maximum infusion rates of 12 mg/hour.",
    ],
)
def test_a_rate_by_the_minute_or_told_of_others_is_no_limit_of_an_hour(text: str) -> None:
    assert limits(text) == []


def test_a_rate_by_the_hour_stays_one() -> None:
    assert limits("The infusion rate should not exceed 12 mg/hour.") == ["any limit 12 mg per hour"]


@pytest.mark.parametrize(
    "text",
    [
        "In patients with CrCl below 30 mL/min begin treatment at 4 mg daily generally not to exceed 8 mg daily.",
        "In severe renal impairment the maximum recommended initial dose is 4 mg daily.",
        "In severe renal impairment give 4 mg/kg (up to 80 mg) initially, then less.",
        "Over 6 months of age the initial starting dose may be increased to 100 mg/m2 per day.",
        "In severe renal impairment one loading dose of up to 90 mg on day 1 is given.",
        "Severe renal impairment: Days 1 to 3: 4 mg at bedtime.",
        "Patients with CrCl below 30 mL/min: 4 mg once daily; increase to 8 mg once daily if tolerated.",
        "The initial dose for children 3 to 6 years of age is 4 mg daily; for those 7 to 9 years of age, 8 mg daily.",
    ],
)
def test_a_start_its_cap_and_a_step_of_a_schedule_bound_nothing(text: str) -> None:
    assert limits(text) == []


def test_a_maximum_after_a_start_bounds() -> None:
    text = "In severe renal impairment start with 4 mg once daily and do not exceed 8 mg once daily."
    assert limits(text) == [f"any limit 8 mg per day when {SEVERE}"]


@pytest.mark.parametrize(
    "text",
    [
        "Some elderly patients will require only 4 mg per day.",
        "The maximum early effect on endurance occurs with 40 mg to 80 mg daily and has faded after a day.",
        "In the elderly 4 mg three times daily may be warranted.",
        "The majority of elderly patients will require 40 mg twice daily.",
        "The elderly must be watched closely if the daily dose exceeds 40 mg.",
        "For pediatric doses less than 40 mg use the small vial.",
        "In the elderly the dose may be titrated down to 4 mg once daily.",
        "In severe renal impairment round the dose to the nearest multiple of the 150 mg dosage strength.",
        "Under 20 lbs do not use; 20 to 29 lbs 2.5 mg once daily, not to exceed 7.5 mg per day.",
        "In the elderly 4 mg in the morning with 8 mg at bedtime may suffice.",
        "In severe renal impairment patients who would normally receive 6 g daily need the dose of the table.",
        "It is usually not necessary to exceed 15 mg daily in the elderly.",
    ],
)
def test_a_dose_that_some_need_or_have_bounds_nothing(text: str) -> None:
    assert limits(text) == []


def test_of_a_dose_that_is_reduced_the_lower_one_counts() -> None:
    assert limits("In severe renal impairment the dose must be reduced from 8 mg/kg to 4 mg/kg once daily.") == [
        f"any limit 4 mg/kg per day when {SEVERE}"
    ]


def test_a_range_without_a_period_bounds_nothing() -> None:
    assert limits("Adolescents: 1.5 to 3 mg.") == []
    assert limits("Adolescents: 1.5 to 3 mg daily.") == ["any limit 3 mg per day when age < 18 years"]


def test_of_two_amounts_that_an_or_leaves_open_none_bounds() -> None:
    text = "In moderate hepatic impairment titrate to the maximum dose (20 mg/day or 40 mg/day, by weight)."
    assert limits(text) == []


def test_how_often_a_dose_is_given_may_stand_behind_a_bracket() -> None:
    assert limits("Pregnant patients: 200 mg (one 200 mg tablet or two 100 mg tablets) taken twice daily.") == [
        "any limit 400 mg per day when pregnant"
    ]


@pytest.mark.parametrize(
    ("text", "routes"),
    [
        ("Patients weighing 30 kg or more: 2 mg in 2 mL.", ("intravenous",)),
        ("Do not use more than one 60 gram tube per week in children 2 to 11 years of age.", ("topical",)),
        ("Apply no more than 50 g per week.", ("topical",)),
        ("Instill no more than 2 mg per dose.", ("intravenous",)),
    ],
)
def test_what_is_dissolved_instilled_or_weighed_with_its_ointment_is_no_dose(
    text: str, routes: tuple[str, ...]
) -> None:
    assert limits(text, routes=routes) == []


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("Pediatric patients 6 years and older: do not exceed 20 mg daily.", "age >= 6 years & age < 18 years"),
        ("Adults and pediatric patients 6 years and older: do not exceed 20 mg daily.", "age >= 6 years"),
        (
            "In pediatric patients: 6 years of age and older: the maximum is 20 mg daily.",
            "age >= 6 years & age < 18 years",
        ),
    ],
)
def test_pediatric_patients_from_an_age_on_are_no_adults(text: str, group: str) -> None:
    assert limits(text)[0] == f"any limit 20 mg per day when {group}"


def test_a_heading_on_children_makes_an_age_one_of_children() -> None:
    heading = "2.3 Recommended Dosage in Pediatric Patients"
    assert limits("Give no more than 20 mg daily to patients 10 years and older.", "pediatric", heading) == [
        "any limit 20 mg per day when age >= 10 years & age < 18 years"
    ]


def test_a_table_of_weights_is_of_those_whom_its_caption_names() -> None:
    caption = "Table 1. Dosage in Pediatric Patients by Weight"
    row = "Body Weight: 26 to 37 kg | Recommended Dosage: 75 mg twice daily"
    assert limits(f"{caption}\n{row}") == [
        "any limit 150 mg per day when weight >= 26 kg & weight <= 37 kg & age < 18 years"
    ]


def test_a_row_for_the_heavier_without_a_caption_is_unread() -> None:
    text = "Body Weight: 40 kg or more | Recommended Dosage: 75 mg twice daily"
    assert limits(text) == []
    assert whys(text) == {"patients of an age or weight that others have too"}


def test_in_a_section_on_the_kidney_a_maximum_for_an_age_is_of_kidney_patients() -> None:
    text = "For patients 75 years or older the maximum dose is 5 mg daily."
    heading = "2.3 Dosage in Patients with Severe Renal Impairment"
    assert set(limits(text, "renal", heading)) <= {f"any limit 5 mg per day when {SEVERE} & age >= 75 years"}
    assert limits(text, "renal", "2.3 Other matters") == []


def test_a_maximum_for_a_use_without_a_name_here_is_unread() -> None:
    assert limits("Glumbosis: the maximum dose is 20 mg daily.") == []
    assert whys("Do not exceed 20 mg daily.", heading="2.2 Recommended Dosage for Glumbosis") == {
        "a maximum for a use that has no name here"
    }
    assert limits("Maximum daily dose: 20 mg daily.", heading="2.2 Recommended Dosage in Adults") == [
        "any limit 20 mg per day"
    ]


def test_a_dose_of_a_group_is_for_the_disease_of_the_heading() -> None:
    text = "In patients 65 years or older the recommended dose is 5 mg daily."
    assert limits(text, heading="2.2 Recommended Dosage for Hypertension") == [
        "disease:hypertension limit 5 mg per day when age >= 65 years"
    ]


def test_a_dose_for_prevention_is_none_of_the_disease() -> None:
    text = "In patients 65 years or older the recommended dose is 5 mg daily."
    assert limits(text, heading="2.2 Prophylaxis of Deep Vein Thrombosis") == []
    assert whys(text, heading="2.2 Prophylaxis of Deep Vein Thrombosis") == {"a dose for prevention"}


@pytest.mark.parametrize(
    "text",
    [
        "For pediatric patients give 5 mg/m2 of dexamethasone orally, to a maximum dose of 20 mg, before each dose.",
        "In persons older than 60 years the dose of dexamethasone should be limited to 10 mg with a maximum of 20 mg.",
        "Body weight: 10 to 20 kg | Ritonavir Daily Dosage: 100 mg",
        "Patients 2 to 11 years of age: this drug by weight and isoniazid 25 mg/kg (900 mg maximum).",
        "Drug: Dexamethasone | Children: 2 mg daily | Maximum dose in children: 20 mg daily",
        "If used concomitantly, do not exceed 20 mg daily.",
    ],
)
def test_the_dose_of_another_drug_or_beside_one_is_not_this_ones(text: str) -> None:
    assert limits(text) == []


def test_columns_of_health_and_headings_of_columns_bound_nothing() -> None:
    row = "Normal Dosage Regimen: 1000 mg every 12 hours | Creatinine Clearance (mL/min): 15-29 | Dose (mg): 500"
    assert limits(row) == []
    row = "Creatinine Clearance (mL/min): 15-29 | Usual Dose (1 mg): 0.5 mg once daily"
    assert limits(row) == ["any limit 0.5 mg per day when crcl >= 15 mL/min & crcl <= 29 mL/min"]


def test_a_route_beside_an_amount_is_its_route() -> None:
    text = "The maximum dose is 20 mg orally once daily, after 5 mg given intravenously."
    assert limits(text, routes=("oral", "intravenous")) == ["any limit 20 mg per day when route in oral"]
    text = "Oral tablets: not to exceed 20 mg daily."
    assert limits(text, routes=("intravenous",)) == ["any limit 20 mg per day when route in oral"]


def test_where_routes_differ_and_none_is_told_a_dose_of_a_group_is_unread() -> None:
    text = "In patients 65 years or older the recommended dose is 5 mg daily."
    assert limits(text, routes=("oral", "subcutaneous")) == []
    assert whys(text, routes=("oral", "subcutaneous")) == {"by which route a maximum is given"}


def test_a_dose_after_an_adverse_reaction_is_no_maximum() -> None:
    heading = "2.4 Dosage Modifications for Adverse Reactions"
    assert limits("12 to 20 kg | 40 mg twice daily | 20 mg twice daily", heading=heading) == []


def test_a_group_at_the_head_of_what_follows_takes_no_maximum_from_before() -> None:
    assert limits("Increase to a maximum of 30 mg per day after a week Pediatric patients: start low.") == [
        "any limit 30 mg per day"
    ]


def test_an_age_in_a_list_of_adults_and_children_is_unread_where_it_does_not_say_whose_it_is() -> None:
    text = "Adults: 40 mg daily; children: start low; 2 years of age and older: 10 mg daily."
    assert limits(text) == []
    assert limits("Children: start low; 2 years of age and older: 10 mg daily.") != []


def test_an_impairment_whose_degree_stands_apart_bounds_nothing() -> None:
    text = "In moderate (bilirubin above 1.5) or severe (above 3) hepatic impairment give 30 mg daily."
    assert limits(text) == []
    assert limits("In severe hepatic impairment give 30 mg daily.") == ["any limit 30 mg per day when child_pugh in C"]


def test_a_heading_that_lost_its_line_takes_the_dose_from_the_use_of_the_section() -> None:
    heading = "2.1 Recommended Dosage for Hypertension"
    ours = "any limit 5 mg per day when age >= 65 years"
    dose = "The recommended dosage in patients 65 years or older is 5 mg daily."
    assert limits(dose, heading=heading) == [f"disease:hypertension {ours.removeprefix('any ')}"]
    assert limits(f"Angina in Adults {dose}", heading=heading) == []


def test_a_bare_maximum_may_be_that_of_the_use_or_group_before_it() -> None:
    assert limits("Prevention of glumbosis: give 20 mg daily.\nMaximum dose 40 mg per day.") == []
    assert limits("Swallow whole.\nMaximum dose 40 mg per day.") == ["any limit 40 mg per day"]


def test_a_dose_that_the_next_sentence_lets_grow_bounds_nothing() -> None:
    text = "In patients 65 years or older the recommended dose is 5 mg daily."
    assert limits(f"{text}\nThe dose may be increased to 10 mg daily.") == []
    assert limits(text) == ["any limit 5 mg per day when age >= 65 years"]


def test_a_maximum_while_something_is_present_is_unread() -> None:
    assert limits("When a swollen spleen is present, the daily dose should not exceed 5 mg.") == []


@pytest.mark.parametrize(
    "text",
    [
        "Give no more than 25 percent of 40 mg daily.",
        "The dose must not exceed one third of 60 mg daily.",
        "The maximum daily dose is -5 mg.",
        "The maximum dose is 0 mg daily.",
        "The daily dose must not exceed 100 mg except under specialist supervision, when it may reach 200 mg.",
        "The maximum of 100 mg daily may be exceeded in hospital.",
        "There is no maximum dose of 40 mg daily.",
    ],
)
def test_a_share_a_loss_and_what_may_be_passed_are_no_maximum(text: str) -> None:
    assert limits(text) == []
