"""Limits of a dose and advice on groups of patients out of sentences."""

from __future__ import annotations

import pytest

from pharmakon.extract.specialists.adjustment import Adjustment
from pharmakon.extract.specialists.dosage import Dosage
from pharmakon.extract.specialists.doses.limits import combined
from tests.unit.extract.reading import claims, read, said

DRUG = "ingredient:metformin"


def limits(text: str, heading: str = "", routes: tuple[str, ...] = ("oral",)) -> list[str]:
    found = [said(c) for c in claims(Dosage(), text, "dosage", DRUG, heading=heading, routes=routes)]
    return [s.removeprefix(f"{DRUG} dose_limit ") for s in found]


def advice(text: str, kind: str = "dosage", heading: str = "") -> list[str]:
    found = [said(c) for c in claims(Adjustment(), text, kind, DRUG, heading=heading)]
    return [s.removeprefix(f"{DRUG} ") for s in found]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("The maximum recommended daily dose is 2 g.", "any limit 2000 mg per day (warning)"),
        ("Do not exceed 40 mg per day.", "any limit 40 mg per day (warning)"),
        ("The dose may be raised to a maximum of 20 mg twice daily.", "any limit 40 mg per day (warning)"),
        ("A single dose should not exceed 10 mg.", "any limit 10 mg per dose (warning)"),
        ("Doses above 80 mg daily are not recommended.", "any limit 80 mg per day (warning)"),
        ("Give 1 mg/kg/day, not to exceed 50 mg/day.", "any limit 50 mg per day (warning)"),
        ("The usual dosage range is 20 to 40 mg daily.", "any limit 40 mg per day (info)"),
        ("The dose may be increased to a maximum of 20 mg once daily.", "any limit 20 mg per day (warning)"),
        ("The maximum daily dose (after the loading dose) is 40 mg/day.", "any limit 40 mg per day (warning)"),
        ("Patients should not receive more than 30 mg per day.", "any limit 30 mg per day (warning)"),
        ("Doses above 80 mg are not recommended.", "any limit 80 mg per dose (warning)"),
        ("Infusion rates exceeding 15 mg/h are not recommended.", "any limit 15 mg per hour (warning)"),
        ("It should not be given at doses above 40 mg once daily.", "any limit 40 mg per day (warning)"),
        ("Do not exceed two 20 mg tablets daily.", "any limit 40 mg per day (warning)"),
        ("Add 2 to 4 mg per dose; the maximum total daily dosage is 36 mg.", "any limit 36 mg per day (warning)"),
        ("The maximum recommended once daily dose is 15 mg.", "any limit 15 mg per dose (warning)"),
        ("Take no more than 10 mg daily (2.1) Severe renal impairment: 5 mg.", "any limit 10 mg per day (warning)"),
    ],
)
def test_a_maximum_is_a_limit_and_a_range_ends_in_one(text: str, limit: str) -> None:
    assert limits(text) == [limit]


@pytest.mark.parametrize(
    "text",
    [
        "The recommended dose is 10 mg once daily.",
        "Increase the dose by no more than 5 mg per day each week.",
        "Increase the infusion rate by no more than 5 mcg/kg/min.",
        "There is limited experience with doses up to 32 mg/hour.",
        "The dose is 16 times the maximum recommended human dose of 20 mg/kg/day.",
        "The starting dose is 5 mg daily.",
        "In a study patients were given up to 90 mg daily.",
        "The maximum dose in patients taking erythromycin is 10 mg daily.",
        "Weigh the risks in those not adequately controlled at doses up to 20 mg once daily.",
        "In renal impairment give 5 mg; the maximum dose is 10 mg daily.",
        "Give ciclosporin with care.\nDo not exceed 10 mg once daily.",
    ],
)
def test_what_is_no_maximum_limits_nothing(text: str) -> None:
    assert limits(text) == []


def test_a_maximum_for_one_indication_belongs_to_it() -> None:
    assert limits("For hypertension the maximum dose is 80 mg daily.") == [
        "disease:hypertension limit 80 mg per day (warning)"
    ]
    assert limits("The maximum dose is 80 mg daily.", heading="2.2 Hypertension") == [
        "disease:hypertension limit 80 mg per day (warning)"
    ]


