"""What questions ask for and what passages tell, in three languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.model.vocabulary import section_kinds
from pharmakon.retrieve import aspects
from pharmakon.retrieve.aspects import asked, cue_like, names, told
from pharmakon.retrieve.words import spaced


def asks(question: str) -> set[str]:
    return set(asked(spaced(question)).aspects)


def loudest(text: str, section: str = "") -> str:
    values = told(spaced(text), section)[:-1]
    return names()[max(range(len(values)), key=values.__getitem__)]


@pytest.mark.parametrize(
    ("question", "aspect"),
    [
        ("How would I notice gout?", "symptoms"),
        ("Welke klachten geeft jicht?", "symptoms"),
        ("痛风有什么症状", "symptoms"),
        ("Why do people get gout", "causes"),
        ("Waardoor ontstaat jicht?", "causes"),
        ("Hoe wordt jicht behandeld?", "treatment"),
        ("痛风怎么治疗", "treatment"),
        ("How is gout detected", "diagnosis"),
        ("What should I eat with gout?", "lifestyle"),
        ("Hoe bewaar ik insuline?", "storage"),
        ("二甲双胍有什么副作用", "side_effects"),
        ("What is the maximum dose of colchicine?", "dosage"),
    ],
)
def test_a_question_asks_for_its_aspect_in_any_wording_and_language(question: str, aspect: str) -> None:
    assert aspect in asks(question)


def test_what_something_is_counts_only_where_nothing_else_is_asked() -> None:
    assert asks("What is gout?") == {"definition"}
    assert "definition" not in asks("What is the treatment of gout?")


def test_a_question_without_a_cue_asks_for_nothing() -> None:
    assert asks("gout") == set()


def test_words_of_a_cue_that_are_part_of_the_subject_stay_in_it() -> None:
    text = spaced("metformin pregnancy")
    assert asked(text).aspects == {"pregnancy": 1.0}
    assert asked(text).cues == ()


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        ("The most common symptoms of exampleitis are pain and fever.", "symptoms"),
        ("Exampleitis is caused by a gene that is inherited.", "causes"),
        ("Doctors diagnose it with a blood test and a physical exam.", "diagnosis"),
        ("Behandeling van de ziekte bestaat uit een operatie.", "treatment"),
        ("该病的主要症状为发热和咳嗽。", "symptoms"),
    ],
)
def test_a_passage_tells_its_aspect_in_its_own_words(text: str, aspect: str) -> None:
    assert loudest(text) == aspect


def test_the_kind_of_its_section_says_what_a_passage_is_about_whatever_its_words() -> None:
    assert loudest("Twice a day with water.", "contraindications") == "contraindications"


def test_a_misspelt_cue_is_told() -> None:
    assert cue_like("symptms") == "symptoms"
    assert cue_like("warfarin") is None


def test_every_section_kind_an_aspect_names_is_one_of_the_vocabulary() -> None:
    assert aspects._of_section().keys() <= section_kinds().keys()


@given(st.text(max_size=200))
def test_any_text_gives_shares_that_add_up_and_nothing_below_zero(text: str) -> None:
    found = asked(spaced(text))
    assert not found.aspects or sum(found.aspects.values()) == pytest.approx(1)
    *values, together = told(spaced(text))
    assert min(values) >= 0
    assert together == pytest.approx(sum(values))
