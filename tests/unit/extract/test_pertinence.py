"""Advice that is about giving the drug to these patients, and advice that is about something else."""

from __future__ import annotations

import pytest

from pharmakon.extract.specialists.adjustment import Adjustment
from pharmakon.extract.specialists.allergy import Allergy
from pharmakon.extract.specialists.contraindication import Contraindication
from tests.unit.extract.reading import claims, read, said

DRUG = "ingredient:metformin"


def advice(text: str, kind: str = "dosage", heading: str = "") -> list[str]:
    found = [said(c) for c in claims(Adjustment(), text, kind, DRUG, heading=heading)]
    return [s.removeprefix(f"{DRUG} ") for s in found]


def allergies(text: str) -> list[str]:
    found = [c.statement for c in claims(Allergy(), text, "contraindications", DRUG)]
    return [f"{s.object} {s.tier}" for s in found]


@pytest.mark.parametrize(
    "text",
    [
        "Children should not be allowed self-administration; self-administration is not recommended in children.",
        "Live vaccines are not recommended in infants whose mothers had it.",
        "The safety of a second 3-day regimen in children has not been established.",
        "Use in children for more than 8 weeks has not been studied.",
        "Avoid the veins of the foot in the elderly.",
        "Avoid frequent changes in patients with renal impairment.",
        "In adults 18 years and older avoid use of the mixed solution.",
        "Do not use multiple-dose formulations in newborns.",
        "Figure 1 shows women who are not pregnant and do not use it beside pregnant women.",
        "It must not be given to patients with liver disease in an attempt to raise the count.",
    ],
)
def test_advice_on_something_else_than_the_drug_claims_nothing(text: str) -> None:
    assert advice(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Avoid metformin in severe renal impairment.",
        "Avoid use in severe renal impairment.",
        "Metformin is not recommended in severe renal impairment.",
        "Avoid in patients with severe renal impairment.",
    ],
)
def test_advice_against_the_drug_is_read(text: str) -> None:
    assert advice(text) == ["requires_caution_with any when crcl < 30 mL/min (warning)"]


@pytest.mark.parametrize(
    "text",
    [
        "It is unlikely that dosing adjustments would be necessary in patients with renal impairment.",
        "No metformin dosage adjustments are required for patients with renal impairment.",
        "It can be used in mild hepatic impairment without any dose adjustment.",
        "There is insufficient information to make dose adjustment recommendations in patients on hemodialysis.",
        "Data are not available to make dose adjustment recommendations in renal impairment.",
        "In the elderly, as in the general population, start with 5 mg daily.",
        "Ordinarily the starting dose should still be 5 mg in the elderly.",
        "The decrease of 4 mEq/L at daily doses was mild in patients with renal impairment.",
        "The usual dose in patients without hepatic impairment is 5 mg; start with it.",
    ],
)
def test_a_dose_that_stays_as_it_is_is_no_adjustment(text: str) -> None:
    assert advice(text) == []


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("It may be necessary to reduce the dose in renal impairment.", "info"),
        ("Patients with renal impairment may require a lower dose.", "info"),
        ("Patients with renal impairment may benefit from a lower initial dose.", "info"),
        ("Reduce the dose in renal impairment.", "warning"),
        ("The dose should be reduced in renal impairment.", "warning"),
    ],
)
def test_a_change_that_may_be_needed_is_less_than_one_that_is(text: str, tier: str) -> None:
    assert advice(text) == [f"dose_adjustment any when has disease:chronic-kidney-disease ({tier})"]


def test_one_of_several_conditions_that_must_meet_is_no_rule_alone() -> None:
    text = (
        "With at least 2 of the following: age 80 years or older, weight 60 kg or less: start with 2.5 mg twice daily."
    )
    (one,) = read(Adjustment(), text, "dosage", DRUG)
    assert (one.claims, one.why) == ((), "advice for those who meet several of a list")


def test_what_to_do_when_a_harm_appears_is_no_rule_for_those_who_had_it_before() -> None:
    text = "Liver harm | Grade 3 | Withhold, resume at a reduced dose; permanently discontinue in hepatic failure."
    (one,) = read(Adjustment(), text, "dosage", DRUG)
    assert (one.claims, one.why) == ((), "what to do when a harm appears")


def test_a_column_of_a_table_speaks_for_itself_alone() -> None:
    assert advice("Body weight: under 15 kg | Tablets: Not recommended | Syrup: 5 mL daily") == []
    assert advice("Creatinine clearance: below 15 mL/min | Advice: Avoid use") == [
        "requires_caution_with any when crcl < 15 mL/min (warning)"
    ]


def test_what_is_advised_against_one_release_form_is_said_of_it_alone() -> None:
    assert advice("Metformin extended-release tablets are not recommended in severe renal impairment.") == [
        "requires_caution_with any when crcl < 30 mL/min & form is extended_release (warning)"
    ]