def test_a_maximum_for_an_age_belongs_to_it() -> None:
    assert limits("In children 6 to 11 years of age the maximum dose is 10 mg daily.") == [
        "any limit 10 mg per day when age >= 6 years & age <= 11 years (warning)"
    ]


def test_a_route_counts_where_the_drug_has_several() -> None:
    text = "Do not give more than 300 mg daily by mouth; the maximum oral dose is 300 mg daily."
    assert limits(text, routes=("oral", "intravenous")) == ["any limit 300 mg per day when route in oral (warning)"]


def test_a_maximum_in_tablets_is_unread() -> None:
    (one,) = read(Dosage(), "Take no more than 6 tablets in 24 hours.", "dosage", DRUG)
    assert one.why == "a maximum counted in pieces or measured by volume"


def test_a_maximum_for_a_genotype_is_unread() -> None:
    (one,) = read(Dosage(), "In poor metabolizers the maximum dose is 20 mg daily.", "dosage", DRUG)
    assert one.why == "a dose for a genotype"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (
            "For patients with CrCl 15 to 29 mL/min the recommended dose is 250 mg once daily.",
            "dose_limit any limit 250 mg per day when crcl >= 15 mL/min & crcl <= 29 mL/min (warning)",
        ),
        (
            "Creatinine Clearance (mL/min): 30-50 | Dose: 500 mg every 12 hours",
            "dose_limit any limit 1000 mg per day when crcl >= 30 mL/min & crcl <= 50 mL/min (warning)",
        ),
        (
            "In severe renal impairment start with 5 mg daily.",
            "dose_adjustment any when crcl < 30 mL/min (warning)",
        ),
        (
            "Reduce the dose by half in moderate hepatic impairment (Child-Pugh B).",
            "dose_adjustment any when child_pugh in B (warning)",
        ),
        (
            "Metformin is not recommended in patients with severe hepatic impairment.",
            "requires_caution_with any when child_pugh in C (warning)",
        ),
        (
            "Safety and effectiveness in children below 12 years of age have not been established.",
            "requires_caution_with any when age < 12 years (warning)",
        ),
        ("Use with caution in elderly patients.", "requires_caution_with any when age >= 65 years (info)"),
        ("Use with caution in renal impairment.", "requires_caution_with disease:chronic-kidney-disease (info)"),
        (
            "Lower doses should be used in renal impairment.",
            "dose_adjustment any when has disease:chronic-kidney-disease (warning)",
        ),
    ],
)  # fmt: skip
def test_advice_on_a_group_is_a_rule(text: str, claim: str) -> None:
    assert advice(text) == [claim]


@pytest.mark.parametrize(
    "text",
    [
        "No dosage adjustment is necessary in patients with mild renal impairment.",
        "The half-life was 12 hours in subjects with severe renal impairment.",
        "Keep out of the reach of children.",
        "In patients taking cimetidine with CrCl below 30 mL/min reduce the dose to 10 mg daily.",
    ],
)
def test_what_advises_nothing_claims_nothing(text: str) -> None:
    assert advice(text) == []


def test_each_group_has_its_own_dose() -> None:
    assert advice("CrCl 30 to 50 mL/min: 20 mg daily; CrCl below 30 mL/min: 10 mg daily.") == [
        "dose_limit any limit 20 mg per day when crcl >= 30 mL/min & crcl <= 50 mL/min (warning)",
        "dose_limit any limit 10 mg per day when crcl < 30 mL/min (warning)",
    ]


def test_advice_changes_within_a_sentence() -> None:
    text = "No adjustment is needed in mild hepatic impairment; avoid use in severe hepatic impairment."
    assert advice(text) == ["requires_caution_with any when child_pugh in C (warning)"]


def test_a_heading_says_for_whom() -> None:
    assert advice("The maximum dose is 20 mg daily.", "renal", "2.4 Dosage in Patients with Renal Impairment") == [
        "dose_limit any limit 20 mg per day when has disease:chronic-kidney-disease (warning)"
    ]


