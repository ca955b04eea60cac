"""Directions that were once misread, each with its kind: what counts is the highest day, and what a reader is told."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.link.dosing.amounts import exposure
from pharmakon.link.dosing.sig import read_sig
from pharmakon.link.dosing.strength import read_form, read_strengths
from pharmakon.model.concepts import ConceptId
from pharmakon.model.dosing import Part, Sig
from pharmakon.model.prescription import Amount

PART = Part(ConceptId("drug:example"), Amount(1, 1, "mg"))


def _highest(sig: Sig) -> tuple[Any, Any]:
    """The highest day and week, with pieces of 1 mg."""
    found = exposure(sig.dose, sig.timing, PART, sig.max_daily)
    return (found.daily.high if found.daily else None, found.weekly.high if found.weekly else None)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1.2 mg now then 0.6 mg in 1 hour", 1.8),
        ("1.2 mg now, then 0.6 mg after 1 hour", 1.8),
        ("1.2 mg now, 0.6 mg 1 hour later", 1.8),
        ("nu 2 tabletten, daarna 1 tablet na 2 uur", 3),
        ("1 tablet now and again in 1 hour", 2),
        ("2 tablets stat then 1 tablet in 2 hours then 1 tablet daily", 3),
        ("0.6 mg in 1 hour", None),
        ("100 mL over 1 hour", None),
        ("5 mg IV over 30 minutes q8h", 15),
        ("1 tablet 1 hour after meals", 3),
        ("2 tablets in 24 hours", 2),
        ("1 tablet per hour", 24),
        ("1 g over 15 minutes, then 2 g over 8 hours", 3000),
        ("150 mg over 1 hour, then 50 mg over 4 hours, then 100 mg over 16 hours", 300),
    ],
)
def test_hours_after_a_dose_are_no_frequency(text: str, day: float | None) -> None:
    assert _highest(read_sig(text))[0] == pytest.approx(day)


@pytest.mark.parametrize(
    ("text", "day", "days"),
    [
        ("40 mg daily x 5d, 30 mg daily x 5d, 20 mg x5d", 40, 15),
        ("40 mg daily for 5 days; 30 mg daily for 5 days; 20 mg daily", 40, None),
        ("5 dagen 2x daags 2 tabletten, 5 dagen 2x daags 1 tablet", 4, 10),
        ("day 1: 40 mg, day 2: 30 mg, day 3: 20 mg", 40, 3),
        ("500 mg on day 1, 250 mg on days 2-5", 500, 5),
        ("week 1: 5 mg daily, week 2: 10 mg daily", 10, 14),
        ("10 mg daily, after 2 weeks 20 mg daily", 20, None),
        ("300 mg twice on day 1", 600, None),
        ("5 mg in the morning x 5d, 10 mg at night x 5d", 15, 5),
    ],
)
def test_courses_one_after_another_are_not_added(text: str, day: float, days: float | None) -> None:
    sig = read_sig(text)
    assert (_highest(sig)[0], sig.duration_days) == (pytest.approx(day), days)


def test_a_dose_as_needed_beside_a_course_may_fall_on_the_same_day() -> None:
    day = _highest(read_sig("5 mg daily x 5d, 10 mg prn"))[0]
    assert day is not None
    assert day >= 15


def test_a_reader_is_told_of_a_taper_and_no_word_of_it_is_left_unread() -> None:
    sig = read_sig("40 mg daily x 5d, 30 mg daily x 5d, 20 mg x5d")
    assert (sig.notes, sig.unread) == (("a taper (40 → 30 → 20 mg a day); the highest day counts",), "")


@pytest.mark.parametrize(
    ("text", "day", "remark"),
    [
        ("1 tablet daily; last week he took 3 tablets daily", 1, "last week he took 3 tablets daily"),
        ("1 tablet daily (previously 2 tablets daily)", 1, "previously 2 tablets daily"),
        ("vorige week 3 tabletten per dag, nu 1 tablet per dag", 1, "vorige week 3 tabletten per dag"),
    ],
)
def test_a_remark_on_the_past_is_passed_over_and_told(text: str, day: float, remark: str) -> None:
    sig = read_sig(text)
    assert _highest(sig)[0] == day
    assert sig.notes == (f"a remark on the past is passed over: “{remark}”",)


@pytest.mark.parametrize(
    "text",
    ["last week increased to 3 tablets daily", "3 tablets daily as previously", "previously 3 tablets daily",
     "1 tablet daily; last week increased to 3 tablets daily"],
)  # fmt: skip
def test_what_may_be_the_dose_of_today_is_never_taken_for_the_past(text: str) -> None:
    day = _highest(read_sig(text))[0]
    assert day is not None
    assert day >= 3


@pytest.mark.parametrize(
    ("text", "dose", "day"),
    [("3x1", 1, 3), ("1x1", 1, 1), ("3 x 1 tablet", 1, 3), ("3×1 daily", 1, 3), ("2 x 5 mg daily", 10, 10)],
)
def test_three_times_one_is_three_a_day(text: str, dose: float, day: float) -> None:
    sig = read_sig(text)
    assert sig.dose is not None
    assert (sig.dose.high, _highest(sig)[0]) == (dose, day)


@pytest.mark.parametrize(
    ("text", "day", "week"),
    [
        ("5 mg q12h x 3 doses weekly", 10, 15),
        ("2.5 mg every 12 hours for 3 doses once a week", 5, 7.5),
        ("5 mg q12h x 3 doses", 10, 70),
        ("1 tablet under the tongue every 5 minutes prn max 3", 3, 21),
        ("1 tablet every 5 minutes, up to 3 doses", 3, 21),
        ("1 tablet q5min x 3", 3, 21),
        ("1 tablet q4-6h prn max 8/24h", 6, 42),
        ("zo nodig 1 tablet, max 4 per dag", 4, 28),
        ("1 tablet q2h, max 8 in 24 hours", 8, 56),
        ("1 tablet every 4 hours prn max 3", 6, 42),  # three a day, or three at a time
    ],
)
def test_so_many_doses_in_all_bound_the_day(text: str, day: float, week: float) -> None:
    assert _highest(read_sig(text)) == (pytest.approx(day), pytest.approx(week))


def test_two_doses_in_one_unit_count_at_the_higher_and_are_told() -> None:
    sig = read_sig("10 mg daily (20 mg)")
    assert (sig.dose, sig.unread) == (Amount(20, 20, "mg"), "")
    assert sig.notes == ("two doses are written, 10 mg and 20 mg; the higher counts",)


@pytest.mark.parametrize("text", ["801 mg three times daily (2,403 mg/day)", "801 mg tid (2403 mg total)"])
def test_the_amount_of_a_day_in_brackets_is_no_second_dose(text: str) -> None:
    assert (read_sig(text).dose, read_sig(text).notes) == (Amount(801, 801, "mg"), ())


@pytest.mark.parametrize(
    ("text", "dose", "restated", "told"),
    [
        ("Take 2 tablets (20 mg) daily", "tablets", Amount(20, 20, "mg"), True),
        ("1 tablet (500 mg) daily", "mg", Amount(1, 1, "tablet"), False),
        ("20 mg (2 tablets) daily", "mg", Amount(2, 2, "tablets"), False),
        ("2 tablets (20 mg each) daily", "tablets", Amount(40, 40, "mg"), False),
        ("2 tablets daily", "tablets", None, False),
    ],
)
def test_a_dose_written_in_two_units_keeps_both(text: str, dose: str, restated: Amount | None, told: bool) -> None:
    sig = read_sig(text)
    assert sig.dose is not None
    assert (sig.dose.unit, sig.restated) == (dose, restated)
    assert bool(sig.notes) is told


@pytest.mark.parametrize(
    "text",
    ["stop", "STOP taking this medication", "do not take", "hold", "hold until further notice", "niet innemen",
     "gestopt", "gestopt per 1-1-2024", "gisteren gestopt", "停用", "1 tablet daily; stopped", "do not take."],
)  # fmt: skip
def test_directions_may_say_not_to_take_it(text: str) -> None:
    assert read_sig(text).stop


@pytest.mark.parametrize(
    "text",
    ["1 tablet daily, stop if rash", "hold for SBP < 100", "do not take with milk", "do not take more than 8 a day",
     "1 tablet daily for 5 days then stop", "do not stop", "stop after 7 days", "inhale 2 puffs, hold breath",
     "niet innemen met melk", "if dizzy stop", "1 tablet daily. Do not take with alcohol"],
)  # fmt: skip
def test_a_condition_for_stopping_is_not_a_stop(text: str) -> None:
    assert not read_sig(text).stop


def test_a_stop_beside_a_dose_is_told() -> None:
    sig = read_sig("1 tablet daily; gestopt")
    assert sig.notes == ("the directions say not to take it, and how to take it",)


HOSTILE = ["take 1 tablet ", "1 ", "每", "q4h ", "40 mg daily x 5d, ", "last week took 3 tablets, ", "stop ", "-", "1/"]


@pytest.mark.parametrize("words", HOSTILE)
def test_a_megabyte_of_directions_takes_the_time_of_its_first_thousand_characters(words: str) -> None:
    text = words * (1_000_000 // len(words))

    def seconds(text: str) -> float:
        start = time.process_time()
        read_sig(text)
        read_strengths(text)
        read_form(text)
        return time.process_time() - start

    assert seconds(text) < 10 * seconds(text[:1000]) + 0.3  # twice as much, on whatever machine
    sig = read_sig(text)
    assert sig.notes[-1] == "only the first 1,000 characters of the directions are read"
    assert text.strip()[-20:] in sig.unread


def test_what_lies_beyond_the_first_thousand_characters_is_unread() -> None:
    sig = read_sig("1 tablet daily " + "with water " * 100 + "and 2 tablets at night")
    assert sig.dose == Amount(1, 1, "tablet")
    assert sig.unread.endswith("and 2 tablets at night")


DOSE = st.integers(1, 9)


@given(st.lists(DOSE, min_size=2, max_size=5), st.sampled_from([", ", "; ", ". ", " then ", "\n", " "]))
def test_the_highest_course_is_the_highest_day(doses: list[int], between: str) -> None:
    sig = read_sig(between.join(f"{dose} mg daily for 5 days" for dose in doses))
    assert _highest(sig)[0] == max(doses)
    assert sig.duration_days == 5 * len(doses)


@given(st.lists(DOSE, min_size=2, max_size=4), st.sampled_from(["in 1 hour", "after 2 hours", "3 hours later"]))
def test_doses_some_hours_apart_add_up(doses: list[int], when: str) -> None:
    first, *others = doses
    sig = read_sig(f"{first} mg now" + "".join(f" then {dose} mg {when}" for dose in others))
    assert _highest(sig)[0] == pytest.approx(sum(doses))


@given(DOSE, st.sampled_from([(6, 4), (8, 3), (12, 2)]), st.integers(2, 9))
def test_a_course_each_week_is_its_doses_a_week(dose: int, often: tuple[int, int], count: int) -> None:
    hours, a_day = often
    sig = read_sig(f"{dose} mg q{hours}h x {count} doses weekly")
    assert _highest(sig) == (pytest.approx(dose * min(a_day, count)), pytest.approx(dose * count))
