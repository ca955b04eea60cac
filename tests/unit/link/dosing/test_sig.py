from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.link.dosing.sig import read_sig
from pharmakon.link.dosing.strength import read_strengths
from pharmakon.link.dosing.words import vocabulary
from pharmakon.model.dosing import Sig
from pharmakon.model.prescription import Amount
from pharmakon.model.units import canonical
from pharmakon.model.vocabulary import routes

Said = tuple[float, float, str] | None
Often = tuple[float, float] | None


def _dose(sig: Sig) -> Said:
    return (sig.dose.low, sig.dose.high, canonical(sig.dose.unit)) if sig.dose else None


def _often(sig: Sig) -> Often:
    return sig.timing.per_day if sig.timing else None


def _words() -> list[str]:
    def texts(node: object) -> list[str]:
        if isinstance(node, str):
            return [node]
        if isinstance(node, dict):
            return [text for value in node.values() for text in texts(value)]
        return [text for value in node for text in texts(value)] if isinstance(node, list) else []

    return sorted(set(texts(vocabulary())))


@pytest.mark.parametrize(
    ("text", "dose", "often"),
    [
        ("take 2 tablets twice daily", (2, 2, "piece"), (2, 2)),
        ("1-2 tablets q4-6h prn", (1, 2, "piece"), (4, 6)),
        ("325-650 mg q4-6h prn", (325, 650, "mg"), (4, 6)),
        ("one or two tablets every six hours", (1, 2, "piece"), (4, 4)),
        ("500 mg to 1 g qid", (500, 1000, "mg"), (4, 4)),
        ("1 tab po b.i.d.", (1, 1, "piece"), (2, 2)),
        ("1 cap tds", (1, 1, "piece"), (3, 3)),
        ("10 mg nocte", (10, 10, "mg"), (1, 1)),
        ("2 mane", (2, 2, "piece"), (1, 1)),
        ("10 units tid ac & hs", (10, 10, "unit"), (4, 4)),
        ("500 mg with meals", (500, 500, "mg"), (3, 3)),
        ("1 tablet twice daily with meals", (1, 1, "piece"), (2, 2)),
        ("1 tablet once weekly on Monday", (1, 1, "piece"), (1 / 7, 1 / 7)),
        ("15 mg once a week", (15, 15, "mg"), (1 / 7, 1 / 7)),
        ("1 tablet on Mon, Wed and Fri", (1, 1, "piece"), (3 / 7, 3 / 7)),
        ("1 tablet every other day", (1, 1, "piece"), (0.5, 0.5)),
        ("1 tablet on alternate days", (1, 1, "piece"), (0.5, 0.5)),
        ("1 patch every 72 hours", (1, 1, "piece"), (1 / 3, 1 / 3)),
        ("40 mg every 14 days", (40, 40, "mg"), (1 / 14, 1 / 14)),
        ("½ tablet daily", (0.5, 0.5, "piece"), (1, 1)),
        ("1½ tablets daily", (1.5, 1.5, "piece"), (1, 1)),
        ("1 1/2 tabs daily", (1.5, 1.5, "piece"), (1, 1)),
        ("half a tablet once daily", (0.5, 0.5, "piece"), (1, 1)),
        ("1,000 mg bid", (1000, 1000, "mg"), (2, 2)),
        ("5,000 units q8h", (5000, 5000, "unit"), (3, 3)),
        ("0,5 mg daily", (0.5, 0.5, "mg"), (1, 1)),
        ("two hundred and fifty mg daily", (250, 250, "mg"), (1, 1)),
        ("1 tablet at 8am and 8pm", (1, 1, "piece"), (2, 2)),
        ("1 tablet at 0800 and 2000", (1, 1, "piece"), (2, 2)),
        ("1 puff morning and night prn", (1, 1, "piece"), (2, 2)),
        ("1 tablet three times a day and at bedtime", (1, 1, "piece"), (4, 4)),
        ("3000 mg/day", (3000, 3000, "mg"), (1, 1)),
        ("40 mg/day", (40, 40, "mg"), (1, 1)),
        ("5 mcg/kg/min", (5, 5, "mcg/kg"), (1440, 1440)),
        ("100 mL/hr", (100, 100, "mL"), (24, 24)),
        ("take 2 500 mg tablets bid", (1000, 1000, "mg"), (2, 2)),
        ("take 2 a day", (2, 2, "piece"), (1, 1)),
        ("1 tablet up to 4 times a day", (1, 1, "piece"), (0, 4)),
        ("1 tablet q4h, max 4 times a day", (1, 1, "piece"), (4, 4)),
        ("1 tablet biweekly", (1, 1, "piece"), (1 / 14, 4 / 14)),
        ("Tkae 1 tabet 3 tiems a day", (1, 1, "piece"), (3, 3)),
        # Dutch
        ("2x per dag 1 tablet", (1, 1, "piece"), (2, 2)),
        ("'s avonds 1 capsule", (1, 1, "piece"), (1, 1)),
        ("om de 8 uur 500 mg", (500, 500, "mg"), (3, 3)),
        ("om 8 uur en 20 uur 1 tablet", (1, 1, "piece"), (2, 2)),
        ("1-0-1", (1, 1, "piece"), (2, 2)),
        ("1 dd 1", (1, 1, "piece"), (1, 1)),
        ("3dd2", (2, 2, "piece"), (3, 3)),
        ("2 dd 500 mg", (500, 500, "mg"), (2, 2)),
        ("1 à 2 tabletten voor de nacht", (1, 2, "piece"), (1, 1)),
        ("3D2T", (2, 2, "piece"), (3, 3)),
        ("zn 1-2d1c", (1, 1, "piece"), (1, 2)),
        ("om de dag 1 tablet", (1, 1, "piece"), (0.5, 0.5)),
        ("driemaal daags anderhalve tablet", (1.5, 1.5, "piece"), (3, 3)),
        # Chinese
        ("口服，一次1片，一日3次", (1, 1, "piece"), (3, 3)),
        ("每日2次", None, (2, 2)),
        ("一次1片", (1, 1, "piece"), None),
        ("每8小时一次，每次两片", (2, 2, "piece"), (3, 3)),
        ("每日早晚各1片", (1, 1, "piece"), (2, 2)),
        ("隔日一次", None, (0.5, 0.5)),
        ("每4-6小时1次", None, (4, 6)),
    ],
)
def test_directions_say_how_much_and_how_often(text: str, dose: Said, often: Often) -> None:
    sig = read_sig(text)
    assert _dose(sig) == (pytest.approx(dose) if dose is None else dose)
    assert _often(sig) == (pytest.approx(often) if often else None)
    assert sig.unread == ""


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("use as directed", ""),
        ("volgens voorschrift", ""),
        ("apply as needed", ""),
        ("hold for SBP < 100", "hold for SBP 100"),
        ("avoid dairy", "avoid dairy"),
        ("wait at least 4 hours between doses", "wait at least 4 hours between"),
        ("reduce by 5 mg every week", "reduce by 5 mg every week"),
        ("Q8", "Q 8"),
        ("", ""),
    ],
)
def test_what_says_neither_dose_nor_timing_has_neither(text: str, unread: str) -> None:
    sig = read_sig(text)
    assert (sig.dose, sig.timing, sig.unread) == (None, None, unread)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("−5 mg daily", "5 mg"),
        ("-5 mg daily", "5 mg"),
        ("take -5 mg daily", "5 mg"),
        ("warfarin 5 daily", "warfarin 5"),  # 5 mg or five pieces
        ("2.500 IE daily", "2.500 IE"),  # Dutch for 2500, English for 2.5
        ("vitamin b12 daily", "vitamin b 12"),
        ("1 2 3 mg daily", "1 2 3 mg"),
        ("Tylenol #3 daily", "Tylenol 3"),
        ("coenzyme q10 100 mg daily", "coenzyme q 10 100 mg"),
        ("(250 mg/5 mL) daily", "250 mg / 5 mL"),
    ],
)
def test_a_figure_that_may_be_something_else_is_no_dose(text: str, unread: str) -> None:
    sig = read_sig(text)
    assert (sig.dose, _often(sig), sig.unread) == (None, (1, 1), unread)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("1000 mg q6h prn, max 4 g/day", (4, "g")),
        ("1-2 tablets q4h prn, not more than 8 in 24 hours", (8, "tablets")),
        ("1 tablet q4h prn; max 4 tablets in 12 hours", (8, "tablets")),
        ("zo nodig 3dd 500-1000 mg, max 4 gram per dag", (4, "g")),
        ("必要时服用，每次1片，每日不超过4片", (4, "片")),
        ("up to 3 tablets daily", (3, "tablets")),
        ("最大剂量每日4g", (4, "g")),
        ("max per dag 4 g", (4, "g")),
        ("take 2 tabs (10 mg) in AM and 1 tab (5 mg) in PM", (3, "tabs")),
        ("1-0-2", (3, "piece")),
        ("10 units in the morning and 20 units at night", (30, "unit")),
        ("2 in the morning and 1 tablet at night", (3, "tablet")),
        ("40 mg/day divided bid", (40, "mg")),
    ],
)
def test_the_most_in_a_day_is_what_is_said_or_the_sum_of_unequal_doses(text: str, most: tuple[float, str]) -> None:
    assert read_sig(text).max_daily == Amount(most[0], most[0], most[1])


