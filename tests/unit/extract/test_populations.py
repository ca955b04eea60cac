"""Which patients a sentence is about, in figures, degrees and words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.extract.specialists.patients.populations import groups
from tests.unit.extract.reading import mentions


def said(text: str) -> list[str]:
    """Each group as the formulary writes it, or the concept that is named."""
    found = groups(text, mentions(text))
    return [" & ".join(c.text for c in g.clause) or str(g.concept or "?") for g in found]


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("creatinine clearance less than 30 mL/min", "crcl < 30 mL/min"),
        ("CrCl ≤ 30 mL/minute", "crcl <= 30 mL/min"),
        ("clearance < 30 mL/min", "crcl < 30 mL/min"),
        ("a creatinine clearance between 30 and 60 mL/min", "crcl >= 30 mL/min & crcl <= 60 mL/min"),
        ("CLcr 30 to 59 mL/min", "crcl >= 30 mL/min & crcl <= 59 mL/min"),
        ("CLcr ≥ 15 to < 30 mL/min", "crcl >= 15 mL/min & crcl < 30 mL/min"),
        ("CrCl 15 mL/min or less", "crcl <= 15 mL/min"),
        ("eGFR below 45 mL/min/1.73 m2", "egfr < 45 mL/min/1.73m2"),
        ("Creatinine Clearance (mL/min): 10-29 | Dose: one half", "crcl >= 10 mL/min & crcl <= 29 mL/min"),
        ("serum creatinine above 2 mg/dL", "creatinine > 2 mg/dL"),
    ],
)
def test_renal_function_is_read_in_figures(text: str, group: str) -> None:
    assert said(text) == [group]


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("children under 6 years of age", "age < 6 years"),
        ("patients 65 years and older", "age >= 65 years"),
        ("adolescents aged 12 to 17 years", "age >= 12 years & age <= 17 years"),
        ("infants 6 months to 2 years of age", "age >= 6 months & age <= 2 years"),
        ("patients below the age of 16", "age < 16 years"),
        ("adults over 75", "age > 75 years"),
        ("infants under one month of age", "age < 1 months"),
        ("elderly patients", "age >= 65 years"),
        ("pediatric patients weighing less than 40 kg", "age < 18 years & weight < 40 kg"),
    ],
)
def test_ages_and_weights_are_read(text: str, group: str) -> None:
    assert said(text) == [group]


@pytest.mark.parametrize("text", ["treated for more than 2 years", "within 6 months of surgery", "a 24-week study"])
def test_a_duration_is_no_age(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("severe hepatic impairment (Child-Pugh class C)", "child_pugh in C"),
        ("moderate to severe liver impairment", "child_pugh in B, C"),
        ("a Child-Pugh score of 7 to 9", "child_pugh in B"),
        ("hepatic impairment", "disease:liver-disease"),
        ("moderate renal impairment", "crcl >= 30 mL/min & crcl < 60 mL/min"),
        ("renal impairment", "disease:chronic-kidney-disease"),
    ],
)
def test_a_degree_of_impairment_has_figures_and_a_bare_word_is_the_disease(text: str, group: str) -> None:
    assert said(text) == [group]


def test_figures_in_brackets_define_the_words_before_them() -> None:
    assert said("severe renal impairment (creatinine clearance below 25 mL/min)") == ["crcl < 25 mL/min"]


def test_renal_or_hepatic_impairment_is_two_groups() -> None:
    assert said("severe renal or hepatic impairment") == ["crcl < 30 mL/min", "child_pugh in C"]


def test_a_group_narrowed_by_another_is_one() -> None:
    assert said("patients 65 years and older with CrCl below 30 mL/min") == ["age >= 65 years & crcl < 30 mL/min"]


def test_trimesters_belong_to_the_pregnancy() -> None:
    assert said("the second and third trimesters of pregnancy") == ["pregnant & trimester in 2, 3"]


@pytest.mark.parametrize("text", ["a negative pregnancy test", "women who are not pregnant", "pregnancy category C"])
def test_talk_of_pregnancy_is_not_always_a_pregnant_patient(text: str) -> None:
    assert said(text) == []


def test_a_measure_without_a_factor_is_named_and_not_known() -> None:
    (group,) = groups("systolic blood pressure below 90")
    assert not group.known


@given(st.text(alphabet="renal hepticCkdlgmL/min<>≤0123456789.- years old", max_size=80))
def test_groups_lie_in_the_text_in_order(text: str) -> None:
    places = [(g.start, g.end) for g in groups(text)]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


@pytest.mark.parametrize(
    "text",
    ["It should not be given to adult or pediatric patients in shock.", "Monitor children and adults alike."],
)
def test_all_ages_together_are_no_group(text: str) -> None:
    assert [g for g in groups(text) if any(c.factor == "age" for c in g.clause)] == []


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("creatinine clearance 30 mL/min", "crcl < 30 mL/min"),
        ("renal impairment (GFR 60 mL/min)", "egfr < 60 mL/min/1.73m2"),
        ("patients 75 years of age", "age >= 75 years"),
        ("Children 1 year of age must not", "age < 1 years"),
    ],
)
def test_a_sign_that_a_conversion_lost_is_put_back_where_only_one_makes_sense(text: str, group: str) -> None:
    assert said(text) == [group]


def test_a_figure_that_was_measured_is_no_bound() -> None:
    assert said("a creatinine clearance of 30 mL/min") == []
