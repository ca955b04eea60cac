"""Search with and without a word index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded, words
from tests.contract.examples import LABEL, WORLD, change, document
from tests.contract.knowledge_contract import KnowledgeContract
from tests.contract.passages_contract import PassagesContract


@pytest.fixture
def no_fts5(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "available", lambda: False)


@pytest.mark.usefixtures("no_fts5")
class TestWithoutFts5(KnowledgeContract):
    """A Python whose SQLite lacks FTS5 keeps every promise of the contract."""

    @pytest.fixture
    def knowledge(self, tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
        found = open_embedded(tmp_path / "kb")
        yield found
        found.close()

    def test_it_says_that_it_counts_words(self, knowledge: EmbeddedKnowledge) -> None:
        assert "no FTS5" in knowledge.capabilities()["text"]


@pytest.mark.usefixtures("no_fts5")
class TestPassagesWithoutFts5(PassagesContract):
    @pytest.fixture
    def knowledge(self, tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
        found = open_embedded(tmp_path / "kb")
        yield found
        found.close()


def test_an_index_left_behind_is_not_used_and_catches_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    knowledge = open_embedded(tmp_path)
    knowledge.apply(WORLD)
    assert knowledge.capabilities()["text"] == "FTS5, BM25"
    with monkeypatch.context() as without:
        without.setattr(words, "available", lambda: False)
        knowledge.apply(change(documents=[document("new", sentences=["Digoxin."])]))
        knowledge.delete_document(LABEL.id, "test", "withdrawn")
    assert "left behind" in knowledge.capabilities()["text"]
    assert [f.passage.document for f in knowledge.search("digoxin")] == ["new"]
    assert list(knowledge.search("warfarin")) == []
    assert list(knowledge.check()) == []
    knowledge.apply(change())
    assert knowledge.capabilities()["text"] == "FTS5, BM25"
    assert [f.passage.document for f in knowledge.search("digoxin")] == ["new"]
    assert list(knowledge.check()) == []
    knowledge.close()


def test_word_forms_meet(tmp_path: Path) -> None:
    knowledge = open_embedded(tmp_path)
    knowledge.apply(WORLD)
    assert knowledge.search("interaction")
    assert knowledge.search("analgesic")
    knowledge.close()
