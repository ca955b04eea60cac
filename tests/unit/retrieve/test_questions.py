"""Names in questions: as people write them."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.retrieve.language import language_of
from pharmakon.retrieve.questions import Reader


@pytest.fixture(scope="module")
def reader(pharmakon: Pharmakon) -> Reader:
    return Reader(pharmakon.knowledge)


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("can i take advil with coumadin", ["ingredient:ibuprofen", "ingredient:warfarin"]),
        ("华法林和丹参能一起吃吗？", ["ingredient:warfarin", "ingredient:danshen"]),
        ("吃了Nucynta再吃Palexia会太多吗？", ["ingredient:tapentadol"]),
        ("mag ik simvastatine bij hoge bloeddruk", ["ingredient:simvastatin", "disease:hypertension"]),
        ("how do I hot-wire a car", []),
    ],
)
def test_a_question_names_what_it_names(reader: Reader, text: str, concepts: list[str]) -> None:
    assert list(reader.read(text).named()) == concepts


@pytest.mark.parametrize(
    ("text", "concept"), [("ibuprofin", "ingredient:ibuprofen"), ("paracetmol", "ingredient:acetaminophen")]
)
def test_a_misspelt_name_is_a_guess(reader: Reader, text: str, concept: str) -> None:
    (link,) = reader.read(f"can I take {text}").links
    assert (link.concepts, link.guessed, link.words) == ((concept,), True, text)


def test_links_stand_where_their_words_do(reader: Reader) -> None:
    text = "Mag ik pompelmoes eten bij simvastatine?"
    for link in reader.read(text).links:
        assert text[link.start : link.end] == link.words


@pytest.mark.parametrize(
    "text", ["people take it every morning", "I take these together with meals", "waarom slikken mensen dit"]
)
def test_everyday_words_are_no_misspelt_names(reader: Reader, text: str) -> None:
    assert not [link for link in reader.read(text).links if link.guessed]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("What is it for?", "en"),
        ("Waar is het voor?", "nl"),
        ("warfarin 能和 aspirin 一起吃吗", "zh"),
        ("warfarin", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_that_of_the_small_words(text: str, lang: str) -> None:
    assert language_of(text) == lang
