"""Figures, stages and states in ward notes, English and Dutch."""

from __future__ import annotations

import pytest

from pharmakon.link.measures import stage
from pharmakon.link.notes import read_notes
from pharmakon.model.profile import Interval
from tests.unit.link.lexicon import finder

FINDER = finder()


def factors(*notes: str) -> dict[str, object]:
    """Factor → value, of what holds today."""
    facts = [f for f in read_notes(notes, FINDER) if f.kind == "factor" and f.status == "active"]
    return {f.factor: _plain(f.value) for f in facts}


def _plain(value: Interval | frozenset[str] | None) -> object:
    if isinstance(value, Interval):
        return round(value.low, 2) if value.low == value.high else (value.low, value.high)
    return "".join(sorted(value or ()))


@pytest.mark.parametrize(
    ("note", "factor", "value"),
    [
        ("last eGFR 22", "egfr", 22),
        ("eGFR 28 ml/min/1,73 m²", "egfr", 28),
        ("eGFR 28 ml/min", "egfr", 28),
        ("eGFR (CKD-EPI) 34 ml/min", "egfr", 34),
        ("MDRD 34", "egfr", 34),
        ("GFR approx 25", "egfr", 25),
        ("CrCl 28 mL/min", "crcl", 28),
        ("creatinineklaring: 31 ml/min", "crcl", 31),
        ("klaring 28", "crcl", 28),
        ("creatinine 1.8 mg/dL", "creatinine", 1.8),
        ("Cr 1.8 mg/dL", "creatinine", 1.8),
        ("kreatinine 165 µmol/l", "creatinine", 1.87),
        ("kreat: 165 umol/L", "creatinine", 1.87),
        ("creat 165 micromol/l", "creatinine", 1.87),
        ("K 5,8", "potassium", 5.8),
        ("K+: 5,9 mmol/L", "potassium", 5.9),
        ("Potassium of 6.1", "potassium", 6.1),
        ("kalium 2,9 mmol/l", "potassium", 2.9),
        ("K 2.9 mEq/L", "potassium", 2.9),
        ("Na 134", "sodium", 134),
        ("INR was 3.2", "inr", 3.2),
        ("INR 2,5", "inr", 2.5),
        ("QTc 510 ms", "qtc", 510),
        ("QTc: 480", "qtc", 480),
        ("HbA1c 7.2%", "hba1c", 7.2),
        ("HbA1c 53 mmol/mol", "hba1c", 7.0),
        ("Weight 54 kg", "weight", 54),
        ("gewicht 54,5 kg", "weight", 54.5),
        ("Wt 120 lbs", "weight", 54.43),
        ("height 158 cm", "height", 158),
        ("lengte 1,58 m", "height", 158),
        ("Height 5'4\"", "height", 162.56),
        ("digoxin level 2.4", "digoxin", 2.4),
        ("lithium 1,4 mmol/l", "lithium", 1.4),
        ("albumine 28 g/L", "albumin", 2.8),
        ("bilirubin 3.1 mg/dL", "bilirubin", 3.1),
    ],
)
def test_a_value_is_read_with_its_unit(note: str, factor: str, value: float) -> None:
    assert factors(note)[factor] == pytest.approx(value, abs=0.005)


@pytest.mark.parametrize(
    ("note", "factor", "value"),
    [
        ("QTc 480-500 ms", "qtc", (480, 500)),
        ("potassium 3.1 to 3.4 mmol/L", "potassium", (3.1, 3.4)),
        ("eGFR >90", "egfr", (90, float("inf"))),
        ("eGFR <15 mL/min", "egfr", (0, 15)),
    ],
)
def test_a_range_or_a_bound_stays_one(note: str, factor: str, value: tuple[float, float]) -> None:
    assert factors(note)[factor] == value


@pytest.mark.parametrize(
    "note",
    [
        "creatinine 1.0 -> 2.4 mg/dL",
        "baseline creatinine 1.0 mg/dL, now 2.4 mg/dL",
        "Creatinine rose from 1.0 mg/dL to 2.4 mg/dL",
        "creatinine was 1.0 mg/dL in 2019, currently 2.4 mg/dL",
    ],
)
def test_of_a_course_the_last_value_counts(note: str) -> None:
    assert factors(note) == {"creatinine": 2.4}


