"""What comes before every answer, in three languages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ask.safety import caution, first
from pharmakon.ask.words import Words

LANGUAGES = ("en", "nl", "zh")
ALARMS = ("self_harm", "overdose", "emergency")


DOUBLED: dict[str, dict[str, list[str]]] = yaml.safe_load(Path(__file__).with_name("doubled.yaml").read_text("utf-8"))


REACTIONS: dict[str, dict[str, list[str]]] = yaml.safe_load(
    Path(__file__).with_name("reactions.yaml").read_text("utf-8")
)


def _rows(kind: str) -> list[tuple[str, str]]:
    return [(lang, text) for lang, texts in (DOUBLED | REACTIONS)[kind].items() for text in texts]


@cache
def _rounds() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("alarms.yaml").read_text("utf-8"))
    return read


def _asked(lang: str, *kinds: str) -> Iterator[str]:
    return (text for kinds_of in _rounds().values() for kind in kinds for text in kinds_of[kind][lang])


# ── alarms ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nineteen_of_twenty_emergencies_are_heard(lang: str) -> None:
    asked = list(_asked(lang, *ALARMS))
    missed = [text for text in asked if not caution(text).alarm]
    assert len(missed) <= 0.05 * len(asked), missed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_of_twenty_questions_that_only_look_like_emergencies_one_may_alarm(lang: str) -> None:
    asked = list(_asked(lang, "none", "dose", "dose_fact"))
    false = [text for text in asked if caution(text).alarm]
    assert len(false) <= 0.05 * len(asked), false


@pytest.mark.parametrize("alarm", ALARMS)
def test_an_alarm_is_named_for_what_is_happening(alarm: str) -> None:
    heard = [(caution(text).alarm, text) for lang in LANGUAGES for text in _asked(lang, alarm)]
    other = [text for named, text in heard if named not in ("", alarm)]
    assert len(other) <= 0.05 * len(heard), other


@pytest.mark.parametrize(
    ("happens", "does_not"),
    [
        ("I have chest pain", "I have no chest pain"),
        ("I have chest pain now", "I had chest pain last year"),
        ("my tongue is swelling", "does enalapril cause swelling of the tongue"),
        ("he took 30 tablets", "he died of 30 tablets"),
        ("I took 30 tablets", "I took 30 mg"),
        ("I want to kill myself", "I do not want to kill myself"),
        ("ik krijg geen lucht", "welke medicijnen geven benauwdheid"),
        ("ik heb pijn op de borst", "vorig jaar pijn op de borst"),
        ("ik denk aan zelfmoord", "mijn broer pleegde zelfmoord"),
        ("我胸痛", "胸痛的原因是什么"),
        ("他抽搐了", "他小时候抽搐过"),
        ("我想自杀", "我没有自杀的想法"),
    ],
)
def test_what_is_past_denied_or_asked_in_general_is_no_alarm(happens: str, does_not: str) -> None:
    assert caution(happens).alarm
    assert not caution(does_not).alarm


def test_a_later_sentence_about_now_is_heard_beside_one_about_the_past() -> None:
    assert caution("I had a stroke in 2019. My face is drooping").alarm == "emergency"
    assert caution("Vorig jaar een hartinfarct gehad, ik heb nu pijn op mijn borst").alarm == "emergency"


@pytest.mark.parametrize(
    "text", ["Can I take paracetamol with my other pills?", "Does it clash with his other tablets?"]
)
def test_what_somebody_takes_besides_is_no_mix_up(text: str) -> None:
    assert not caution(text).alarm


def test_who_took_pills_to_die_is_heard_as_both() -> None:
    found = caution("I took 30 paracetamol because I want to die")
    assert found.alarm == "self_harm"
    assert "taken" in first(found, Words("en"))[-1].text


def test_a_child_needs_no_great_number_and_an_adult_does() -> None:
    assert caution("my toddler swallowed one amlodipine").alarm == "overdose"
    assert caution("I took six of them by mistake").alarm == "overdose"
    assert not caution("I took two of them as the label says").alarm
    assert not caution("I swallowed one amlodipine").alarm


@pytest.mark.parametrize(("lang", "text"), _rows("doubled"))
def test_a_dose_taken_twice_is_answered_by_whom_to_call(lang: str, text: str) -> None:
    found, words = caution(text), Words(lang)
    assert found.alarm in ("doubled", "overdose")
    assert words.emergency_number in first(found, words)[0].text


@pytest.mark.parametrize(("lang", "text"), _rows("harmless"))
def test_what_is_taken_twice_as_it_should_be_or_not_yet_is_no_double_dose(lang: str, text: str) -> None:
    assert not caution(text).alarm


def test_too_much_of_a_dose_taken_twice_is_an_overdose_and_a_red_flag_beside_it_an_emergency() -> None:
    assert caution("I took my metformin twice").alarm == "doubled"
    assert caution("I took my metformin twice. I took 30 tablets").alarm == "overdose"
    assert caution("I took my bisoprolol twice and I fainted").alarm == "emergency"


@pytest.mark.parametrize(("lang", "text"), _rows("today"))
def test_a_sign_of_a_serious_reaction_is_to_be_seen_today(lang: str, text: str) -> None:
    found, words = caution(text, "named"), Words(lang)
    assert found.alarm == "today"
    assert words.emergency_number in first(found, words)[0].text


@pytest.mark.parametrize(("lang", "text"), _rows("not_today"))
def test_what_is_past_feared_or_another_thing_is_no_reaction(lang: str, text: str) -> None:
    assert not caution(text, "named").alarm


def test_a_sign_without_a_medicine_is_no_reaction_to_one_and_a_red_flag_is_graver() -> None:
    assert not caution("my eyes went yellow").alarm
    assert caution("my eyes went yellow", "taken").alarm == "today"
    assert caution("my eyes went yellow since I started terbinafine and I am so confused", "taken").alarm == "emergency"


@pytest.mark.parametrize(("lang", "text"), _rows("low_sugar"))
def test_low_sugar_is_answered_by_what_to_do_before_whom_to_call(lang: str, text: str) -> None:
    found, words = caution(text, "taken"), Words(lang)
    assert found.alarm in ("low_sugar", "emergency")
    assert first(found, words)[0].text == words("low_sugar", number=words.emergency_number)


@pytest.mark.parametrize(("lang", "text"), _rows("not_low_sugar"))
def test_other_sugar_is_not_low(lang: str, text: str) -> None:
    assert not caution(text, "named").low_sugar


@pytest.mark.parametrize(("lang", "text"), _rows("unprotected"))
def test_sex_without_contraception_is_heard(lang: str, text: str) -> None:
    assert caution(text).unprotected


@pytest.mark.parametrize(("lang", "text"), _rows("not_unprotected"))
def test_a_missed_pill_alone_is_no_unprotected_sex(lang: str, text: str) -> None:
    assert not caution(text).unprotected


@pytest.mark.parametrize(("lang", "text"), _rows("animal"))
def test_what_an_animal_took_calls_no_ambulance(lang: str, text: str) -> None:
    assert not caution(text, "taken").alarm


@pytest.mark.parametrize(("lang", "text"), _rows("person_beside_an_animal"))
def test_a_person_beside_an_animal_is_heard(lang: str, text: str) -> None:
    assert caution(text).alarm in ("overdose", "emergency")


@pytest.mark.parametrize(
    "text",
    [
        "I take methotrexate and had my yellow fever vaccine",
        "ik slik methotrexaat en heb een koortslip",
        "我在吃甲氨蝶呤，要打登革热疫苗",
    ],
)
def test_the_name_of_a_disease_is_no_sign_of_what_it_is_called_after(text: str) -> None:
    assert not caution(text, "taken").alarm


@pytest.mark.parametrize(
    "text", ["I have a fever and take methotrexate", "ik slik methotrexaat en heb koorts", "我在吃甲氨蝶呤，发烧了"]
)
def test_a_fever_is(text: str) -> None:
    assert caution(text, "taken").alarm == "emergency"


@pytest.mark.parametrize("text", ["I can’t breathe", "I can't breathe", "i cant breathe", "I CAN'T  BREATHE"])
def test_apostrophes_capitals_and_blanks_make_no_difference(text: str) -> None:
    assert caution(text).alarm == "emergency"


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    assert caution(text).alarm in ("", "doubled", *ALARMS)


@given(st.text(alphabet=" .,;:abet01230\n", max_size=300))
def test_an_alarm_stays_one_behind_other_sentences(before: str) -> None:
    assert caution(f"{before}\nmy son is having a seizure").alarm


# ── what is said ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", ["I have chest pain", "I took 30 tablets", "I want to die", "I took my digoxin twice"])
def test_every_alarm_begins_with_the_number_and_stands_alone(text: str, lang: str) -> None:
    found, words = caution(text), Words(lang)
    assert found.alone
    assert words.emergency_number in first(found, words)[0].text


def test_without_an_alarm_nothing_is_said() -> None:
    found = caution("Can I take ibuprofen with warfarin?")
    assert not found.alone
    assert first(found, Words("en")) == ()


# ── a dose for somebody ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nineteen_of_twenty_doses_for_a_person_are_referred(lang: str) -> None:
    asked = list(_asked(lang, "dose"))
    missed = [text for text in asked if not caution(text).dose]
    assert len(missed) <= 0.05 * len(asked), missed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_facts_about_doses_and_other_questions_are_not(lang: str) -> None:
    asked = list(_asked(lang, "dose_fact", "none"))
    referred = [text for text in asked if caution(text).dose]
    assert len(referred) <= 0.05 * len(asked), referred


@pytest.mark.parametrize("text", ["how much of it?", "And how many?", "hoeveel dan?", "吃多少？"])
def test_a_dose_of_what_was_named_before_is_a_dose_for_a_person(text: str) -> None:
    assert caution(text).dose
