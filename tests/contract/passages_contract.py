"""What every backend promises of passages and their vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import KnowledgeBase
from tests.contract.examples import LABEL, WORLD, change, document

MODEL = "test-model"


def unit(*numbers: float) -> np.ndarray:
    vector = np.array(numbers, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def _letters(texts: Iterable[str]) -> str:
    return "".join("".join(texts).split())


def embed_all(knowledge: KnowledgeBase, **directions: np.ndarray) -> None:
    """Each passage in the direction of the first word of `directions` that stands in it, else in a fourth."""
    found = {
        hash: next((v for word, v in directions.items() if word in text.casefold()), unit(0, 0, 0, 1))
        for hash, text in knowledge.unembedded(MODEL, 1000)
    }
    knowledge.put_vectors(MODEL, 4, found)


class PassagesContract:
    """Subclasses give `knowledge`: an empty knowledge base."""

    @pytest.fixture
    def world(self, knowledge: KnowledgeBase) -> KnowledgeBase:
        knowledge.apply(WORLD)
        return knowledge

    def test_the_passages_of_a_document_hold_its_text(self, world: KnowledgeBase) -> None:
        passages = world.passages_of([LABEL.id])
        assert {(p.document, p.version, p.title) for p in passages} == {(LABEL.id, LABEL.version, LABEL.title)}
        for passage in passages:
            section = world.section(passage.document, passage.version, passage.ord)
            assert section is not None
            assert section.text[passage.start : passage.end] == passage.text
        assert _letters(p.text for p in passages) == _letters(s.text for s in LABEL.sections)

    def test_a_long_section_gives_several_passages(self, world: KnowledgeBase) -> None:
        sentences = [f"Sentence {n} of a long section." for n in range(200)]
        world.apply(change(documents=[document("long", sentences=sentences)]))
        assert len(world.passages_of(["long"])) > 2

    def test_passages_of_a_retired_text_are_not_found(self, world: KnowledgeBase) -> None:
        world.apply(change(documents=[document("d", "1", sentences=["Digoxin."])]))
        world.apply(change(documents=[document("d", "2", sentences=["Digitoxin."])]))
        assert [p.text for p in world.passages_of(["d"])] == ["Digitoxin."]
        assert not world.search("digoxin")
        assert list(world.check()) == []

    def test_words_are_counted_in_passages(self, world: KnowledgeBase) -> None:
        world.apply(change(documents=[document(id, sentences=[f"Digoxin {id}."]) for id in ("one", "two")]))
        counts, total = world.document_frequency(["digoxin", "unheard"])
        assert counts == {"digoxin": 2, "unheard": 0}
        assert total == len(world.passages_of([id for id, _, _ in world.documents()]))

    def test_nothing_is_near_before_anything_is_embedded(self, world: KnowledgeBase) -> None:
        assert list(world.nearest(unit(1, 0, 0, 0), MODEL)) == []
        total, done = world.embedded(MODEL)
        assert (total > 0, done) == (True, 0)

    def test_the_nearest_passage_comes_first(self, world: KnowledgeBase) -> None:
        world.apply(change(documents=[document("a", sentences=["Digoxin."]), document("b", sentences=["Lithium."])]))
        embed_all(world, digoxin=unit(1, 0, 0, 0), lithium=unit(0, 1, 0, 0))
        found = world.nearest(unit(1, 0.2, 0, 0), MODEL, limit=2)
        assert [f.passage.document for f in found] == ["a", "b"]
        assert found[0].score == pytest.approx(0.98, abs=0.01)
        assert not world.unembedded(MODEL, 10)

    def test_vectors_that_come_later_are_found_by_who_has_searched_before(self, world: KnowledgeBase) -> None:
        world.apply(change(documents=[document("a", sentences=["Digoxin."])]))
        embed_all(world, digoxin=unit(1, 0, 0, 0))
        assert world.nearest(unit(0, 1, 0, 0), MODEL, limit=1)[0].score < 0.5
        world.apply(change(documents=[document("b", sentences=["Lithium."])]))
        total, done = world.embedded(MODEL)
        assert done == total - 1
        embed_all(world, lithium=unit(0, 1, 0, 0))
        assert world.embedded(MODEL) == (total, total)
        assert world.nearest(unit(0, 1, 0, 0), MODEL, limit=1)[0].passage.document == "b"

    def test_a_rare_word_is_found_beside_one_that_thousands_of_texts_hold(self, knowledge: KnowledgeBase) -> None:
        many = [document(f"d{n}", sentences=[f"Common words of text {n}."]) for n in range(3_100)]
        rare = document("rare", sentences=["Digoxin and common words."])
        knowledge.apply(change(documents=[*many, rare]))
        assert knowledge.search("common digoxin", 5)[0].passage.document == "rare"
        assert len(knowledge.search("common", 5)) == 5

    def test_equal_texts_are_embedded_once(self, world: KnowledgeBase) -> None:
        embed_all(world)
        texts = [replace(document(id, sentences=["The same sentence."]), title="Same") for id in ("one", "two")]
        world.apply(change(documents=texts))
        assert len(world.unembedded(MODEL, 10)) == 1
        embed_all(world, same=unit(1, 0, 0, 0))
        assert {f.passage.document for f in world.nearest(unit(1, 0, 0, 0), MODEL, limit=2)} == {"one", "two"}

    def test_a_deleted_document_leaves_no_vector_behind(self, world: KnowledgeBase) -> None:
        world.apply(change(documents=[document("a", sentences=["Digoxin."])]))
        embed_all(world, digoxin=unit(1, 0, 0, 0))
        world.delete_document("a", "test", "withdrawn")
        assert "a" not in {f.passage.document for f in world.nearest(unit(1, 0, 0, 0), MODEL)}
        world.apply(change(documents=[document("a", sentences=["Digoxin."])]))
        assert len(world.unembedded(MODEL, 10)) == 1

    def test_vectors_of_another_length_are_refused(self, world: KnowledgeBase) -> None:
        embed_all(world)
        hash = b"0" * 16
        with pytest.raises(BadInput, match="another length"):
            world.put_vectors(MODEL, 3, {hash: np.zeros(3, dtype=np.float32)})
        assert world.embedded(MODEL)[0] == world.embedded(MODEL)[1]

    def test_vectors_change_nothing_that_is_known(self, world: KnowledgeBase) -> None:
        before = world.version()
        embed_all(world)
        assert world.version() == before
        assert list(world.check()) == []
