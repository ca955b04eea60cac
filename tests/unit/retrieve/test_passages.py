"""The retriever over a store: both searches, the rest of the best documents, and slips of the pen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import Concept, ConceptId, Name
from pharmakon.model.documents import Document, Section
from pharmakon.model.passages import Found, Passage
from pharmakon.model.question import Link, Question
from pharmakon.retrieve.passages import LONG, Retriever

ZORFAN = ConceptId("disease:zorfan")
ARTICLES = {
    "gout": (
        "Gout is a type of arthritis.",
        "The symptoms of gout are pain and heat.",
        "Gout is treated with medicines and rest.",
    ),
    "mumps": ("Mumps is an infection.", "Symptoms of mumps include fever.", "Mumps needs no treatment."),
}


def article(name: str, texts: Sequence[str]) -> Document:
    sections = tuple(Section(i, "other", "", text) for i, text in enumerate(texts))
    return Document(f"encyclopaedia:{name}", "1", "encyclopaedia", "en", "", f"hash of {name}", sections)


class Letters:
    """Vectors of how often each letter stands in a text: near for texts that are spelt alike."""

    name, dimension = "letters", 26

    def query(self, text: str) -> NDArray[np.float32]:
        counts = np.array([text.casefold().count(chr(97 + i)) for i in range(26)], np.float32) + 0.01
        return counts / np.float32(np.linalg.norm(counts))

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self.query(text) for text in texts])


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
    with closing(open_embedded(tmp_path / "kb")) as opened:
        opened.apply(ChangeSet("test", "articles", documents=tuple(article(n, t) for n, t in ARTICLES.items())))
        yield opened


def embed(knowledge: EmbeddedKnowledge) -> Letters:
    letters = Letters()
    waiting = knowledge.unembedded(letters.name, 1000)
    knowledge.put_vectors(letters.name, 26, {hash: letters.query(text) for hash, text in waiting})
    return letters


def texts(found: Sequence[Found]) -> list[str]:
    return [f.passage.text for f in found]


def test_words_alone_find_where_there_are_no_vectors_and_say_so(knowledge: EmbeddedKnowledge) -> None:
    answer = Retriever(knowledge, None).find(Question("What are the symptoms of gout?", "en"), 3)
    assert texts(answer.found)[0] == "The symptoms of gout are pain and heat."
    assert (answer.how, answer.confident) == ("words", True)


def test_both_searches_are_used_where_there_are_vectors(knowledge: EmbeddedKnowledge) -> None:
    answer = Retriever(knowledge, embed(knowledge)).find(Question("mumps treatment", "en"), 3)
    assert texts(answer.found)[0] == "Mumps needs no treatment."
    assert answer.how == "words and vectors"
    assert {"cosine", "lexical"} & answer.ranked[1].parts.keys()


def test_an_embedder_whose_vectors_are_still_to_be_made_is_no_hindrance(knowledge: EmbeddedKnowledge) -> None:
    answer = Retriever(knowledge, Letters()).find(Question("mumps treatment", "en"), 3)
    assert (texts(answer.found)[0], answer.how) == ("Mumps needs no treatment.", "words")


def test_a_misspelt_subject_is_found_by_what_is_spelt_alike(knowledge: EmbeddedKnowledge) -> None:
    retriever = Retriever(knowledge, embed(knowledge))
    assert dict(retriever.gather("symptoms of mumsp").query.corrected) == {"mumsp": "mumps"}
    assert texts(retriever.find(Question("symptoms of mumsp", "en"), 1).found) == ["Symptoms of mumps include fever."]


def test_what_no_document_is_about_is_found_without_confidence(knowledge: EmbeddedKnowledge) -> None:
    answer = Retriever(knowledge, embed(knowledge)).find(Question("how do I hot-wire a car", "en"), 3)
    assert not answer.confident


def test_an_empty_store_answers_nothing(tmp_path: Path) -> None:
    with closing(open_embedded(tmp_path / "empty")) as empty:
        assert Retriever(empty, Letters()).find(Question("gout", "en"), 3).found == ()


class OneDocument:
    """A store of one document of a thousand passages, of which a search finds the last."""

    passages = tuple(Passage(n, "d", "1", "label", "en", "", n, "other", "", 0, 4, f"gout {n}") for n in range(1000))

    def search(self, words: str, limit: int = 10) -> Sequence[Found]:
        return [Found(self.passages[-1], 1.0)]

    def nearest(self, vector: NDArray[np.float32], model: str, limit: int = 10) -> Sequence[Found]:
        return []

    def passages_of(self, documents: Collection[str]) -> Sequence[Passage]:
        return self.passages

    def concepts(self, ids: Collection[ConceptId]) -> Mapping[ConceptId, Concept]:
        return {ZORFAN: Concept(ZORFAN, (Name("gout", "en", "preferred"),))}

    def document_frequency(self, words: Collection[str]) -> tuple[Mapping[str, int], int]:
        return {w: 1000 * (w == "gout") for w in words}, 1000


def test_of_a_long_document_its_first_passage_and_what_was_found_are_ranked_with_a_sample() -> None:
    candidates = Retriever(OneDocument(), None).gather("gout").candidates
    numbers = [c.passage.no for c in candidates]
    assert {0, 999} <= set(numbers)
    assert len(numbers) <= LONG + 2


def test_a_name_that_no_passage_holds_is_looked_for_as_its_concept_is_called() -> None:
    links = (Link(7, 12, (ZORFAN,), "jicht"),)
    query = Retriever(OneDocument(), None).gather("wat is jicht", links).query
    assert ([t.word for t in query.terms], query.unknown) == (["gout"], ())
