"""The index file of vectors: never wrong, at most behind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, nearest, open_embedded
from tests.contract.examples import change, document

MODEL = "test-model"
WIDTH = 16


@pytest.fixture(autouse=True)
def few_are_scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "SCANNED", 20)


def vector_of(text: str) -> np.ndarray:
    seed = int.from_bytes(text.splitlines()[-1].encode(), "little")
    vector = np.random.default_rng(seed).standard_normal(WIDTH).astype(np.float32)
    return vector / np.linalg.norm(vector)


def embed(knowledge: EmbeddedKnowledge) -> None:
    knowledge.put_vectors(MODEL, WIDTH, {h: vector_of(text) for h, text in knowledge.unembedded(MODEL, 1000)})


def with_documents(folder: Path, count: int) -> EmbeddedKnowledge:
    knowledge = open_embedded(folder)
    knowledge.apply(change(documents=[document(f"d{n}", sentences=[f"Text {n}."]) for n in range(count)]))
    embed(knowledge)
    return knowledge


def best(knowledge: EmbeddedKnowledge, n: int) -> str:
    return knowledge.nearest(vector_of(f"Text {n}."), MODEL, limit=3)[0].passage.document


def files(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.glob("vectors-*"))


def test_few_vectors_need_no_file(tmp_path: Path) -> None:
    knowledge = with_documents(tmp_path, 10)
    knowledge.project_vectors(MODEL)
    assert files(tmp_path) == []
    assert best(knowledge, 7) == "d7"


def test_many_are_answered_from_a_file(tmp_path: Path) -> None:
    knowledge = with_documents(tmp_path, 60)
    knowledge.project_vectors(MODEL)
    assert files(tmp_path) == ["vectors-1-60.usearch"]
    assert [best(knowledge, n) for n in (0, 30, 59)] == ["d0", "d30", "d59"]


def test_what_came_after_the_file_is_found_too(tmp_path: Path) -> None:
    knowledge = with_documents(tmp_path, 60)
    knowledge.project_vectors(MODEL)
    knowledge.apply(change(documents=[document("later", sentences=["Text 99."])]))
    embed(knowledge)
    assert best(knowledge, 99) == "later"
    assert best(knowledge, 30) == "d30"


def test_a_file_that_lags_far_is_brought_up_to_date_and_the_old_one_goes(tmp_path: Path) -> None:
    knowledge = with_documents(tmp_path, 60)
    knowledge.project_vectors(MODEL)
    knowledge.apply(change(documents=[document(f"e{n}", sentences=[f"More {n}."]) for n in range(30)]))
    embed(knowledge)
    knowledge.project_vectors(MODEL)
    assert files(tmp_path) == ["vectors-1-90.usearch"]
    assert best(knowledge, 30) == "d30"


def test_a_damaged_file_is_none(tmp_path: Path) -> None:
    knowledge = with_documents(tmp_path, 60)
    knowledge.project_vectors(MODEL)
    (tmp_path / "vectors-1-60.usearch").write_bytes(b"no index")
    again = open_embedded(tmp_path)
    assert best(again, 30) == "d30"


def test_what_is_erased_stands_in_no_file(tmp_path: Path) -> None:
    knowledge = with_documents(tmp_path, 60)
    knowledge.project_vectors(MODEL)
    knowledge.delete_document("d30", "test", "asked for")
    assert files(tmp_path) == []
    assert best(knowledge, 31) == "d31"
    assert "d30" not in {f.passage.document for f in knowledge.nearest(vector_of("Text 30."), MODEL, limit=60)}