def test_a_limit_over_a_week_is_no_limit_a_day() -> None:
    sig = read_sig("1 tablet daily, max 8 tablets per week")
    assert sig.max_daily is None
    assert "max 8 tablets" in sig.unread


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("gedurende 7 dagen", 7),
        ("1 tablet daily x 7 days", 7),
        ("1 tab qday x10d", 10),
        ("1 tablet daily for 2-3 weeks", 21),
        ("1 tablet daily for a week", 7),
        ("5 dagen 2x daags 1 tablet", 5),
        ("连服7天", 7),
        ("2 tablets stat", 1),
        ("100 mg x 1 dose", 1),
        ("1 tablet daily", None),
        ("1 amp once", None),
    ],
)
def test_a_duration_is_in_days_and_the_long_end_of_a_range(text: str, days: float | None) -> None:
    assert read_sig(text).duration_days == days


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("1 tablet by mouth daily", "oral"),
        ("5,000 units SC q8h", "subcutaneous"),
        ("30 mg IV push", "intravenous_push"),
        ("inhale 2 puffs by mouth daily", "inhalation"),
        ("1 tablet under the tongue", "sublingual"),
        ("1 drop in both eyes bid", "ophthalmic"),
        ("口服", "oral"),
        ("皮下注射 10单位", "subcutaneous"),
        ("take it daily", None),
        ("2 inhalations daily", None),
    ],
)
def test_a_route_is_one_of_the_vocabulary(text: str, route: str | None) -> None:
    assert read_sig(text).route == route
    assert route is None or route in routes()


