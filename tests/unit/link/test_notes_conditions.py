"""Conditions in ward notes, English and Dutch: what is there, what is denied, whose it is, and when it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.link.context import sentences
from pharmakon.link.notes import read_notes
from tests.unit.link.lexicon import finder

FINDER = finder()


def conditions(*notes: str) -> dict[str, str]:
    """Disease → status."""
    facts = [f for f in read_notes(notes, FINDER) if f.kind == "condition" and f.concept]
    return {f.concept.partition(":")[2]: f.status for f in facts if f.concept}


@pytest.mark.parametrize(
    ("note", "disease"),
    [
        ("Known with atrial fibrillation.", "atrial-fibrillation"),
        ("PMH: HTN, gout", "hypertension"),
        ("Past medical history: gout, depression", "depression"),
        ("82 year old with peptic ulcer", "peptic-ulcer"),
        ("75-year-old man with gout", "gout"),
        ("Bekend met hypertensie en astma.", "asthma"),
        ("Pt. heeft HTN, DM2.", "diabetes"),
        ("Opgenomen i.v.m. hartfalen", "heart-failure"),
        ("Over the past month heart failure has worsened", "heart-failure"),
        ("Prior to admission gout flared up", "gout"),
        ("Niet goed ingestelde diabetes", "diabetes"),
        ("Not well controlled hypertension", "hypertension"),
        ("Hypertension is not controlled", "hypertension"),
        ("No worsening of heart failure", "heart-failure"),
        ("not only asthma but also COPD", "asthma"),
        ("Geen medicatie voor jicht", "gout"),
    ],
)
def test_a_condition_that_is_there_is_active(note: str, disease: str) -> None:
    assert conditions(note)[disease] == "active"


@pytest.mark.parametrize(
    ("note", "disease"),
    [
        ("No history of GI bleeding.", "gastrointestinal-bleeding"),
        ("Denies stroke.", "stroke"),
        ("The patient does not have asthma", "asthma"),
        ("No evidence of heart failure", "heart-failure"),
        ("Negative for pulmonary embolism", "pulmonary-embolism"),
        ("Pulmonary embolism was ruled out", "pulmonary-embolism"),
        ("no longer has asthma", "asthma"),
        ("Diabetes: no. Hypertension: yes", "diabetes"),
        ("Geen diabetes.", "diabetes"),
        ("Heeft nooit epilepsie gehad", "epilepsy"),
        ("Geen aanwijzingen voor longembolie", "pulmonary-embolism"),
        ("Pneumonia niet aangetoond", "pneumonia"),
        ("Longontsteking uitgesloten", "pneumonia"),
        ("Diabetes: nee", "diabetes"),
        ("No evidence of\nheart failure", "heart-failure"),
        ("The patient was seen on the ward this morning and there is no sign of\nheart failure", "heart-failure"),
    ],
)
def test_a_condition_that_is_denied_is_refuted(note: str, disease: str) -> None:
    assert conditions(note)[disease] == "refuted"


@pytest.mark.parametrize(
    ("note", "disease"),
    [
        ("History of peptic ulcer", "peptic-ulcer"),
        ("H/o GI bleed 2019", "gastrointestinal-bleeding"),
        ("Prior GI bleed", "gastrointestinal-bleeding"),
        ("s/p stroke", "stroke"),
        ("Peptic ulcer resolved.", "peptic-ulcer"),
        ("GI bleed 3 years ago", "gastrointestinal-bleeding"),
        ("VG: maagzweer 2015", "peptic-ulcer"),
        ("Doorgemaakte beroerte", "stroke"),
        ("Status na longembolie", "pulmonary-embolism"),
        ("Maagbloeding in het verleden", "gastrointestinal-bleeding"),
        ("gout in remission", "gout"),
    ],
)
def test_a_condition_of_the_past_is_history(note: str, disease: str) -> None:
    assert conditions(note)[disease] == "history"


@pytest.mark.parametrize(
    "note", ["History of atrial fibrillation", "VG: atriumfibrilleren", "Hx of AF, well rate-controlled"]
)
def test_a_history_of_a_lasting_disease_is_that_disease(note: str) -> None:
    assert conditions(note)["atrial-fibrillation"] == "active"


@pytest.mark.parametrize(
    ("note", "disease"),
    [
        ("Mother had breast cancer.", "breast-cancer"),
        ("FHx of diabetes", "diabetes"),
        ("Family history: stroke (father); diabetes (mother)", "diabetes"),
        ("FH:\n- stroke\n- gout\n\nPMH:\n- asthma", "gout"),
        ("Patient's mother has diabetes", "diabetes"),
        ("Familieanamnese: hartfalen", "heart-failure"),
        ("Moeder had epilepsie", "epilepsy"),
        ("Borstkanker bij moeder", "breast-cancer"),
        ("Moeder van de patiënt heeft diabetes", "diabetes"),
    ],
)
def test_a_condition_of_a_relative_is_the_familys(note: str, disease: str) -> None:
    assert conditions(note)[disease] == "family"


@pytest.mark.parametrize(
    ("note", "disease"),
    [
        ("She lives with her son, has dementia", "dementia"),
        ("Daughter reports he has epilepsy", "epilepsy"),
        ("Mother had breast cancer. Has hypertension.", "hypertension"),
        ("Borstkanker bij moeder, patiënte heeft jicht", "gout"),
        ("Family history: stroke\nPMH: gout", "gout"),
    ],
)
def test_a_relative_in_the_sentence_does_not_take_the_patients_disease(note: str, disease: str) -> None:
    assert conditions(note)[disease] == "active"


@pytest.mark.parametrize(
    ("note", "disease"),
    [
        ("Possible pneumonia", "pneumonia"),
        ("Angina? ?heart failure", "heart-failure"),
        ("Heart failure?", "heart-failure"),
        ("Heart failure (possible)", "heart-failure"),
        ("R/o DVT", "deep-vein-thrombosis"),
        ("Cannot exclude pulmonary embolism", "pulmonary-embolism"),
        ("Dyspnea likely due to heart failure", "heart-failure"),
        ("Stroke prevention with warfarin", "stroke"),
        ("DVT prophylaxis", "deep-vein-thrombosis"),
        ("Verdenking op hartfalen", "heart-failure"),
        ("Longembolie niet uitgesloten", "pulmonary-embolism"),
        ("DD hartfalen", "heart-failure"),
        ("Cave longembolie", "pulmonary-embolism"),
    ],
)
def test_a_suspicion_is_uncertain(note: str, disease: str) -> None:
    assert conditions(note)[disease] == "uncertain"


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        (
            "No history of GI bleeding, but has peptic ulcer",
            {"gastrointestinal-bleeding": "refuted", "peptic-ulcer": "active"},
        ),
        ("Geen diabetes maar wel hypertensie", {"diabetes": "refuted", "hypertension": "active"}),
        ("Geen koorts, wel hypertensie", {"fever": "refuted", "hypertension": "active"}),
        ("heeft geen astma of COPD maar wel epilepsie", {"asthma": "refuted", "copd": "refuted", "epilepsy": "active"}),
        ("No asthma and has COPD", {"asthma": "refuted", "copd": "active"}),
        ("No COPD. Asthma present.", {"copd": "refuted", "asthma": "active"}),
        ("Denies CVA. Has HTN", {"stroke": "refuted", "hypertension": "active"}),
        (
            "Denies stroke, heart failure or diabetes",
            {"stroke": "refuted", "heart-failure": "refuted", "diabetes": "refuted"},
        ),
        ("Heart failure, possible pneumonia", {"heart-failure": "active", "pneumonia": "uncertain"}),
        ("asthma with possible COPD", {"asthma": "active", "copd": "uncertain"}),
        ("s/p GI bleed 2019, gout", {"gastrointestinal-bleeding": "history", "gout": "active"}),
        ("Doorgemaakte beroerte, jicht", {"stroke": "history", "gout": "active"}),
        (
            "History of peptic ulcer, depression and stroke",
            {"peptic-ulcer": "history", "depression": "history", "stroke": "history"},
        ),
        ("Bekend met AF, DM2; geen COPD", {"atrial-fibrillation": "active", "diabetes": "active", "copd": "refuted"}),
        ("He has asthma but no COPD", {"asthma": "active", "copd": "refuted"}),
    ],
)
def test_a_cue_reaches_to_the_end_of_its_scope_and_no_further(note: str, expected: dict[str, str]) -> None:
    assert conditions(note) == expected


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("asthma: no", {"asthma": "refuted"}),
        ("Asthma: none", {"asthma": "refuted"}),
        ("asthma (neg)", {"asthma": "refuted"}),
        ("asthma (-)", {"asthma": "refuted"}),
        ("asthma (+)", {"asthma": "active"}),
        ("asthma - no", {"asthma": "refuted"}),
        ("Heart failure: denied", {"heart-failure": "refuted"}),
        ("astma: nee", {"asthma": "refuted"}),
        ("[ ] heart failure", {"heart-failure": "refuted"}),
        ("[x] heart failure", {"heart-failure": "active"}),
        ("[ ] heart failure [x] asthma", {"heart-failure": "refuted", "asthma": "active"}),
        ("PMH: [x] heart failure [ ] asthma", {"heart-failure": "active", "asthma": "refuted"}),
        ("Heart failure [ ] Asthma [x]", {"heart-failure": "refuted", "asthma": "active"}),
        ("☐ hartfalen ☑ astma", {"heart-failure": "refuted", "asthma": "active"}),
        ("- [ ] gout\n- [x] asthma", {"gout": "refuted", "asthma": "active"}),
    ],
)
def test_a_form_that_is_filled_in_is_read(note: str, expected: dict[str, str]) -> None:
    assert conditions(note) == expected


@pytest.mark.parametrize(
    ("note", "disease"),
    [
        ("Fear of heart failure", "heart-failure"),
        ("Afraid of a stroke", "stroke"),
        ("Bang voor hartfalen", "heart-failure"),
        ("Vaccinated against pneumonia", "pneumonia"),
        ("Gevaccineerd tegen longontsteking", "pneumonia"),
        ("heart failure clinic", "heart-failure"),
        ("poli hartfalen", "heart-failure"),
        ("? heart failure", "heart-failure"),
        ("asthma?", "asthma"),
    ],
)
def test_what_is_feared_prevented_or_asked_is_uncertain(note: str, disease: str) -> None:
    assert conditions(note)[disease] == "uncertain"


@pytest.mark.parametrize(
    ("note", "disease", "status"),
    [
        ("Had a stroke in 2010", "stroke", "history"),
        ("Stroke in 2010", "stroke", "history"),
        ("CVA 2010, gout", "stroke", "history"),
        ("beroerte in de voorgeschiedenis", "stroke", "history"),
        ("CVA in de voorgeschiedenis", "stroke", "history"),
        ("maagbloeding in de voorgeschiedenis", "gastrointestinal-bleeding", "history"),
        ("s/p stroke", "stroke", "history"),
        ("status na CVA", "stroke", "history"),
        ("astma in de voorgeschiedenis", "asthma", "active"),
        ("asthma in the past medical history", "asthma", "active"),
        ("Asthma 1998", "asthma", "active"),
        ("Asthma in childhood", "asthma", "history"),
        ("Breast cancer diagnosed in 2010", "breast-cancer", "active"),
    ],
)
def test_an_event_with_its_year_is_history_and_a_lasting_disease_is_not(note: str, disease: str, status: str) -> None:
    assert conditions(note)[disease] == status


def test_a_word_before_a_disease_can_make_it_another_one() -> None:
    assert conditions("portal hypertension") == {}
    assert conditions("pulmonary hypertension") == {"pulmonary-hypertension": "active"}


def test_the_name_of_a_formula_is_no_disease() -> None:
    assert conditions("eGFR (CKD-EPI) 64") == {}


def test_every_fact_carries_the_notes_own_words() -> None:
    note = "Seen at home.  No COPD, ?gout. Allergic to penicillin (rash). K 5.8"
    facts = read_notes([note], FINDER)
    assert len(facts) == 4
    for fact in facts:
        assert " ".join(fact.words.split()) in " ".join(note.split()), fact


def test_a_long_sentence_is_shown_by_its_beginning() -> None:
    (fact,) = read_notes(["gout " + "and so on " * 40], FINDER)
    assert len(fact.words) <= 160


PIECES = [
    "gout",
    "no",
    "COPD",
    "?",
    ".",
    ",",
    ";",
    "\n",
    "Dr. Jansen",
    "1.",
    "5,8",
    "K",
    "but",
    "i.v.m.",
    "FH:",
    "•",
    "  ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join))
def test_sentences_lose_no_word_of_a_note(note: str) -> None:
    kept = "".join(s.shown for s in sentences(note))
    wanted = [w for w in note.split() if w.isalpha()]
    for word in wanted:
        assert kept.count(word) == "".join(note.split()).count(word), (word, kept)


@given(st.text(max_size=200))
def test_any_text_can_be_read(note: str) -> None:
    for fact in read_notes([note], FINDER):
        assert fact.status in ("active", "history", "uncertain", "refuted", "family")


def test_a_whole_admission_note_is_read_at_once() -> None:
    note = (
        "68-jarige vrouw, VG: AF, HTN, maagzweer 2012. Allergie: penicilline (anafylaxie). Med: metoprolol, warfarin.\n"
        "Anamnese: geen koorts, geen astma, wel COPD. Moeder diabetes.\nLab: kreat 142 umol/l, eGFR 34, K 5,4."
    )
    assert conditions(note) == {
        "atrial-fibrillation": "active",
        "hypertension": "active",
        "peptic-ulcer": "history",
        "fever": "refuted",
        "asthma": "refuted",
        "copd": "active",
        "diabetes": "family",
    }
    facts = read_notes([note], FINDER)
    assert {f.factor for f in facts if f.kind == "factor"} == {"creatinine", "egfr", "potassium"}
    assert [(f.concept, f.reaction) for f in facts if f.kind == "allergy"] == [("class:penicillin", "anafylaxie")]


def test_a_sentence_read_again_says_the_same() -> None:
    notes = ["PMH: gout. K 5.1 today.", "Asthma: no. Allergic to penicillin (rash)."]
    assert read_notes(notes, FINDER) == read_notes(notes, FINDER) == read_notes(notes, finder())


def test_a_note_too_long_is_read_to_a_point_and_the_rest_is_said() -> None:
    note = "gout. " + "Slept well. " * 2000 + "asthma."
    facts = read_notes([note], FINDER)
    assert conditions(note) == {"gout": "active"}
    (unread,) = [f for f in facts if f.kind == "unread"]
    left = int(unread.words.removesuffix(" characters"))
    assert len(note) - left <= 20_000 < len(note) - left + 200