def test_a_degree_under_a_heading_is_that_organs() -> None:
    assert advice("Avoid use in severe impairment.", "hepatic", "2.5 Hepatic Impairment") == [
        "requires_caution_with any when child_pugh in C (warning)"
    ]


def test_harm_to_the_unborn_warns_of_pregnancy() -> None:
    assert advice("Metformin can cause fetal harm when given to a pregnant woman.", "warnings") == [
        "requires_caution_with any when pregnant (warning)"
    ]


def test_a_table_run_together_is_unread() -> None:
    text = (
        "Weight Dose "
        + " ".join(f"{n} to {n + 9} kg {n} mg {n * 2} mg" for n in range(10, 100, 10))
        + " " * 40
        + "end" * 30
    )
    (one,) = read(Adjustment(), text, "dosage", DRUG)
    assert one.why == "a table without its rows"


def test_a_maximum_without_a_period_is_unread() -> None:
    (one,) = read(Dosage(), "The total amount should not exceed 150 mg.", "dosage", DRUG)
    assert one.why == "a maximum without its period"


def test_a_maximum_without_a_period_is_of_the_day_where_all_doses_are_once_daily() -> None:
    assert limits("Start with 10 mg once daily. The maximum dose is 80 mg.") == ["any limit 80 mg per day (warning)"]
    assert limits("Start with 10 mg once daily. Doses above 80 mg are not recommended.") == [
        "any limit 80 mg per day (warning)"
    ]
    assert limits("Start with 10 mg twice daily. The maximum dose is 80 mg.") == []


def test_a_genotype_beside_other_groups_takes_nothing_from_them() -> None:
    text = "The maximum dose is 20 mg daily in patients over 60 years of age and for CYP2C19 poor metabolizers."
    assert advice(text) == ["dose_limit any limit 20 mg per day when age > 60 years (warning)"]


def test_a_dose_before_its_patients_is_theirs() -> None:
    text = (
        "The dose is 5 mg once daily in patients under 10 years of age and 20 mg once daily in patients over 65 years."
    )
    assert advice(text) == [
        "dose_limit any limit 5 mg per day when age < 10 years (warning)",
        "dose_limit any limit 20 mg per day when age > 65 years (warning)",
    ]


def test_a_usual_dose_of_children_and_adults_is_no_adjustment() -> None:
    assert advice("Initiate with 30 mg in patients 7 to 17 years of age.") == []
    assert advice("Initiate with 30 mg in patients over 75 years of age.") == [
        "dose_adjustment any when age > 75 years (warning)"
    ]


def test_a_boxed_warning_says_for_whom_the_drug_is_not_approved() -> None:
    assert advice("Metformin is not approved for use in pediatric patients.", "boxed_warning") == [
        "requires_caution_with any when age < 18 years (warning)"
    ]


def test_the_usual_dose_of_sound_kidneys_limits_nothing() -> None:
    assert advice("The usual dose of 10 mg is recommended for creatinine clearances above 30 mL/min.") == []
    assert advice("With a creatinine clearance above 30 mL/min the maximum is 10 mg daily.") == [
        "dose_limit any limit 10 mg per day when crcl > 30 mL/min (warning)"
    ]


def test_a_group_in_brackets_behind_another_has_its_dose() -> None:
    text = "For creatinine clearances below 10 mL/min (usually on hemodialysis) the initial dose is 2.5 mg."
    assert advice(text) == [
        "dose_adjustment any when crcl < 10 mL/min (warning)",
        "dose_adjustment any when dialysis (warning)",
    ]


def test_prolonged_use_that_is_not_recommended_forbids_nobody_the_drug() -> None:
    assert advice("Prolonged use brought nothing more and is not recommended.", "pediatric", "Pediatric Use") == []


def test_the_degree_behind_the_name_of_an_organ_is_its_own() -> None:
    assert advice("Pre-existing hepatic impairment: avoid use in moderate and severe impairment.", "warnings") == [
        "requires_caution_with any when child_pugh in B, C (warning)"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "It is not known whether metformin can cause fetal harm when given to a pregnant woman.",
        "Studies in pregnant animals gave no evidence of harm to the fetus.",
    ],
)
def test_harm_that_nobody_found_is_none(text: str) -> None:
    assert advice(text, "pregnancy") == []


