"""Allergies and intolerances in ward notes: to what, with which reaction, whose, and when there are none."""

from __future__ import annotations

import pytest

from pharmakon.link.names import Finder
from pharmakon.link.notes import NoteFact, read_notes
from tests.unit.link.lexicon import DISEASES, DRUGS, Words, concept, finder

FINDER = finder()
KINDS = ("allergy", "intolerance", "no allergies", "unread allergy")


def facts(*notes: str) -> list[NoteFact]:
    return [f for f in read_notes(notes, FINDER) if f.kind in KINDS]


def said(*notes: str) -> list[tuple[str, str, str]]:
    """(kind, what, reaction) of those that are the patient's."""
    return [
        (f.kind, (f.concept or f.words).partition(":")[2] or f.words, f.reaction)
        for f in facts(*notes)
        if f.status in ("active", "uncertain") and f.kind != "no allergies"
    ]


@pytest.mark.parametrize(
    "note",
    [
        "Allergic to penicillin",
        "Penicillin allergy",
        "PCN allergy",
        "Allergies: penicillin",
        "Allergy to penicillins.",
        "Reaction to penicillin as a child",
        "History of penicillin allergy",
        "Possible penicillin allergy",
        "Allergisch voor penicilline",
        "Allergie: penicilline",
        "Allergieën: penicilline",
        "Penicillineallergie",
        "allergisch: penicilline",
        "Patient is allergic to PCN and her sister is allergic to sulfa",
        "Bekend met penicilline-allergie",
        "Overgevoelig voor penicilline",
        "Geen bekende allergieën behalve penicilline",
        "No known drug allergies except penicillin",
    ],
)
def test_an_allergy_is_found_however_it_is_put(note: str) -> None:
    assert said(note) == [("allergy", "penicillin", "")]


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("Allergic to penicillin - anaphylaxis 1998", ("allergy", "penicillin", "anaphylaxis")),
        ("Anafylaxie op amoxicilline", ("allergy", "amoxicillin", "anafylaxie")),
        ("Gets a rash with amoxicillin", ("allergy", "amoxicillin", "rash")),
        ("Sulfa allergy (Stevens-Johnson syndrome)", ("allergy", "sulfonamide-antibiotic", "stevens johnson syndrome")),
        ("Allergy: codeine (nausea)", ("intolerance", "codeine", "nausea")),
        ("Nausea with codeine", ("intolerance", "codeine", "nausea")),
        ("Codeine intolerance", ("intolerance", "codeine", "")),
        ("Verdraagt geen ibuprofen (maagklachten)", ("intolerance", "ibuprofen", "maagklachten")),
        ("Misselijk van codeïne", ("intolerance", "codeine", "misselijk")),
        ("Allergieën/intoleranties: codeïne -> misselijk", ("intolerance", "codeine", "misselijk")),
        ("Allergic to codeine: nausea and rash", ("allergy", "codeine", "nausea, rash")),
    ],
)
def test_the_reaction_says_whether_it_is_an_allergy_or_a_side_effect(note: str, expected: tuple[str, str, str]) -> None:
    assert said(note) == [expected]


@pytest.mark.parametrize(
    "note",
    [
        "Allergies: penicillin (rash), codeine (nausea), latex",
        "Allergies: penicillin (rash); codeine (nausea); latex",
        "Allergies: penicillin: rash; codeine: nausea; latex",
        "Allergies:\n- Penicillin: rash\n- Codeine: nausea\n- Latex\nMeds: ibuprofen",
        "Allergies: 1. Penicillin - rash 2. Codeine - nausea 3. Latex",
        "Allergieën: penicilline (rash), codeïne (nausea), latex",
    ],
)
def test_in_a_list_each_item_keeps_its_own_reaction(note: str) -> None:
    assert said(note) == [
        ("allergy", "penicillin", "rash"),
        ("intolerance", "codeine", "nausea"),
        ("allergy", "latex", ""),
    ]


@pytest.mark.parametrize(
    "note",
    [
        "NKDA",
        "Allergies: NKDA",
        "No known drug allergies.",
        "No known allergies",
        "Allergies: none",
        "Denies drug allergies.",
        "Geen allergieën bekend",
        "Allergieën: geen",
        "Geen bekende allergieën",
        "Ontkent allergieën",
        "There are no allergies to report",
    ],
)
def test_that_there_are_none_is_a_fact_too(note: str) -> None:
    assert [f.kind for f in facts(note)] == ["no allergies"]


@pytest.mark.parametrize(
    "note", ["Allergies: unknown", "Allergieën: onbekend", "Allergieën: niet bekend", "Allergies reviewed"]
)
def test_an_unknown_allergy_status_is_not_taken_for_none(note: str) -> None:
    assert facts(note) == []


@pytest.mark.parametrize(
    "note",
    [
        "No allergy to penicillin",
        "Not allergic to penicillin",
        "No known allergies to penicillin",
        "Niet allergisch voor penicilline",
        "Penicillin allergy was ruled out by testing",
        "Geen allergie voor penicilline",
    ],
)
def test_a_denied_allergy_is_refuted_and_says_nothing_about_others(note: str) -> None:
    assert [(f.kind, f.status) for f in facts(note)] == [("allergy", "refuted")]


@pytest.mark.parametrize("note", ["Mother allergic to penicillin", "Moeder allergisch voor penicilline"])
def test_the_allergy_of_a_relative_is_not_the_patients(note: str) -> None:
    assert [f.status for f in facts(note)] == ["family"]