def test_two_routes_that_cannot_be_one_are_none() -> None:
    sig = read_sig("1 tablet po/iv daily")
    assert (sig.route, sig.unread) == (None, "po iv")


@pytest.mark.parametrize("text", ["prn", "as needed", "zo nodig", "必要时", "p.r.n."])
def test_as_needed_is_read_in_three_languages(text: str) -> None:
    assert read_sig(f"1 tablet {text}").as_needed
    assert not read_sig("1 tablet daily").as_needed


def test_an_undiluted_push_is_said_so() -> None:
    assert read_sig("30 mg IV push undiluted").undiluted
    assert not read_sig("30 mg IV push not undiluted").undiluted


def test_what_it_is_needed_for_stays_in_view() -> None:
    assert read_sig("1 tablet q6h as needed for chest pain").unread == "for chest pain"


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        ("vitamin D3 1000 units daily", Amount(1000, 1000, "unit")),
        ("vitamin B12 1000 mcg daily", Amount(1000, 1000, "mcg")),
        ("NPH 70/30 20 units daily", Amount(20, 20, "unit")),
        ("0.9% NaCl 75 mL daily", Amount(75, 75, "mL")),
        ("17 g dissolved in 240 mL water daily", Amount(17, 17, "g")),
    ],
)
def test_a_figure_in_a_name_does_not_change_the_dose(text: str, dose: Amount) -> None:
    assert read_sig(text).dose == dose