@pytest.mark.parametrize(
    ("note", "factor", "value"),
    [
        ("eGFR was 75 in 2019, now 26", "egfr", 26),
        ("eGFR was 75 in 2019, nu 26", "egfr", 26),
        ("target eGFR > 60, currently 26", "egfr", 26),
        ("eGFR target > 60, currently 26", "egfr", 26),
        ("eGFR 75 in 2019, 26 today", "egfr", 26),
        ("eGFR 26 today, 75 in 2019", "egfr", 26),
        ("eGFR 26 (was 75 in 2019)", "egfr", 26),
        ("eGFR 26 (normal > 60)", "egfr", 26),
        ("eGFR 26, previously 75", "egfr", 26),
        ("meest recente eGFR 26, vorige 40", "egfr", 26),
        ("eGFR 75 in 2019, 40 in 2022, now 26", "egfr", 26),
        ("eGFR fell from 75 to 26", "egfr", 26),
        ("eGFR gedaald van 75 naar 26", "egfr", 26),
        ("streefwaarde INR 2-3, nu 4,5", "inr", 4.5),
        ("INR vorige week 2,0, nu 4,5", "inr", 4.5),
        ("K 4.0 yesterday. K 5.1 today.", "potassium", 5.1),
        ("K 5.1 today. K 4.0 yesterday.", "potassium", 5.1),
        ("Latest eGFR 26. eGFR 60 on admission.", "egfr", 26),
        ("eGFR 26, pulse now 80", "egfr", 26),
        ("eGFR 26, BP 120/80 today", "egfr", 26),
        ("eGFR 26, referred to 3 specialists", "egfr", 26),
    ],
)
def test_todays_value_wins_over_goals_and_earlier_ones(note: str, factor: str, value: float) -> None:
    assert factors(note) == {factor: value}


@pytest.mark.parametrize(
    ("notes", "factor", "value"),
    [
        (["eGFR 40, eGFR 35"], "egfr", (35, 40)),
        (["eGFR 40. Later eGFR 35."], "egfr", (35, 40)),
        (["eGFR 40", "eGFR 35"], "egfr", (35, 40)),
        (["K 5,1. K 4,8"], "potassium", (4.8, 5.1)),
    ],
)
def test_two_values_of_which_nothing_says_which_is_later_give_the_range(
    notes: list[str], factor: str, value: tuple[float, float]
) -> None:
    assert factors(*notes) == {factor: value}


def test_a_stage_is_not_mixed_into_the_values() -> None:
    found = [f.value for f in read_notes(["CKD stage 4, eGFR 26"], FINDER) if f.factor == "egfr"]
    assert found == [Interval(15, 30, open_high=True), Interval(26, 26)]


@pytest.mark.parametrize(
    ("note", "factor", "value"),
    [
        ("kreat 190 µmol/l", "creatinine", 2.15),
        ("kreat 190 μmol/l", "creatinine", 2.15),
        ("kreat. 190 umol/l", "creatinine", 2.15),
        ("creat. 1.9 mg/dL", "creatinine", 1.9),
        ("K+ 3.0 mmol/L", "potassium", 3.0),
        ("K+3,0", "potassium", 3.0),
        ("K 5.8", "potassium", 5.8),
        ("gew. 70 kg, gewicht 70 kg", "weight", 70),
    ],
)
def test_short_names_are_read_too(note: str, factor: str, value: float) -> None:
    assert factors(note)[factor] == pytest.approx(value, abs=0.005)


@pytest.mark.parametrize(
    ("note", "factor"),
    [
        ("creatinine 1.9", "creatinine"),
        ("kreat 190", "creatinine"),
        ("Cr was 1.9", "creatinine"),
        ("glucose 120", "glucose"),
        ("albumine 28", "albumin"),
    ],
)
def test_a_value_without_its_unit_is_said_and_not_used(note: str, factor: str) -> None:
    found = read_notes([note], FINDER)
    assert [(f.kind, f.factor, f.words, f.value) for f in found] == [("unread value", factor, note, None)]


