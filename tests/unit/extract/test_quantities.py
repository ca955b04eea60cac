"""Doses in running text become upper bounds, and what is no dose does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.extract.specialists.doses.quantities import amounts, counted, limit


def limits(text: str) -> list[str]:
    return [str(limit(a)) for a in amounts(text)]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("Do not exceed 4 g per day.", "4000 mg per day"),
        ("75 mg twice daily", "150 mg per day"),
        ("2.5 to 10 mg/kg every 8 hours", "30 mg/kg per day"),
        ("1,000 mg/day in divided doses", "1000 mg per day"),
        ("7.5 mg once weekly", "7.5 mg per week"),
        ("500 mg every 6 to 8 hours", "2000 mg per day"),
        ("25 mg per dose", "25 mg per dose"),
        ("100 mg orally every other day", "350 mg per week"),
    ],
)
def test_a_dose_with_its_frequency_is_an_upper_bound(text: str, bound: str) -> None:
    assert limits(text) == [bound]


@pytest.mark.parametrize("text", ["infuse at 50 mg/min", "10/40 mg once daily", "150 mg every 4 weeks", "take 20 mg"])
def test_a_rate_a_ratio_or_a_dose_without_a_period_bounds_nothing(text: str) -> None:
    assert limits(text) == ["None"]


@pytest.mark.parametrize("text", ["a 250 mg tablet", "a solution of 10 mg/mL", "5 mg per capsule"])
def test_the_strength_of_a_product_is_no_dose(text: str) -> None:
    assert amounts(text) == ()


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("two 20 mg tablets daily", "40 mg per day"),
        ("4 300-mg capsules per day", "1200 mg per day"),
        ("one 5 mg tablet twice daily", "10 mg per day"),
    ],
)
def test_pieces_of_a_strength_are_a_dose(text: str, bound: str) -> None:
    assert limits(text) == [bound]


@pytest.mark.parametrize("text", ["one or two 5 mg tablets daily", "two 10/40 mg tablets daily", "25 mg tablets daily"])
def test_pieces_that_are_not_counted_for_certain_are_none(text: str) -> None:
    assert amounts(text) == ()


def test_tablets_and_millilitres_are_counted_apart() -> None:
    assert counted("take 2 tablets daily")
    assert counted("5 mL")
    assert not counted("5 mg daily")


@given(st.text(alphabet="0123456789 .,-/mgkdayper tohurs", max_size=60))
def test_amounts_stand_in_order_inside_the_text(text: str) -> None:
    ends = [0]
    for amount in amounts(text):
        assert ends[-1] <= amount.start < amount.end <= len(text)
        assert amount.low <= amount.high
        ends.append(amount.end)
