"""Words that stand where a name would and name nothing known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.model.concepts import ConceptId
from pharmakon.model.question import Link
from pharmakon.retrieve.unread import unread

READ = ("warfarin", "apixaban", "metoprolol", "华法林", "headache", "digoxin")
LANGUAGE = frozenset({"interact", "regular", "blood", "tests", "together", "safely"})


def rare(words: Sequence[str]) -> frozenset[str]:
    return frozenset(w for w in words if w.casefold() not in LANGUAGE)


def links(text: str) -> list[Link]:
    places = [(text.casefold().find(name), name) for name in READ if name in text.casefold()]
    return [Link(at, at + len(name), (ConceptId(f"ingredient:{name}"),), name) for at, name in sorted(places)]


@pytest.mark.parametrize(
    ("lang", "text", "words"),
    [
        ("en", "Can I take zorbifexol with warfarin?", ("zorbifexol",)),
        ("en", "turmeric and apixaban", ("turmeric",)),
        ("en", "Does turmeric tea interact with warfarin?", ("turmeric",)),
        ("en", "warfarin with my new Flurbinax tablets", ("Flurbinax",)),
        ("en", "What is zorbifexol for?", ("zorbifexol",)),
        ("nl", "Kan Blixomab samen met metoprolol?", ("Blixomab",)),
        ("nl", "Ze slikt digoxin en krijgt nu Flurbinax", ("Flurbinax",)),
        ("zh", "佐瓦利新胶囊能和华法林一起吃吗？", ("佐瓦利新胶囊",)),
        ("zh", "吃华法林还能吃西沙必利吗", ("西沙必利",)),
        ("zh", "吃华法林能喝豆浆吗", ("豆浆",)),
        ("zh", "吃华法林可以吃两片佐瓦利新吗", ("佐瓦利新",)),
    ],
)
def test_a_word_in_the_place_of_a_name_is_unread(lang: str, text: str, words: tuple[str, ...]) -> None:
    assert unread(text, lang, links(text), rare) == words


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Can I take warfarin with regular blood tests?"),
        ("en", "Can I take warfarin with food?"),
        ("en", "My husband takes warfarin and feels tired today"),
        ("en", "Is warfarin dangerous for my grandmother?"),
        ("nl", "Mag ik warfarin samen met een andere pijnstiller?"),
        ("nl", "Kan mijn vader metoprolol slikken bij hoge bloeddruk?"),
        ("zh", "华法林吃多少？"),
        ("zh", "吃华法林期间要注意什么？"),
        ("zh", "华法林饭前吃还是饭后吃"),
        ("zh", "华法林还有效吗"),
        ("zh", "漏吃了华法林，下次吃两片补上行吗"),
        ("zh", "华法林和可以一起吃吗"),
        ("nl", "Mijn uroloog en internist geven metoprolol, mag dat?"),
        ("nl", "Ik heb een cardioloog en slik digoxin"),
        ("en", "I have a rheumatologist and take digoxin"),
        ("en", "I had unprotected sex and take warfarin"),
    ],
)
def test_a_word_of_the_language_is_none(lang: str, text: str) -> None:
    assert unread(text, lang, links(text), rare) == ()


@given(st.sampled_from(["en", "nl", "zh"]), st.text(max_size=80))
def test_what_is_unread_stands_in_the_text_and_in_no_link(lang: str, text: str) -> None:
    whole = f"{text} warfarin"
    for word in unread(whole, lang, links(whole), rare):
        assert word in text
