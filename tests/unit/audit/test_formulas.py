"""The published vectors of the formulas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.audit import formulas
from pharmakon.audit.formulas import Sex
from pharmakon.model.units import convert


@pytest.mark.parametrize(
    ("sex", "age", "weight", "creatinine", "expected"),
    [
        ("female", 77, 58, 1.4, 30.81),
        ("male", 77, 58, 1.4, 36.25),
        ("male", 50, 70, 1.0, 87.50),
        ("female", 85, 50, 2.0, 16.23),
    ],
)
def test_cockcroft_gault(sex: Sex, age: float, weight: float, creatinine: float, expected: float) -> None:
    assert formulas.cockcroft_gault(age, weight, creatinine, sex) == pytest.approx(expected, abs=0.01)


def test_cockcroft_gault_from_micromoles() -> None:
    creatinine = convert(78, "umol/L", "mg/dL", analyte="creatinine")
    assert formulas.cockcroft_gault(50, 65, creatinine, "male") == pytest.approx(92.10, abs=0.05)


@pytest.mark.parametrize(
    ("sex", "age", "creatinine", "expected"),
    [
        ("female", 77, 1.4, 38.75),
        ("male", 50, 1.0, 91.69),
        ("female", 85, 2.0, 24.03),
        ("female", 30, 0.6, 123.76),
        ("male", 40, 0.8, 114.74),
        ("female", 65, 0.7, 95.92),
        ("male", 65, 0.9, 94.78),
    ],
)
def test_ckd_epi_2021_with_both_knots(sex: Sex, age: float, creatinine: float, expected: float) -> None:
    assert formulas.ckd_epi_2021(age, creatinine, sex) == pytest.approx(expected, abs=0.01)


def test_body_size() -> None:
    assert formulas.ideal_weight(160, "female") == pytest.approx(52.38, abs=0.01)
    assert formulas.ideal_weight(175, "male") == pytest.approx(70.46, abs=0.01)
    used, name = formulas.dosing_weight(110, 175, "male")
    assert (round(used, 2), name) == (86.28, "adjusted")
    assert formulas.dosing_weight(50, 175, "male") == (50, "actual")
    assert formulas.dosing_weight(80, None, "male") == (80, "actual")
    assert formulas.dosing_weight(80, 140, "male") == (80, "actual")
    assert formulas.bmi(160, 58) == pytest.approx(22.66, abs=0.01)
    assert formulas.bmi(175, 70) == pytest.approx(22.86, abs=0.01)
    assert formulas.bsa_mosteller(160, 58) == pytest.approx(1.606, abs=0.001)
    assert formulas.bsa_mosteller(175, 70) == pytest.approx(1.845, abs=0.001)
    assert formulas.de_indexed(38.75, formulas.bsa_mosteller(160, 58)) == pytest.approx(35.96, abs=0.02)


@pytest.mark.parametrize(
    ("part", "value", "points"),
    [
        ("bilirubin", 1.9, 1),
        ("bilirubin", 2.0, 2),
        ("bilirubin", 3.0, 2),
        ("bilirubin", 3.1, 3),
        ("albumin", 3.6, 1),
        ("albumin", 3.5, 2),
        ("albumin", 2.8, 2),
        ("albumin", 2.7, 3),
        ("inr", 1.6, 1),
        ("inr", 1.7, 2),
        ("inr", 2.3, 2),
        ("inr", 2.4, 3),
        ("ascites", "none", 1),
        ("ascites", "severe", 3),
        ("encephalopathy", "grade 2", 2),
        ("encephalopathy", "Grade 4", 3),
    ],
)
def test_child_pugh_points_at_their_borders(part: str, value: float | str, points: int) -> None:
    assert formulas.child_pugh_points(part, value) == points


@given(st.floats(18, 110), st.floats(30, 200), st.floats(0.2, 20), st.sampled_from(["female", "male"]))
def test_more_creatinine_never_means_better_kidneys(age: float, weight: float, creatinine: float, sex: Sex) -> None:
    worse = creatinine * 1.1
    assert formulas.cockcroft_gault(age, weight, worse, sex) < formulas.cockcroft_gault(age, weight, creatinine, sex)
    assert formulas.ckd_epi_2021(age, worse, sex) < formulas.ckd_epi_2021(age, creatinine, sex)