@pytest.mark.parametrize(
    "note",
    ["creatinine 1.9 mg/dL", "lithium 400", "calcium 500 daily", "target creatinine 1.2", "creatinine 1.9 in 2015"],
)
def test_a_value_that_is_read_or_is_none_of_today_is_not_called_unread(note: str) -> None:
    assert not [f for f in read_notes([note], FINDER) if f.kind == "unread value"]


@pytest.mark.parametrize(
    "note",
    [
        "Hx of CKD, creatinine 2.1 mg/dL",
        "No edema, creatinine 2.1 mg/dL",
        "Possible gout, creatinine 2.1 mg/dL",
        "Geen koorts, kreatinine 2.1 mg/dL",
    ],
)
def test_what_else_a_sentence_denies_or_remembers_does_not_touch_a_measured_value(note: str) -> None:
    assert factors(note) == {"creatinine": 2.1}


@pytest.mark.parametrize(
    "note",
    [
        "Vitamin K 10 mg",
        "K-Dur 20 mEq",
        "kalium 20 mmol 2dd",
        "potassium 20 mEq daily",
        "Na 5 dagen ontslag",
        "Na 120 minuten herhalen",
        "lithium 400 mg twice daily",
        "digoxin 0.125 mg daily",
        "magnesium 400 mg",
        "weight loss 5 kg",
        "urine creatinine 80 mg/dL",
        "INR goal 2.0-3.0",
        "Streef-INR 2,5-3,5",
        "Target INR 2-3",
        "hold metformin if eGFR < 30",
        "stop bij K als K > 5,5",
        "baseline creatinine 1.0 mg/dL",
        "creatinine 2.1",
        "Mother: creatinine 2.1 mg/dL",
        "Ht 38",
    ],
)
def test_a_figure_that_is_no_value_of_today_is_not_taken_for_one(note: str) -> None:
    assert factors(note) == {}


def test_a_target_beside_a_value_leaves_the_value() -> None:
    assert factors("Target INR 2-3, INR 4.1 today") == {"inr": 4.1}
    assert factors("INR 5.6 (target 2.0-3.0)") == {"inr": 5.6}
    assert factors("INR 2-3 (target)") == {}


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("CKD stage 4", 15, 30),
        ("CKD 3b", 30, 45),
        ("CKD G3a", 45, 60),
        ("CKD IIIb", 30, 45),
        ("stage 4 CKD", 15, 30),
        ("Stage IV chronic kidney disease", 15, 30),
        ("Chronic kidney disease, stage 5", 0, 15),
        ("CKD (G4A2)", 15, 30),
        ("Chronic kidney disease stage 3 (disorder)", 30, 60),
        ("CKD stage 3b/4", 15, 45),
        ("CKD 3-4", 15, 60),
        ("nierinsufficiëntie stadium 4", 15, 30),
        ("chronische nierschade stadium 3b", 30, 45),
        ("nierinsufficientie graad 3", 30, 60),
        ("chronische nierinsufficiëntie, stadium IV", 15, 30),
        ("Stadium 3 nierinsufficiëntie", 30, 60),
    ],
)
def test_a_stage_of_kidney_disease_is_a_range_of_egfr(text: str, low: float, high: float) -> None:
    found = stage(text)
    assert found is not None
    assert (found.low, found.high, found.open_high) == (low, high, True)


@pytest.mark.parametrize(
    "text", ["CKD", "CKD 2019", "CKD 4 years ago", "CKD in 2 sisters", "stage 4 breast cancer", "heart failure stage 3"]
)
def test_other_figures_are_no_stage(text: str) -> None:
    assert stage(text) is None


def test_a_stage_in_the_past_history_still_holds_and_a_denied_one_does_not() -> None:
    assert factors("VG: nierinsufficiëntie stadium 4") == {"egfr": (15, 30)}
    assert factors("No CKD stage 4") == {}


