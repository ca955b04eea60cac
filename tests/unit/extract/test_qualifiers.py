"""Words beside a name that leave part of those who have the disease, or make another disease of it."""

from __future__ import annotations

import pytest

from pharmakon.extract.specialists.contraindication import Contraindication
from pharmakon.extract.specialists.patients.qualifiers import NARROWER
from tests.unit.extract.reading import claims, read, said

DRUG = "ingredient:metformin"


def forbidden(text: str, kind: str = "contraindications") -> list[str]:
    found = [said(c) for c in claims(Contraindication(), text, kind, DRUG)]
    return [s.removeprefix(f"{DRUG} contraindicated_in ") for s in found]


@pytest.mark.parametrize(
    "text",
    [
        "Severe asthma",
        "Asthma in an unmonitored setting",
        "Asthma that needs treatment in hospital",
        "Asthma (grade 3 or 4)",
        "Recent stroke or asthma",
        "Poorly controlled asthma",
        "Do not give it to patients with pronounced asthma.",
    ],
)
def test_a_degree_a_time_and_a_circumstance_leave_part_of_a_disease(text: str) -> None:
    assert "disease:asthma (warning)" in forbidden(text)


@pytest.mark.parametrize(
    "text",
    [
        "Known or suspected asthma",
        "Bronchial asthma",
        "Asthma or gout",
        "Pre-existing asthma [see Warnings (5.1)]",
        "Stroke, asthma (4)",
        "Contraindicated in asthma, gout, or heart block (unless a pacemaker is in place).",
    ],
)
def test_what_says_only_that_it_is_known_leaves_a_disease_whole(text: str) -> None:
    assert "disease:asthma (critical)" in forbidden(text)


@pytest.mark.parametrize("text", ["Acute or chronic gout", "Chronic or acute gout"])
def test_acute_or_chronic_is_all_there_is(text: str) -> None:
    assert forbidden(text) == ["disease:gout (critical)"]


@pytest.mark.parametrize(
    "text",
    [
        "Bacterial throat infections",
        "Abnormal uterine bleeding",
        "Contraindicated in spinal infection.",
        "Hepatitis B infection",
        "Hypoglycaemia unawareness",
        "Fever with a stiff neck",
    ],
)
def test_a_kind_of_a_disease_is_not_that_disease(text: str) -> None:
    found = forbidden(text)
    wider = ("disease:infection", "disease:bleeding", "disease:hypoglycaemia", "symptom:")
    assert not [f for f in found if f.startswith(wider)]


def test_a_kind_of_a_disease_is_unread_with_its_reason() -> None:
    (one,) = read(Contraindication(), "Abnormal uterine bleeding", "contraindications", DRUG)
    assert (one.claims, one.why) == ((), NARROWER)


@pytest.mark.parametrize(
    "text",
    [
        "Patients with reactions to metformin such as chills, fever",
        "Metformin is contraindicated where spasticity is used to keep a patient upright.",
        "In the absence of a working artificial pacemaker it is forbidden.",
        "It must not be used for trivial infections or where it is not indicated, as in influenza.",
        "Metformin should not be given to rheumatoid arthritis patients with a wound.",
        "At least one week should pass before another contraindicated antidepressant is begun.",
        "Take care of patients with gout on other contraindicated drugs.",
    ],
)
def test_what_is_treated_feared_absent_or_said_of_other_drugs_forbids_nothing(text: str) -> None:
    assert [f for f in forbidden(text) if "wound" not in f] == []


def test_an_age_and_a_disease_forbid_together() -> None:
    assert forbidden("Metformin is contraindicated in newborns with jaundice.") == [
        "any when age < 1 months & has symptom:jaundice (critical)"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Contraindicated in women over 35 years of age who smoke.",
        "The risk grows in women over 35. For this reason, it is contraindicated in women over 35 who smoke.",
        "Contraindicated in transplant recipients who have no antibodies.",
        "It is not recommended for HIV co-infected patients who take no other remedy.",
        "Observed reactions range from urticaria to shock.",
        "Do not use in children for whom no dose is known.",
        "Smoking and the like are contraindications to use in women over 35 years of age.",
        "Metformin from multiple-dose vials is contraindicated in pregnancy.",
        "Renal impairment in conjunction with strong inhibitors of that enzyme",
        "A history of severe hepatic impairment after an earlier treatment",
    ],
)
def test_a_group_that_must_be_more_than_a_condition_says_is_no_rule(text: str) -> None:
    assert forbidden(text) == []


