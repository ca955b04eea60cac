"""Drugs and habits in ward notes that are no orders: taken, stopped, denied, considered, or somebody else's."""

from __future__ import annotations

import pytest

from pharmakon.link.names import Finder
from pharmakon.link.notes import read_notes
from tests.unit.link.lexicon import DISEASES, DRUGS, Words, concept

MORE = (
    concept("ingredient:aspirin", "aspirin", "ASA", brands=["Ultra", "Advance"]),
    concept("ingredient:digoxin", "digoxin", nl=["digoxine"]),
    concept("ingredient:apixaban", "apixaban"),
    concept("class:nsaid", "NSAIDs", "NSAID"),
    concept("lifestyle:alcohol", "alcohol"),
    concept("lifestyle:food", "food", "meal"),
    concept("lifestyle:grapefruit", "grapefruit", "grapefruit juice"),
    concept("ingredient:st-johns-wort", "St John's wort", nl=["sint-janskruid"]),
)
FINDER = Finder(Words((*DISEASES, *DRUGS, *MORE)))


def taken(note: str, kind: str = "medication") -> dict[str, str]:
    """What → status."""
    facts = [f for f in read_notes([note], FINDER) if f.kind == kind and f.concept]
    return {f.concept.partition(":")[2]: f.status for f in facts if f.concept}


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("takes OTC Advil PM and St. John's wort", {"ibuprofen": "active", "st-johns-wort": "active"}),
        ("gebruikt sint-janskruid", {"st-johns-wort": "active"}),
        ("gebruikt ook ibuprofen van de drogist", {"ibuprofen": "active"}),
        ("on aspirin at home", {"aspirin": "active"}),
        ("No fever, takes ibuprofen", {"ibuprofen": "active"}),
        ("Geen koorts, gebruikt ibuprofen", {"ibuprofen": "active"}),
        ("digoxin 0.125 mg daily", {"digoxin": "active"}),
        ("stopped ibuprofen last week", {"ibuprofen": "history"}),
        ("ibuprofen 400 mg gestopt", {"ibuprofen": "history"}),
        ("gestopt met ibuprofen", {"ibuprofen": "history"}),
        ("no longer takes warfarin", {"warfarin": "history"}),
        ("stopped warfarin and aspirin", {"warfarin": "history", "aspirin": "history"}),
        ("switched from warfarin to apixaban", {"warfarin": "history", "apixaban": "active"}),
        ("Warfarin was stopped, apixaban started", {"warfarin": "history", "apixaban": "active"}),
        ("no ibuprofen", {"ibuprofen": "refuted"}),
        ("not taking warfarin", {"warfarin": "refuted"}),
        ("gebruikt geen ibuprofen", {"ibuprofen": "refuted"}),
        ("no aspirin or ibuprofen", {"aspirin": "refuted", "ibuprofen": "refuted"}),
        ("consider starting apixaban", {"apixaban": "uncertain"}),
        ("hold metformin", {"metformin": "uncertain"}),
        ("avoid ibuprofen", {"ibuprofen": "uncertain"}),
        ("metformine tijdelijk gestopt", {"metformin": "uncertain"}),
        ("warfarin?", {"warfarin": "uncertain"}),
        ("mother takes warfarin", {"warfarin": "family"}),
    ],
)
def test_a_drug_in_a_note_stands_as_the_sentence_says(note: str, expected: dict[str, str]) -> None:
    assert taken(note) == expected


@pytest.mark.parametrize(
    "note",
    [
        "no NSAIDs",
        "takes an NSAID",
        "digoxin level 1.2",
        "digoxin 1.2 ng/mL",
        "digoxinespiegel 1,2",
        "warfarin clinic",
        "aspirin-induced asthma",
        "Allergies: ibuprofen, codeine",
        "Allergic to ibuprofen",
        "Rash with ibuprofen",
    ],
)
def test_classes_levels_and_allergens_are_no_medication(note: str) -> None:
    assert taken(note) == {}


def test_a_drug_beside_an_allergy_is_one() -> None:
    assert taken("penicillin allergy, on warfarin") == {"warfarin": "active"}
    assert taken("digoxin level 1.2, takes aspirin") == {"aspirin": "active"}


@pytest.mark.parametrize("note", ["Advance directive discussed", "Ultra sound normal", "ASA II", "asa 2"])
def test_an_ordinary_word_or_a_short_one_is_no_drug(note: str) -> None:
    assert taken(note) == {}


def test_an_ordinary_word_with_a_dose_is_one() -> None:
    assert taken("Advance 100 mg daily") == {"aspirin": "active"}


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("drinks 4 beers a day", {"alcohol": "active"}),
        ("alcohol 3 glazen per dag", {"alcohol": "active"}),
        ("drinkt 's avonds een borrel", {"alcohol": "active"}),
        ("2 glazen wijn per week", {"alcohol": "active"}),
        ("smokes", {"smoking": "active"}),
        ("rookt 1 pakje per dag", {"smoking": "active"}),
        ("grapefruit juice daily", {"grapefruit": "active"}),
        ("no alcohol", {"alcohol": "refuted"}),
        ("geen alcohol", {"alcohol": "refuted"}),
        ("Alcohol: none", {"alcohol": "refuted"}),
        ("alcohol: 0 E/dag", {"alcohol": "refuted"}),
        ("alcohol 0-2 glazen per week", {"alcohol": "active"}),
        ("Denies alcohol or tobacco", {"alcohol": "refuted", "smoking": "refuted"}),
        ("rookt niet", {"smoking": "refuted"}),
        ("non-smoker", {"smoking": "refuted"}),
        ("rookt niet meer", {"smoking": "history"}),
        ("former smoker", {"smoking": "history"}),
        ("gestopt met roken", {"smoking": "history"}),
        ("avoids grapefruit", {"grapefruit": "uncertain"}),
        ("father smokes", {"smoking": "family"}),
        ("alcohol gel at the bedside", {}),
        ("with food", {}),
    ],
)
def test_a_habit_stands_as_the_sentence_says(note: str, expected: dict[str, str]) -> None:
    assert taken(note, "lifestyle") == expected