def test_children_whose_liver_is_diseased_are_children() -> None:
    assert advice("It should be avoided in pediatric patients with hepatic impairment.") == [
        "requires_caution_with any when age < 18 years & has disease:liver-disease (warning)"
    ]


def test_what_animals_were_given_is_no_word_on_women() -> None:
    assert advice("Birth defects were seen in pregnant rabbits.", "warnings") == []
    assert advice("Metformin produced fetal toxicity in rats when given in pregnancy.", "warnings") == []
    assert advice("Based on findings in rats, it can cause fetal harm in pregnant women.", "warnings") == [
        "requires_caution_with any when pregnant (warning)"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Hypersensitivity to local anesthetics of the amide type.",
        "Hypersensitivity to amide-type local anesthetics.",
        "Allergic to the ingredients; ask a doctor before use if you take a steroid such as a corticosteroid.",
        "Sensitivity to the toxic effects of vitamin D",
        "In patients sensitive to procaine, cross sensitivity is unlikely.",
    ],
)
def test_an_allergy_to_part_of_a_class_is_none_to_all_of_it(text: str) -> None:
    assert allergies(text) == []


def test_a_class_that_only_says_what_another_belongs_to_is_not_meant() -> None:
    assert allergies("Hypersensitivity to the cephalosporin group of antibiotics.") == ["class:cephalosporin critical"]


def test_a_cross_reaction_that_nobody_knows_of_is_a_softer_one() -> None:
    assert allergies("It is not known whether there is cross-sensitivity with naloxone.") == [
        "ingredient:naloxone warning"
    ]
    assert allergies("Use it with caution in patients with hypersensitivity to naloxone.") == [
        "ingredient:naloxone warning"
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ACE inhibitors, an alternative to metformin, are contraindicated in asthma.", "contraindications"),
        ("Warfarin (but not metformin) is contraindicated in asthma.", "contraindications"),
        ("For warfarin, asthma is a contraindication.", "contraindications"),
        ("According to the warfarin label, use is contraindicated in asthma.", "contraindications"),
        ("It helps patients with asthma in whom warfarin is contraindicated.", "warnings"),
        ("Use of warfarin should be avoided in patients with asthma.", "warnings"),
        ("Thiazides must not be used in place of metformin in patients with gout.", "warnings"),
        ("Metformin with warfarin is contraindicated in asthma.", "contraindications"),
    ],
)
def test_what_forbids_another_drug_forbids_not_this_one(text: str, kind: str) -> None:
    assert claims(Contraindication(), text, kind, DRUG) == []


@pytest.mark.parametrize(
    "text",
    [
        "Metformin, like warfarin, is contraindicated in asthma.",
        "Unlike warfarin, metformin is contraindicated in asthma.",
        "METFOREX and warfarin are contraindicated in asthma.",
        "Asthma is a contraindication to metformin.",
    ],
)
def test_another_drug_beside_this_one_takes_nothing_from_it(text: str) -> None:
    found = claims(Contraindication(), text, "contraindications", DRUG)
    assert [str(c.statement.object) for c in found] == ["disease:asthma"]


@pytest.mark.parametrize(
    "text",
    [
        "NSAIDs must be avoided in renal impairment.",
        "Metformin is preferred to NSAIDs in renal impairment, in which NSAIDs must be avoided.",
        "Metformin is not recommended with NSAIDs in renal impairment.",
        "Not recommended except in patients on dialysis.",
        "Patients with renal impairment should not take warfarin.",
        "Patients on dialysis should not receive more than half of it.",
    ],
)
def test_advice_on_another_drug_or_an_exception_is_none_on_these_patients(text: str) -> None:
    assert advice(text, "renal") == []


def test_several_rules_in_one_sentence_keep_their_patients() -> None:
    text = "Renal impairment: no adjustment at eGFR 60 or above. eGFR 30-59: maximum 100 mg daily. eGFR <30: avoid."
    assert advice(text) == [
        "dose_limit any limit 100 mg per day when egfr >= 30 mL/min/1.73m2 & egfr <= 59 mL/min/1.73m2 (warning)",
        "requires_caution_with any when egfr < 30 mL/min/1.73m2 (warning)",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Contraindicated in patients with a history of angioedema, except when due to ACE inhibitors.",
        "Allergy to metformin; it may be used in patients allergic to sulfonamides.",
        "Patients with hypersensitivity to aspirin can take it.",
        "Allergy to metformin (aspirin-free).",
        "It is contraindicated in hypersensitivity to metformin, warfarin is contraindicated if it bleeds.",
        "Hypersensitivity to metformin; cross-reactivity with sulfonamides does not occur.",
        "Hypersensitivity to NSAIDs other than aspirin.",
    ],
)
def test_an_allergy_that_is_no_obstacle_claims_nothing(text: str) -> None:
    assert allergies(text) == []
