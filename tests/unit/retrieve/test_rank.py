"""The order of passages: what a question asks for, whose subject it is, and what is left out where it says nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.model.passages import Passage
from pharmakon.retrieve.query import corrected, understand
from pharmakon.retrieve.rank import WEIGHTS, Candidate, Ranked, answered, rank
from pharmakon.retrieve.words import holds, spaced, stem

TEXTS = {
    ("gout", 0): "Gout is a type of arthritis. It makes joints swell.",
    ("gout", 1): "The most common symptoms of gout are pain and heat in a joint.",
    ("gout", 2): "Gout is treated with medicines that a doctor may prescribe, and with rest.",
    ("mumps", 0): "Mumps is an infection of the glands.",
    ("mumps", 1): "Symptoms of mumps include fever and swelling of the cheeks. Gout has other symptoms.",
    ("mumps", 2): "Mumps needs no treatment; mumps goes away by itself.",
}


def passage(document: str, ord: int, text: str, **also: str) -> Passage:
    return Passage(
        ord, document, "1", "encyclopaedia", "en", also.get("title", ""), ord, also.get("section", "other"),
        also.get("heading", ""), 0, len(text), text,
    )  # fmt: skip


PASSAGES = [replace(passage(d, o, text), no=n) for n, ((d, o), text) in enumerate(TEXTS.items())]


class Counted:
    """Document frequencies over `TEXTS`."""

    def document_frequency(self, words: Collection[str]) -> tuple[Mapping[str, int], int]:
        return {w: sum(holds(spaced(t), stem(w)) for t in TEXTS.values()) for w in words}, len(TEXTS)


def ranked(question: str, candidates: list[Candidate] | None = None) -> list[Ranked]:
    chosen = [Candidate(p) for p in PASSAGES] if candidates is None else candidates
    return rank(understand(question, Counted()), chosen)


def first(question: str) -> tuple[str, int]:
    best = ranked(question)[0].passage
    return best.document, best.ord


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is gout?", ("gout", 0)),
        ("What are the symptoms of gout?", ("gout", 1)),
        ("How would I notice gout", ("gout", 1)),
        ("can gout be cured", ("gout", 2)),
        ("What are the symptoms of mumps?", ("mumps", 1)),
        ("mumps treatment", ("mumps", 2)),
    ],
)
def test_a_question_prefers_its_aspect_of_its_own_subject(question: str, expected: tuple[str, int]) -> None:
    assert first(question) == expected


def test_a_passage_that_names_a_subject_in_passing_comes_after_the_subject_s_own_document() -> None:
    order = [r.passage.document for r in ranked("symptoms of gout")]
    assert order[:3] == ["gout", "gout", "gout"]


def test_the_nearer_vector_comes_first_where_nothing_else_tells() -> None:
    same = [replace(PASSAGES[0], no=n, document=f"d{n}") for n in range(3)]
    order = ranked("gout", [Candidate(p, cosine=c) for p, c in zip(same, (0.7, 0.9, 0.8), strict=True)])
    assert [r.passage.no for r in order] == [1, 2, 0]


def test_a_title_that_is_the_subject_beats_one_that_holds_more() -> None:
    titles = ("Gout and other diseases of the joints", "Gout")
    same = [replace(PASSAGES[0], no=n, document=f"d{n}", title=t) for n, t in enumerate(titles)]
    assert ranked("what is gout", [Candidate(p) for p in same])[0].passage.title == "Gout"


def test_the_kind_of_a_section_decides_between_passages_whose_words_do_not() -> None:
    kinds = ("interactions", "contraindications")
    same = [replace(passage("d", n, "Zorfan and alcohol.", section=k), no=n) for n, k in enumerate(kinds)]
    order = ranked("who should not take zorfan", [Candidate(p) for p in same])
    assert order[0].passage.section == "contraindications"


def test_the_parts_of_a_score_add_up_to_it() -> None:
    for one in ranked("What are the symptoms of gout?", [Candidate(p, 0.8, 3.0) for p in PASSAGES]):
        assert one.found.score == pytest.approx(sum(one.parts.values()))


def test_a_misspelt_subject_is_taken_for_the_word_of_the_nearest_passages() -> None:
    query = understand("symtoms of mumsp", Counted())
    assert query.unknown == ("symtoms", "mumsp")
    better = corrected(query, ["gout", "mumps"], Counted())
    assert dict(better.corrected) == {"symtoms": "symptoms", "mumsp": "mumps"}
    assert (set(better.aspects), [t.word for t in better.terms]) == ({"symptoms"}, ["mumps"])


def test_a_word_that_is_like_no_other_stays_unknown() -> None:
    query = understand("zzyzx", Counted())
    assert corrected(query, ["gout"], Counted()) is query


def test_what_nothing_here_holds_is_not_answered_and_what_a_document_is_about_is() -> None:
    for question, expected in (
        ("symptoms of gout", True),
        ("how do I hot-wire a car", False),
        ("what should I do", False),
    ):
        query = understand(question, Counted())
        assert answered(query, rank(query, [Candidate(p, 0.8) for p in PASSAGES])) is expected, question
    assert not answered(understand("gout", Counted()), [])


def test_nothing_found_is_nothing_ranked() -> None:
    assert ranked("gout", []) == []


@given(st.text(max_size=60), st.permutations(range(len(PASSAGES))))
def test_the_order_does_not_depend_on_the_order_of_the_candidates(question: str, order: list[int]) -> None:
    one = {r.passage.no: r.found.score for r in ranked(question)}
    other = {r.passage.no: r.found.score for r in ranked(question, [Candidate(PASSAGES[i]) for i in order])}
    assert one == pytest.approx(other)


def test_a_part_that_is_left_out_is_in_no_score() -> None:
    query = understand("symptoms of gout", Counted())
    without = rank(query, [Candidate(p) for p in PASSAGES], replace(WEIGHTS, aspect=0.0, section=0.0))
    assert not any({"aspect", "section"} & r.parts.keys() for r in without)
