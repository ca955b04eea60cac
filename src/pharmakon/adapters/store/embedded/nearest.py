"""The nearest vectors: an HNSW file over most of them, and a plain scan over those it does not hold yet.

`folder/vectors-MODEL-LAST.usearch` holds all vectors of a model up to number LAST. It is built aside, renamed into
place, and only read from then on; a reader that finds none, or none that it can read, scans them all. Numbers are
never used again, so a file is never wrong, only behind. Vectors that were dropped stay in it until it is built anew;
no passage has them, so they are never an answer. (Malkov and Yashunin 2018, doi:10.1109/TPAMI.2018.2889473.)
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from pharmakon.adapters.store.embedded import vectors
from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import queries
from pharmakon.model.errors import KnowledgeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Up to so many vectors beyond the file are scanned; a scan of as many costs about two milliseconds.
SCANNED = 10_000
_NAME = re.compile(r"vectors-(\d+)-(\d+)\.usearch")
_CONNECTIVITY, _EXPANSION_ADD, _EXPANSION_SEARCH = 16, 128, 96


def missing_engine() -> str:
    """Why there are no vectors here; empty where there are."""
    try:
        import numpy  # noqa: F401
        import usearch.index  # noqa: F401
    except ImportError as error:
        return f"{error.name or 'usearch'} is not installed: pip install 'pharmakon[ask]'"
    return ""


@dataclass(slots=True)
class _Held:
    """What is open of one model: the file and what lies behind it."""

    last: int = 0  #: number up to which the file goes
    index: Any = None
    revision: int = -1  #: that what was scanned in is of
    numbers: Any = None
    values: Any = None


@dataclass(slots=True, eq=False)
class NearestVectors:
    folder: Path
    lock_timeout: float = 10.0
    _held: dict[int, _Held] = field(init=False, default_factory=dict)
    _guard: threading.Lock = field(init=False, default_factory=threading.Lock)

    def search(
        self, snapshot: Snapshot, model: vectors.Model, query: NDArray[np.float32], limit: int
    ) -> list[tuple[int, float]]:
        """(vector number, cosine) of the nearest, the best first."""
        with self._guard:
            held = self._current(snapshot, model)
        found: list[tuple[int, float]] = []
        if held.index is not None:
            matches = held.index.search(query, min(limit, len(held.index)))
            found = [(int(no), 1.0 - float(far)) for no, far in zip(matches.keys, matches.distances, strict=True)]
        if held.numbers is not None and len(held.numbers):
            near = held.values @ query
            best = near.argpartition(-limit)[-limit:] if limit < len(near) else range(len(near))
            found += ((int(held.numbers[at]), float(near[at])) for at in best)
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def _current(self, snapshot: Snapshot, model: vectors.Model) -> _Held:
        number = model.no
        held = self._held.setdefault(number, _Held())
        last = max((last for n, last in self._files() if n == number), default=0)
        if last != held.last:
            index = self._open(number, last)
            held = self._held[number] = _Held(last if index is not None else held.last, index or held.index)
        if model.revision != held.revision:
            numbers, values = vectors.load(snapshot, number, model.dimension, held.last)
            held = self._held[number] = _Held(held.last, held.index, model.revision, numbers, values)
        return held

    def _files(self) -> Iterator[tuple[int, int]]:
        for entry in os.scandir(self.folder):
            if name := _NAME.fullmatch(entry.name):
                yield int(name[1]), int(name[2])

    def _path(self, number: int, last: int) -> Path:
        return self.folder / f"vectors-{number}-{last}.usearch"

    def _open(self, number: int, last: int) -> Any:
        if not last or missing_engine():
            return None
        from usearch.index import Index

        try:
            return Index.restore(self._path(number, last), view=True)
        except (OSError, RuntimeError, ValueError):
            return None  # gone meanwhile, or of another release: like none, everything is scanned

    # ── building ───────────────────────────────────────────────────────────────────────────────────

    def project(self, snapshot: Snapshot, model: vectors.Model, *, anew: bool = False) -> None:
        """Bring the file up to date where more than `SCANNED` vectors lie behind it."""
        if reason := missing_engine():
            raise KnowledgeError(f"no vector index can be built: {reason}")
        number, dimension, _ = model
        try:
            with FileLock(self.folder / "vectors.lock", timeout=self.lock_timeout):
                files = [last for n, last in self._files() if n == number]
                held = 0 if anew else max(files, default=0)
                last, behind = snapshot.rows(queries("vectors.sql")["state"], model=number, upto=held)[0]
                if behind > SCANNED:
                    self._build(snapshot, number, dimension, held, last)
                    files = [f for f in files if f != last]
                    for stale in files:
                        self._path(number, stale).unlink(missing_ok=True)
                elif anew:
                    self.forget(number)
        except Timeout:
            return  # another process is at it
        except OSError as error:
            raise KnowledgeError(f"no vector index can be built in {self.folder}: {error.strerror}") from error

    def _build(self, snapshot: Snapshot, number: int, dimension: int, held: int, last: int) -> None:
        from usearch.index import Index

        index = Index(
            ndim=dimension, metric="cos", dtype="f16", connectivity=_CONNECTIVITY,
            expansion_add=_EXPANSION_ADD, expansion_search=_EXPANSION_SEARCH,
        )  # fmt: skip
        if held:
            index.load(self._path(number, held))
        numbers, values = vectors.load(snapshot, number, dimension, held)
        index.add(numbers, values)
        building = self.folder / "vectors.building"
        index.save(building)
        os.replace(building, self._path(number, last))

    def forget(self, number: int | None = None) -> None:
        """Remove the files: what was erased from the knowledge base stands in none."""
        for model, last in list(self._files()):
            if number in (None, model):
                self._path(model, last).unlink(missing_ok=True)
