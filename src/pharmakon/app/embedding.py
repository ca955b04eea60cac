"""Vectors for passages: those that come with the formulary, and those that have to be made."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from importlib import resources
from typing import TYPE_CHECKING

from pharmakon.ports.communities import CommunityStore
from pharmakon.ports.embedder import Embedder
from pharmakon.ports.knowledge import KnowledgeBase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Of the model, hashes and float16 vectors of the formulary's passages (`python -m authoring vectors`).
SHIPPED = "vectors.npz"
_TAKEN = 512  #: passages asked for at once
_BATCH = 32  #: passages embedded and stored at once: what is lost when it is stopped
#: Passages that have a vector, and passages.
Progress = Callable[[int, int], None]


def embed(knowledge: KnowledgeBase, embedder: Embedder, progress: Progress) -> tuple[int, int]:
    """Give every passage a vector of this model; returns how many were made, and how many passages there are.

    It may be stopped at any time and goes on from there.
    """
    bring_in_shipped(knowledge, embedder.name)
    total, done = knowledge.embedded(embedder.name)
    made = 0
    progress(done, total)
    while waiting := knowledge.unembedded(embedder.name, _TAKEN):
        for at in range(0, len(waiting), _BATCH):
            batch = waiting[at : at + _BATCH]
            vectors = embedder.passages([text for _, text in batch])
            found = {hash: vector for (hash, _), vector in zip(batch, vectors, strict=True)}
            knowledge.put_vectors(embedder.name, embedder.dimension, found)
            made += len(batch)
            progress(done + made, total)
    knowledge.project_vectors(embedder.name)
    _embed_summaries(knowledge.communities, embedder)
    return made, total


def _embed_summaries(store: CommunityStore, embedder: Embedder) -> None:
    while waiting := store.unembedded(embedder.name, _BATCH):
        vectors = embedder.passages([text for _, text in waiting])
        found = {no: vector for (no, _), vector in zip(waiting, vectors, strict=True)}
        store.put_vectors(embedder.name, embedder.dimension, found)


def bring_in_shipped(knowledge: KnowledgeBase, model: str) -> None:
    """The vectors that come with the formulary, where they are of this model and their texts wait for one."""
    waiting = {hash for hash, _ in knowledge.unembedded(model, 1_000_000)}
    if not waiting:
        return
    found = {hash: vector for hash, vector in shipped(model).items() if hash in waiting}
    if found:
        knowledge.put_vectors(model, len(next(iter(found.values()))), found)


def shipped(model: str) -> Mapping[bytes, NDArray[np.float32]]:
    """Hash → vector; empty where none of this model are shipped."""
    import numpy as np

    file = resources.files("pharmakon").joinpath("formulary", SHIPPED)
    if not file.is_file():
        return {}
    held = np.load(io.BytesIO(file.read_bytes()), allow_pickle=False)
    if str(held["model"]) != model:
        return {}
    hashes, values = held["hashes"], held["values"].astype(np.float32)
    return {hash.tobytes(): value for hash, value in zip(hashes, values, strict=True)}


def pack(model: str, vectors: Mapping[bytes, NDArray[np.float32]]) -> bytes:
    """What is shipped: the same bytes for the same vectors."""
    import numpy as np

    order = sorted(vectors)
    buffer = io.BytesIO()
    np.savez(
        buffer,
        model=np.array(model),
        hashes=np.frombuffer(b"".join(order), dtype=np.uint8).reshape(len(order), 16),
        values=np.array([vectors[hash] for hash in order], dtype=np.float16),
    )
    return buffer.getvalue()