def test_one_dose_for_each_of_two_counts_double() -> None:
    assert read_sig("1 spray in each nostril daily").dose == Amount(2, 2, "spray")


@pytest.mark.parametrize(
    ("text", "dose", "unread"),
    [
        ("1 tablet (5 mg) daily", (5, 5, "mg"), ""),
        ("Take 2 tablets (1,000 mg total) by mouth daily", (1000, 1000, "mg"), ""),
        ("10 mL (400 mg) daily", (400, 400, "mg"), ""),
        ("250 mg (1 tablet) daily", (250, 250, "mg"), ""),
        ("2 tablets of 500 mg daily", (2, 2, "piece"), "500 mg"),
        ("500 mg 2 tablets daily", (2, 2, "piece"), "500 mg"),
        ("2 tablets (500 mg each) daily", (2, 2, "piece"), "500 mg each"),
        ("5 mg in the morning and 1 tablet at night", None, "5 mg 1 tablet"),
    ],
)
def test_a_dose_in_two_units_is_one_dose_where_they_can_only_be_the_same(text: str, dose: Said, unread: str) -> None:
    sig = read_sig(text)
    assert (_dose(sig), sig.unread) == (dose, unread)


def test_a_taper_counts_at_its_highest_step_and_shows_the_others() -> None:
    sig = read_sig("3 puffs bd for 1 week followed by 2 puffs for 2 weeks then 1 puff for 1 week")
    assert (sig.dose, _often(sig), sig.duration_days) == (Amount(3, 3, "puffs"), (2, 2), 28)
    assert (sig.unread, sig.notes) == ("", ("a taper (6 → 4 → 2 puffs a day); the highest day counts",))


def test_a_loading_dose_bounds_the_day_and_the_single_dose() -> None:
    sig = read_sig("400 mg stat then 200 mg bid")
    assert (sig.dose, sig.max_daily, sig.duration_days) == (Amount(400, 400, "mg"), Amount(400, 400, "mg"), None)


def test_a_rising_dose_counts_at_its_end() -> None:
    sig = read_sig("1 tablet daily for 7 days then 2 tablets twice daily")
    assert (_dose(sig), _often(sig)) == ((2, 2, "piece"), (2, 2))


def test_a_week_of_two_doses_is_a_range_of_seven() -> None:
    sig = read_sig("5 mg Mon, Wed, Fri and 2.5 mg other days")
    assert (sig.dose, _often(sig)) == (Amount(2.5, 5, "mg"), (1, 1))


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    read_sig(text)


FIGURES = [
    "1",
    "2",
    "0,5",
    "1/2",
    "½",
    "-5",
    "−3",
    "1,000",
    "2.500",
    "0",
    "999999999999",
    "1-0-1",
    "0-0-0",
    "8:00",
    "3rd",
]


@given(
    st.lists(st.sampled_from([*_words(), *FIGURES, "mg", "mL", "tablets", "hours", "days", "/", "(", ")", ";"])).map(
        " ".join
    )
)
def test_any_row_of_known_words_can_be_read_and_every_figure_is_finite_and_ordered(text: str) -> None:
    sig = read_sig(text)
    for amount in (sig.dose, sig.max_daily):
        assert amount is None or 0 <= amount.low <= amount.high < math.inf
    assert sig.timing is None or (0 <= sig.timing.low <= sig.timing.high < math.inf and sig.timing.days > 0)
    assert sig.route is None or sig.route in routes()
    assert sig.duration_days is None or sig.duration_days >= 1


@given(st.floats(min_value=0.001, max_value=9999).map(lambda x: round(x, 1)), st.integers(1, 12))
def test_a_plain_dose_is_read_as_written(value: float, times: int) -> None:
    sig = read_sig(f"{value} mg {times} times a day")
    assert (sig.dose, _often(sig)) == (Amount(value, value, "mg"), (times, times))


