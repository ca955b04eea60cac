"""Words as they are compared."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pharmakon.retrieve.words import holds, spaced, stem, terms, together

WORDS = st.text(st.sampled_from("abcdeginrsty"), min_size=1, max_size=12)


@given(st.text(max_size=80))
def test_a_text_that_is_folded_stays_as_it_is(text: str) -> None:
    assert spaced(spaced(text)) == spaced(text)


@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
def test_every_word_of_a_text_is_held_by_it_and_stands_together_with_the_next(
    words: list[str], data: st.DataObject
) -> None:
    text = spaced(" ".join(words))
    at = data.draw(st.integers(0, len(words) - 1))
    assert holds(text, stem(words[at]))
    if at + 1 < len(words):
        assert together(text, stem(words[at]), stem(words[at + 1]))


def test_a_word_is_not_held_inside_another() -> None:
    assert not holds(spaced("cystic fibrosis"), stem("cyst"))
    assert holds(spaced("Kidney-stones."), stem("stone"))


def test_chinese_is_compared_in_pairs_of_characters_that_run_together() -> None:
    first, second = terms("华法林")
    assert together(spaced("服用华法林时"), first, second)
    assert not together(spaced("华法。法林"), first, second) or holds(spaced("华法。法林"), first)


def test_accents_and_case_are_nothing() -> None:
    assert spaced("Ménière’s DISEASE") == " meniere s disease "
