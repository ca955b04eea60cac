"""Stretches of text that the lexicon knows."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pharmakon.link.names import concept_ids, join, pieces
from pharmakon.model.concepts import fold
from tests.unit.link.lexicon import finder

FINDER = finder()
ALL = frozenset({"ingredient", "drug", "class", "disease"})


def test_the_longest_name_wins() -> None:
    assert [m.text for m in FINDER.find("pulmonary hypertension and gout", ALL)] == ["pulmonary hypertension", "gout"]


def test_kinds_that_were_not_asked_for_are_not_found() -> None:
    assert FINDER.find("gout", {"ingredient"}) == []


def test_chinese_needs_no_word_bounds() -> None:
    assert [concept_ids(m) for m in FINDER.find("服用华法林及二甲双胍", ALL)] == [
        ["ingredient:warfarin"],
        ["ingredient:metformin"],
    ]


def test_a_plural_is_found_by_its_singular() -> None:
    assert FINDER.exact("cephalosporins", {"class"})[0][0] == "class:cephalosporin"


@given(st.text(alphabet="华法林 abc5%é/-", max_size=30))
def test_pieces_put_together_again_are_the_folded_text(text: str) -> None:
    folded = fold(text)
    assert join(pieces(folded)).replace(" ", "") == folded.replace(" ", "")


@given(st.lists(st.sampled_from(["gout", "heart failure", "warfarin", "no", "of", "高", "华法林"]), max_size=8))
def test_matches_never_overlap_and_stand_in_order(words: list[str]) -> None:
    found = FINDER.find(" ".join(words), ALL)
    for a, b in itertools.pairwise(found):
        assert a.end <= b.start
    parts = pieces(fold(" ".join(words)))
    for m in found:
        assert join(parts[m.start : m.end]) == m.text