def test_a_boxed_warning_forbids_with_do_not() -> None:
    assert forbidden("Do not start metformin in patients with gout.", "boxed_warning") == ["disease:gout (critical)"]
    assert forbidden("Metformin is not recommended in patients with gout.", "boxed_warning") == [
        "disease:gout (warning)"
    ]
    assert forbidden("Do not start metformin in patients with severe gout.", "boxed_warning") == [
        "disease:gout (warning)"
    ]


def test_a_heading_that_was_run_together_with_its_sentence_names_nobody() -> None:
    text = "Depression of Breathing in Elderly Patients The use of metformin in patients with gout is contraindicated."
    assert forbidden(text, "warnings") == ["disease:gout (critical)"]


def test_such_patients_are_those_of_the_sentence_before() -> None:
    text = "It piles up in severe renal impairment. Therefore, metformin is contraindicated in such patients."
    (claim,) = claims(Contraindication(), text, "warnings", DRUG)
    assert said(claim) == f"{DRUG} contraindicated_in any when crcl < 30 mL/min (critical)"
    assert text[claim.start : claim.end] == text


def test_nobody_is_meant_by_such_patients_where_nobody_was_named() -> None:
    assert forbidden("Deaths were reported. Metformin is contraindicated in such patients.", "warnings") == []


@pytest.mark.parametrize(
    "text",
    [
        "None of these conditions is a contraindication:\nAsthma\nGout",
        "The following do not constitute contraindications:\nAsthma",
        "Patients with these conditions can safely take metformin:\nAsthma",
        "Contraindications to the comparator, warfarin, were:\nAsthma",
        "Neither asthma nor gout is a contraindication.",
        "There are none known in patients with asthma.",
        "None known in patients with asthma.",
        "In no patient with asthma is metformin contraindicated.",
        "Metformin was contraindicated in asthma until lately.",
    ],
)
def test_what_a_head_or_a_sentence_denies_forbids_nothing(text: str) -> None:
    assert forbidden(text) == []


def test_a_list_that_denies_ends_where_the_next_one_forbids() -> None:
    text = "Metformin may be given to patients with:\nAsthma\nMetformin is contraindicated in patients with:\nGout"
    assert forbidden(text) == ["disease:gout (critical)"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Contraindicated in all patients but those with gout.", []),
        ("Contraindicated in everybody apart from patients with gout.", []),
        ("Asthma of grade 3, but not of grade 1", ["disease:asthma (warning)"]),
        ("Asthma (but not if stable)", ["disease:asthma (warning)"]),
        ("Asthma (only if unstable)", ["disease:asthma (warning)"]),
        ("Contraindicated in asthma, though not in mild forms.", ["disease:asthma (warning)"]),
        ("Contraindicated in asthma; mild asthma is not a contraindication.", ["disease:asthma (warning)"]),
        ("Contraindicated in patients with gout, not in those with asthma.", ["disease:gout (warning)"]),
        ("Contraindicated in gout as opposed to asthma.", ["disease:gout (warning)"]),
        ("Contraindicated in pregnancy, apart from the first trimester.", ["any when pregnant (warning)"]),
        (
            "Severe hepatic impairment (mild impairment of liver function: see 4.4)",
            ["any when child_pugh in C (critical)"],
        ),
        ("Contraindicated in patients without a splint who have gout.", ["disease:gout (warning)"]),
    ],
)
def test_an_exception_leaves_a_warning_or_nothing(text: str, left: list[str]) -> None:
    assert forbidden(text) == left


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "Contraindicated in patients with eGFR below 30 mL/min/1.73 m2 who also take lithium.",
            "a group of patients that no condition can say",
        ),
        ("Age below 16 years in the indication gout", "a group of patients that no condition can say"),
        (
            "Contraindicated in patients over 65 years if they also have asthma.",
            "patients who must have two things at once",
        ),
        ("Monotherapy in asthma is contraindicated.", "a way of use that no condition says"),
        ("Metformin 850 mg is contraindicated in asthma.", "a way of use that no condition says"),
    ],
)
def test_what_must_be_so_besides_is_not_left_out(text: str, why: str) -> None:
    found = read(Contraindication(), text, "contraindications", DRUG)
    assert [r.claims for r in found] == [()]
    assert found[0].why == why


def test_a_potassium_and_a_way_of_giving_are_kept() -> None:
    assert forbidden("Contraindicated at potassium above 5.5 mmol/L.") == ["any when potassium > 5.5 mmol/L (critical)"]
    text = "Intramuscular metformin is contraindicated in asthma."
    found = claims(Contraindication(), text, "contraindications", DRUG, routes=("oral", "intramuscular"))
    assert [said(c) for c in found] == [
        f"{DRUG} contraindicated_in disease:asthma when route in intramuscular (critical)"
    ]