@pytest.mark.parametrize(
    ("note", "level"),
    [
        ("Child-Pugh B cirrhosis", "B"),
        ("Child Pugh class C", "C"),
        ("Cirrose Child-Pugh B", "B"),
        ("Child-Pugh score 8 (B)", "B"),
        ("Child-Pugh 10", "C"),
        ("Child B cirrhosis", "B"),
        ("Child-Pugh A/B", "AB"),
        ("CTP class A", "A"),
        ("No ascites, Child-Pugh class A", "A"),
    ],
)
def test_child_pugh_is_read_as_letter_or_points(note: str, level: str) -> None:
    assert factors(note)["child_pugh"] == level


@pytest.mark.parametrize(
    ("note", "trimester"),
    [
        ("12 weeks pregnant", "1"),
        ("13 weeks pregnant", "1"),
        ("14 weeks pregnant", "2"),
        ("27 weeks pregnant", "2"),
        ("28 weeks pregnant", "3"),
        ("28+3 weeks gestation", "3"),
        ("Pregnant, 20 weeks", "2"),
        ("G2P1, 30+2 wk", "3"),
        ("G2P1 at 32 weeks gestation", "3"),
        ("Zwanger, 20 weken", "2"),
        ("20 weken zwanger", "2"),
        ("Zwangerschap 31 weken", "3"),
        ("AD 28+3", "3"),
        ("8 weken amenorroe", "1"),
        ("second trimester pregnancy", "2"),
        ("derde trimester", "3"),
    ],
)
def test_weeks_of_pregnancy_give_the_trimester(note: str, trimester: str) -> None:
    assert factors(note) == {"trimester": trimester, "pregnant": "true"}


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("Pregnant", {"pregnant": "true"}),
        ("Zwanger", {"pregnant": "true"}),
        ("Pregnancy test positive", {"pregnant": "true"}),
        ("Not pregnant", {"pregnant": "false"}),
        ("Niet zwanger", {"pregnant": "false"}),
        ("Pregnant: no", {"pregnant": "false"}),
        ("Zwanger: nee", {"pregnant": "false"}),
        ("Pregnancy test negative", {"pregnant": "false"}),
        ("Zwangerschapstest negatief", {"pregnant": "false"}),
        ("hCG negative", {"pregnant": "false"}),
        ("Breastfeeding", {"lactating": "true"}),
        ("Geeft borstvoeding", {"lactating": "true"}),
        ("Not breastfeeding", {"lactating": "false"}),
        ("Geen borstvoeding", {"lactating": "false"}),
        ("On hemodialysis MWF", {"dialysis": "true"}),
        ("ESRD on HD", {"dialysis": "true"}),
        ("Not on dialysis", {"dialysis": "false"}),
        ("Dialysis not yet indicated", {"dialysis": "false"}),
        ("Dialysis: no", {"dialysis": "false"}),
        ("Hemodialyse 3x per week", {"dialysis": "true"}),
        ("pregnancy test negative", {"pregnant": "false"}),
        ("stopped breastfeeding", {"lactating": "false"}),
        ("gestopt met borstvoeding", {"lactating": "false"}),
        ("borstvoeding is gestopt", {"lactating": "false"}),
        ("no longer breastfeeding", {"lactating": "false"}),
        ("niet aan de dialyse", {"dialysis": "false"}),
        ("On dialysis via fistula", {"dialysis": "true"}),
        ("Became pregnant", {"pregnant": "true"}),
    ],
)
def test_a_state_is_true_or_false(note: str, expected: dict[str, str]) -> None:
    assert factors(note) == expected


@pytest.mark.parametrize(
    "note",
    [
        "Possibly pregnant",
        "Pregnant?",
        "If pregnant, stop",
        "Trying to become pregnant",
        "wil zwanger worden",
        "Wife is pregnant",
        "Previous pregnancy",
        "Pregnancy test pending",
        "Avoid pregnancy",
        "Pre-dialysis clinic",
        "Refuses dialysis",
        "postpartum 6 weeks",
        "Last pregnancy 2019",
        "Dialysis planned",
        "wants to become pregnant",
        "wants to get pregnant",
        "kinderwens",
        "dialysis access being planned",
        "shunt aangelegd voor dialyse",
        "eGFR 75 in 2019",
    ],
)
def test_a_state_that_is_not_the_patients_today_is_not_taken_for_one(note: str) -> None:
    assert factors(note) == {}
