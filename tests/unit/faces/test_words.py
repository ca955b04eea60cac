"""The words around a report."""

from __future__ import annotations

import string
import tomllib
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.faces.text import clean
from pharmakon.faces.words import LANGUAGES, Words
from pharmakon.model.errors import BadInput
from pharmakon.model.vocabulary import Tier, risk_types

ALL: dict[str, dict[str, Any]] = tomllib.loads(resources.files("pharmakon.faces").joinpath("words.toml").read_text())


def fields(text: str) -> set[str]:
    return {name for form in text.split("|") for _, name, _, _ in string.Formatter().parse(form) if name}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_every_phrase_with_the_same_blanks(lang: str) -> None:
    english, other = ALL["en"], ALL[lang]
    assert other.keys() - {"type"} == english.keys()
    for key, phrase in english.items():
        if isinstance(phrase, str):
            assert fields(other[key]) == fields(phrase), key
        else:
            assert other[key].keys() == phrase.keys(), key


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_every_risk_type_has_a_title_in_every_language(lang: str) -> None:
    assert ALL[lang]["type"].keys() == risk_types().keys()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_tier_has_a_word_a_meaning_and_a_count(lang: str) -> None:
    words = Words(lang)
    for tier in Tier:
        assert words.tier(tier)
        assert words(f"meaning_{tier}")
        assert "3" in words(str(tier), n=3)


def test_one_is_counted_in_the_singular() -> None:
    words = Words("en")
    assert words("findings", n=1) == "1 finding"
    assert words("findings", n=0) == "0 findings"
    assert words("findings", n=2) == "2 findings"


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadInput, match="en, nl, zh"):
        Words("fr")


@given(st.text())
def test_what_is_shown_is_one_line_that_moves_no_cursor(text: str) -> None:
    shown = clean(text)
    assert shown.isprintable() or not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in shown)
    assert "\n" not in shown
    assert "\x1b" not in shown
    assert clean(shown) == shown
    shown.encode("utf-8")
