"""Figures in sentences of three languages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharmakon.retrieve.supporting.figures import figures


def shown(text: str, lang: str = "en") -> list[str]:
    return [str(f) for f in figures(text, lang)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("at most 1,000 mg a day", ["<=1000 mg"]),
        ("never above its maximum of 150 mg", ["<=150 mg"]),
        ("stay at 600 mg a day or less", ["<=600 mg"]),
        ("where creatinine clearance is 25 to below 50 ml/min", [">=25 mL/min", "<50 mL/min"]),
        ("from 65 years on", [">=65 year"]),
        ("within 14 days", ["14 day"]),
        ("for two weeks, then twice a day", ["2 week", "2 times"]),
        ("at most 150 mg per dose and 450 mg per day", ["<=150 mg", "<=450 mg"]),
        ("by about 40%", ["40 %"]),
        ("a cyp3a4 inhibitor, cyp2c19 and qtc", []),
        ("below 40 ml/min/1.73 m²", ["<40 mL/min/1.73m2"]),
    ],
)
def test_english_figures(text: str, found: list[str]) -> None:
    assert shown(text) == found


@pytest.mark.parametrize(
    ("text", "lang", "found"),
    [
        ("hoogstens 10 mg per dag", "nl", ["<=10 mg"]),
        ("niet meer dan 2,5 mg", "nl", ["<=2.5 mg"]),
        ("vanaf 65 jaar", "nl", [">=65 year"]),
        ("eenmaal per dag, twee weken lang", "nl", ["1 times", "2 week"]),
        ("每日最多10毫克", "zh", ["<=10 mg"]),
        ("18岁以下", "zh", ["<~18 year"]),
        ("不超过300毫克", "zh", ["<=300 mg"]),
        ("超过300毫克", "zh", [">300 mg"]),
        ("两周", "zh", ["2 week"]),
        ("间隔十四天", "zh", ["14 day"]),
    ],
)
def test_dutch_and_chinese_figures(text: str, lang: str, found: list[str]) -> None:
    assert shown(text, lang) == found


@settings(deadline=None)
@given(st.integers(1, 9999), st.sampled_from(["mg", "g", "mcg", "mL", "hours", "days"]))
def test_a_figure_that_is_written_is_read(value: int, unit: str) -> None:
    (found,) = figures(f"take {value} {unit.lower()} of it", "en")
    assert found.value == value
    assert found.same_as(figures(f"{value} {unit.lower()}", "en")[0])
    assert not found.same_as(figures(f"{value + 1} {unit.lower()}", "en")[0])


@settings(deadline=None)
@given(st.text(), st.sampled_from(["en", "nl", "zh"]))
def test_any_text_is_read_and_spans_lie_in_it(text: str, lang: str) -> None:
    for figure in figures(text, lang):
        assert 0 <= figure.start < figure.end <= len(text)