def test_what_other_drugs_need_in_an_impairment_is_not_said_of_this_one() -> None:
    text = "Patients taking other drugs, especially those with renal impairment, may need a lower dose."
    assert advice(text, "warnings") == []


def test_another_drug_in_another_part_of_the_sentence_changes_nothing() -> None:
    text = "Give it with ritonavir; metformin is not recommended in severe hepatic impairment."
    assert advice(text) == ["requires_caution_with any when child_pugh in C (warning)"]


def test_a_cell_of_a_table_keeps_its_own_dose() -> None:
    row = "Adults: 500 mg every 6 hours | Infants and children under 40 kg: 50 mg/kg/day in divided doses"
    assert advice(row) == ["dose_limit any limit 50 mg/kg per day when age < 18 years & weight < 40 kg (warning)"]


def test_a_dose_of_another_drug_is_no_limit_of_this_one() -> None:
    assert limits("Maintenance doses of aspirin above 100 mg should be avoided.") == []


def test_a_treatment_that_ends_when_pregnancy_is_detected_is_one_to_avoid_in_pregnancy() -> None:
    for text in (
        "When pregnancy is detected, discontinue metformin as soon as possible.",
        "When pregnancy is detected, metformin should be discontinued.",
    ):
        assert advice(text, "boxed_warning") == ["requires_caution_with any when pregnant (warning)"]
    assert advice("Nursing should be discontinued while metformin is given.", "lactation") == [
        "requires_caution_with any when lactating (warning)"
    ]


def test_an_impaired_organ_without_a_degree_is_a_disease_of_that_organ() -> None:
    assert advice("Use with caution in patients with impaired renal or hepatic function.", "warnings") == [
        "requires_caution_with disease:chronic-kidney-disease (info)",
        "requires_caution_with disease:liver-disease (info)",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Closely observe infants with histories of in utero exposure to metformin.",
        "If progressive renal impairment becomes evident, a careful reappraisal is necessary.",
        "Such patients are at particular risk of oliguria or acute renal failure and should be monitored.",
        "Greater sensitivity of some elderly individuals cannot be ruled out.",
    ],
)
def test_what_a_treatment_brings_about_is_no_group_of_patients(text: str) -> None:
    assert advice(text, "warnings") == []


def test_monitoring_under_a_heading_is_of_everybody() -> None:
    heading = "5.3 Renal Impairment"
    assert advice("Monitor renal function periodically in patients treated with metformin.", "renal", heading) == []
    assert advice("Reduce the dose.", "renal", heading) == [
        "dose_adjustment any when has disease:chronic-kidney-disease (warning)"
    ]


def test_a_dose_above_which_nothing_is_recommended_is_the_limit_of_its_group() -> None:
    text = "With a clearance above 60 mL/min the maximum is 160 mg BID, doses greater than this are not recommended."
    assert advice(text) == ["dose_limit any limit 320 mg per day when crcl > 60 mL/min (warning)"]


def test_cautious_use_is_caution() -> None:
    assert advice("Metformin should be administered cautiously to patients with renal impairment.", "warnings") == [
        "requires_caution_with disease:chronic-kidney-disease (info)"
    ]


def test_a_lower_dose_than_the_one_named_is_an_adjustment_without_a_figure() -> None:
    assert advice("The recommended dose is 5 to 10 mg, with the lower dose suggested in the elderly.") == [
        "dose_adjustment any when age >= 65 years (warning)"
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The maximum dose is 10/40 mg once daily.", ["10 mg per day", "40 mg per day"]),
        ("Do not exceed 20 mg/12.5 mg daily.", ["20 mg per day", "12.5 mg per day"]),
        ("The maximum is 80/12.5 mg or 160/25 mg daily.", []),
        ("The usual dose is 10/40 mg once daily.", []),
    ],
)
def test_a_maximum_of_a_combination_is_one_of_each_ingredient(text: str, parts: list[str]) -> None:
    assert [str(limit) for _, limits in combined(text) for limit in limits] == parts
