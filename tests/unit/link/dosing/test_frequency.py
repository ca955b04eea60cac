from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.link.dosing.frequency import read_frequency, render
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Timing


@pytest.mark.parametrize(
    ("text", "often"),
    [
        ("twice daily", (2, 2)),
        ("once daily", (1, 1)),
        ("q8h", (3, 3)),
        ("1-0-1", (2, 2)),
        ("1-1-1-1", (4, 4)),
        ("once weekly", (1 / 7, 1 / 7)),
        ("every 72 hours", (1 / 3, 1 / 3)),
        ("q4-6h", (4, 6)),
        ("BID", (2, 2)),
        ("3x per dag", (3, 3)),
        ("每日3次", (3, 3)),
        ("2 times a day with food", (2, 2)),
        ("every 6 hours as needed for pain", (4, 4)),
        ("at bedtime", (1, 1)),
        ("stat", (1, 1)),
        ("q4-6h prn max 8/24h", (4, 6)),
        ("q4-6h prn max 4/24h", (4, 4)),
        ("every 5 minutes prn max 3", (3, 3)),
        ("q12h x 3 doses weekly", (3 / 7, 3 / 7)),
    ],
)
def test_a_frequency_is_so_many_times_a_day(text: str, often: tuple[float, float]) -> None:
    assert read_frequency(text).per_day == pytest.approx(often)


@pytest.mark.parametrize(
    "text", ["", "often", "as directed", "as needed", "2 tablets daily", "-1 times a day", "twice daily except Sundays",
             "daily then twice daily", "twice", "q8", "0-0-0", "0 times a day"]
)  # fmt: skip
def test_what_is_no_frequency_is_refused_by_its_words(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_frequency(text)
    assert repr(text) in str(refused.value)
    assert "q8h" in str(refused.value)


def test_a_frequency_of_a_megabyte_is_refused_in_one_line() -> None:
    with pytest.raises(BadInput) as refused:
        read_frequency("daily " * 200_000)
    assert len(str(refused.value)) < 300


def test_a_word_that_is_not_understood_is_named() -> None:
    with pytest.raises(BadInput, match="'purple' is not understood"):
        read_frequency("purple twice daily")


@pytest.mark.parametrize(
    ("timing", "words"),
    [
        (Timing(1, 1, 1), "once a day"),
        (Timing(2, 2, 1), "2 times a day"),
        (Timing(1, 1, 1 / 3), "every 8 hours"),
        (Timing(1, 1, 7), "once a week"),
        (Timing(1, 2, 28), "1 to 2 times every 28 days"),
        (Timing(0, 4, 1), "0 to 4 times a day"),
    ],
)
def test_a_timing_is_put_into_words(timing: Timing, words: str) -> None:
    assert render(timing) == words


@pytest.mark.parametrize("timing", [Timing(1, 1, 0), Timing(0, 0, 1), Timing(1, float("nan"), 1)])
def test_a_timing_that_is_none_has_no_words(timing: Timing) -> None:
    with pytest.raises(BadInput):
        render(timing)


TIMES = st.one_of(st.integers(1, 48).map(float), st.integers(1, 480).map(lambda n: n / 10))
PERIODS = st.one_of(
    st.just(1.0),
    st.integers(1, 366).map(float),
    st.integers(1, 96).map(lambda hours: hours / 24),
)


@given(TIMES, TIMES, PERIODS)
def test_what_is_put_into_words_is_read_back(one: float, other: float, days: float) -> None:
    timing = Timing(min(one, other), max(one, other), days)
    assert read_frequency(render(timing)).per_day == pytest.approx(timing.per_day)


@given(st.text(max_size=40))
def test_any_text_is_a_frequency_or_is_refused(text: str) -> None:
    try:
        timing = read_frequency(text)
    except BadInput:
        return
    assert 0 <= timing.low <= timing.high
    assert timing.high > 0
    assert timing.days > 0