@pytest.mark.parametrize(
    "note",
    [
        "Allergic to penicillin but tolerates amoxicillin",
        "Allergic to penicillin, takes ibuprofen daily",
        "Penicillin allergy, prescribed ibuprofen",
        "Ibuprofen 400 mg, penicillin allergy",
        "Allergic to penicillin. On ibuprofen.",
        "Allergisch voor penicilline, gebruikt ibuprofen",
        "Allergisch voor penicilline maar verdraagt amoxicilline",
    ],
)
def test_a_drug_that_is_taken_is_not_one_the_patient_is_allergic_to(note: str) -> None:
    assert said(note) == [("allergy", "penicillin", "")]


def test_one_allergy_can_be_denied_beside_another() -> None:
    assert said("No latex allergy, but allergic to sulfa") == [("allergy", "sulfonamide-antibiotic", "")]


def test_the_reaction_of_an_allergy_is_no_complaint_of_today() -> None:
    assert not [
        f for f in read_notes(["Allergies: codeine (nausea), penicillin (rash)"], FINDER) if f.kind == "condition"
    ]


@pytest.mark.parametrize("note", ["Allergic to foobarine", "Allergies: penicillin, foobarine", "Allergieën: foobarine"])
def test_an_allergy_to_what_nobody_knows_is_said_rather_than_dropped(note: str) -> None:
    assert ("unread allergy", "foobarine", "") in said(note)


@pytest.mark.parametrize(
    "note",
    [
        "Anaphylaxis after amoxicillin in 2012",
        "NKDA. Anaphylaxis after amoxicillin",
        "NKDA, anaphylaxis after amoxicillin in 2012",
        "No known allergies; anaphylaxis after amoxicillin",
        "Had anaphylaxis after amoxicillin as a child, NKDA otherwise",
        "anaphylaxis (amoxicillin 2012)",
        "amoxicillin → anaphylaxis",
        "Amoxicillin caused anaphylaxis",
    ],
)
def test_a_reaction_survives_the_word_that_there_are_no_allergies(note: str) -> None:
    assert [(f.kind, f.concept, f.status) for f in facts(note)] == [("allergy", "ingredient:amoxicillin", "active")]
    assert not [f for f in read_notes([note], FINDER) if f.kind == "medication"]


@pytest.mark.parametrize(
    ("note", "reaction"),
    [
        ("Rash with amoxicillin 2012", "rash"),
        ("Geen allergieën bekend. Anafylaxie na amoxicilline", "anafylaxie"),
        ("Amoxicilline gaf huiduitslag", "huiduitslag"),
    ],
)
def test_an_old_reaction_is_an_allergy_of_today(note: str, reaction: str) -> None:
    assert said(note) == [("allergy", "amoxicillin", reaction)]


@pytest.mark.parametrize(
    "note",
    [
        "penicillin allergy (rash as a child)",
        "tolerated amoxicillin well despite penicillin allergy label",
        "Verdroeg amoxicilline goed ondanks penicillineallergie",
    ],
)
@pytest.mark.parametrize("names", ["few", "with its allergy"])
def test_a_label_of_penicillin_allergy_stays_and_says_nothing_of_amoxicillin(note: str, names: str) -> None:
    more = (concept("class:penicillin", "penicillin", "penicillin allergy", nl=["penicilline"]),)
    known = FINDER if names == "few" else Finder(Words((*DISEASES, *(d for d in DRUGS if d.id != more[0].id), *more)))
    found = [f for f in read_notes([note], known) if f.kind in KINDS]
    assert [(f.kind, f.concept, f.status) for f in found] == [("allergy", "class:penicillin", "active")]


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("Allergies: Foobarine - nausea", [("unread allergy", "foobarine", "nausea")]),
        ("Allergieën: foobarine - misselijk", [("unread allergy", "foobarine", "misselijk")]),
        (
            "Allergies: foobarine - rash, latex",
            [("unread allergy", "foobarine", "rash"), ("allergy", "latex", "")],
        ),
        (
            "Allergies:\n- foobarine: rash\n- latex",
            [("unread allergy", "foobarine", "rash"), ("allergy", "latex", "")],
        ),
    ],
)
def test_an_unknown_drug_in_an_allergy_list_is_said_with_its_reaction(
    note: str, expected: list[tuple[str, str, str]]
) -> None:
    assert said(note) == expected


@pytest.mark.parametrize(
    "note",
    [
        "Allergic to penicillin? denied",
        "Allergic to penicillin? No.",
        "Allergic to penicillin? - no",
        "Allergy to penicillin: denied",
        "penicillin allergy - denied",
        "penicillin allergy denied by patient",
        "Allergic to penicillin: patient denies",
        "Allergie voor penicilline? nee",
        "Allergie voor penicilline: ontkend",
        "Allergic to penicillin? 否认",
    ],
)
def test_an_allergy_that_is_denied_after_its_mention_is_none(note: str) -> None:
    assert said(note) == []


@pytest.mark.parametrize(
    "note",
    [
        "Allergic to penicillin? Yes",
        "Allergic to penicillin? No known reaction to others",
        "Penicillin allergy. Denied alcohol use.",
    ],
)
def test_a_question_that_is_not_answered_with_no_stays_one(note: str) -> None:
    assert said(note)[0][:2] == ("allergy", "penicillin")
