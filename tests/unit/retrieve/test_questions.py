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


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("mag ik clarithromycine", "ingredient:clarithromycin"),
        ("isotretinoïne en alcohol", "ingredient:isotretinoin"),
        ("nitro spray with viagra", "ingredient:nitroglycerin"),
        ("钙片和左甲状腺素", "ingredient:calcium"),
        ("mag ik drop eten", "ingredient:gancao"),
        ("vitamine K en warfarine", "ingredient:phytonadione"),
        ("维生素K和华法林", "ingredient:phytonadione"),
        ("sint-janskruid + anticonceptiepil", "class:hormonal-contraceptive"),
        ("圣约翰草和避孕药", "class:hormonal-contraceptive"),
        ("my kidneys don’t work well, can I take ibuprofen", "disease:chronic-kidney-disease"),
        ("mijn nieren werken niet goed, mag ik ibuprofen", "disease:chronic-kidney-disease"),
        ("肾功能不好能吃布洛芬吗", "disease:chronic-kidney-disease"),
        ("soy milk and levothyroxine", "lifestyle:food"),
    ],
)
def test_a_thing_is_known_by_what_people_call_it(reader: Reader, text: str, concept: str) -> None:
    question = reader.read(text)
    assert concept in question.named()
    assert not any(link.guessed for link in question.links)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("my kidneys are good, can I take ibuprofen", "disease:chronic-kidney-disease"),
        ("my kidneys are not bad, can I take ibuprofen", "disease:chronic-kidney-disease"),
        ("mijn nieren zijn goed, mag ik ibuprofen", "disease:chronic-kidney-disease"),
        ("eye drops and warfarin", "ingredient:gancao"),
        ("what is the antidote for warfarin", "class:antidote"),
        ("is er een antidotum voor warfarine", "class:antidote"),
        ("vitamine K en warfarine", "class:vitamin"),
        ("atorvastatin calcium tablets and warfarin", "ingredient:calcium"),
        ("can I take the pill with milk, it is metronidazole", "class:hormonal-contraceptive"),
        ("can I take the pill for migraine with ibuprofen", "class:hormonal-contraceptive"),
        ("soy milk and levothyroxine", "lifestyle:dairy"),
    ],
)
def test_a_thing_is_not_read_into_words_that_say_another(reader: Reader, text: str, concept: str) -> None:
    assert concept not in reader.read(text).named()


@pytest.mark.parametrize(
    "text",
    [
        "I'm on the pill and take rifampin",
        "ik slik de pil, mag ik rifampicine",
        "can I take the pill if I smoke",
        "I get migraines with aura, can I take the pill",
        "mag ik de pil als ik rook",
    ],
)
def test_the_pill_is_a_contraceptive_and_the_reader_is_told_so(reader: Reader, text: str) -> None:
    (pill,) = [link for link in reader.read(text).links if link.guessed]
    assert pill.concepts == ("class:hormonal-contraceptive",)


def test_links_stand_where_their_words_do(reader: Reader) -> None:
    text = "Mag ik pompelmoes eten bij simvastatine?"
    for link in reader.read(text).links:
        assert text[link.start : link.end] == link.words


@pytest.mark.parametrize(
    "text",
    [
        "people take it every morning",
        "I take these together with meals",
        "waarom slikken mensen dit",
        "de belasting betalen",
    ],
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