SINGLE = st.sampled_from([0.5, 1.0, 2.0, 3.0, 10.0])
WHENS = {
    "bid": 2, "twice daily": 2, "3 times a day": 3, "q8h": 3, "every 6 hours": 4, "at bedtime": 1, "every morning": 1,
    "with meals": 3, "in the morning and at night": 2, "at 8am and 8pm": 2, "tid and at bedtime": 4, "2x per dag": 2,
    "'s avonds": 1, "om de 8 uur": 3, "每日2次": 2, "nightly": 1, "q4h": 6, "3dd": 3,
}  # fmt: skip
PART = st.tuples(SINGLE, st.sampled_from(sorted(WHENS)), st.booleans())


@given(
    st.lists(PART, min_size=1, max_size=3),
    st.sampled_from(["tablets", "mg", "mL", "puffs"]),
    st.sampled_from([" and ", "; ", ", ", ". ", " en ", " then ", " followed by "]),
)
def test_the_highest_day_is_never_under_estimated(
    parts: list[tuple[float, str, bool]], unit: str, between: str
) -> None:
    said = [f"{dose} {unit} {when}" if first else f"{when} {dose} {unit}" for dose, when, first in parts]
    days = [dose * WHENS[when] for dose, when, _ in parts]
    truth = max(days) if "then" in between or "followed" in between else sum(days)
    sig = read_sig(between.join(said))
    if sig.dose and sig.timing:
        highest = sig.dose.high * max(1.0, sig.timing.per_day[1])
        if sig.max_daily:
            highest = min(highest, sig.max_daily.high)
        assert highest >= truth * (1 - 1e-9)


@given(st.sampled_from("-−"), st.integers(1, 9999))
def test_a_negative_figure_is_never_a_dose(sign: str, value: int) -> None:
    assert read_sig(f"{sign}{value} mg daily").dose is None
    assert read_sig(f"take {sign}{value} tablets daily").dose is None


@pytest.mark.parametrize("word", ["every ", "a ", "1-", "1/", "每", "x", "and 1 tablet at night ", "(", "then "])
def test_a_hostile_length_takes_no_more_than_its_share_of_time(word: str) -> None:
    text = word * (6000 // len(word))
    start = time.process_time()
    read_sig(text)
    read_strengths(text)
    assert time.process_time() - start < 5  # about 0.2 s; many times that where a pattern backtracks


@pytest.mark.parametrize(
    ("text", "dose", "often"),
    [
        ("1 tablet 1-0-1", (1, 1, "piece"), (2, 2)),
        ("1 tablet, 1-0-1-0", (1, 1, "piece"), (2, 2)),
        ("1-0-1 1 tablet", (1, 1, "piece"), (2, 2)),
        ("2 tablets 1-0-1", (2, 2, "piece"), (2, 2)),
        ("2 tablets 2-0-2", (2, 2, "piece"), (2, 2)),
        ("½ tablet 1-1-1", (0.5, 0.5, "piece"), (3, 3)),
        ("1-0-1 tablet", (1, 1, "piece"), (2, 2)),
        ("500 mg 1-0-1", (500, 500, "mg"), (2, 2)),
    ],
)
def test_a_dose_beside_a_scheme_is_what_the_scheme_counts(text: str, dose: Said, often: Often) -> None:
    sig = read_sig(text)
    assert (_dose(sig), _often(sig), sig.max_daily) == (dose, often, None)


def test_what_a_patch_releases_by_the_hour_is_not_how_often_it_is_changed() -> None:
    sig = read_sig("100 mcg/h every 72 hours")
    assert (sig.dose, _often(sig)) == (None, (1 / 3, 1 / 3))
    worn = read_sig("1 patch (25 mcg/hr) every 72 hours")
    assert (_dose(worn), _often(worn)) == ((1, 1, "piece"), (1 / 3, 1 / 3))
    assert _often(read_sig("5 mg/h")) == (24, 24)
