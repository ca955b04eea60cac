"""The vocabulary file itself: nothing in it may be unreachable or unknown to the model."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pharmakon.link.dosing.words import read_words, vocabulary
from pharmakon.model.units import is_unit
from pharmakon.model.vocabulary import routes


def test_every_unit_of_the_hand_is_a_unit_of_the_model() -> None:
    named = [*vocabulary()["units"], *vocabulary()["dutch_codes"].values()]
    assert [unit for unit in named if not is_unit(unit)] == []


def test_every_route_is_a_route_of_the_model() -> None:
    named = {*vocabulary()["routes"], *vocabulary()["through_the_mouth"]["names"], *vocabulary()["forms"]["route"]}
    assert named - {"none"} <= set(routes())


def test_every_frequency_is_read_as_one_word() -> None:
    names = [name for row in vocabulary()["frequency"] for name in row["names"]]
    assert [name for name in names if [word.tag for word in read_words(name)] != ["f"]] == []


@pytest.mark.parametrize("kind", ["as_needed", "then", "undiluted", "at_most", "every", "for"])
def test_every_word_of_a_kind_is_read_as_one_word(kind: str) -> None:
    names = vocabulary()["words"][kind]
    assert [name for name in names if len(read_words(name)) != 1] == []


@pytest.mark.parametrize("text", ["Take 1½ tabs (2×) q4–6h", "每日2次，口服。", "’s avonds 1", "１ ｔａｂｌｅｔ"])
def test_every_word_slices_the_text_as_given_and_none_overlap(text: str) -> None:
    words = read_words(text)
    assert all(text[word.start : word.end].strip() for word in words)
    assert all(one.end <= other.start for one, other in pairwise(words))
