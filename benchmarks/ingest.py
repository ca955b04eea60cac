"""How fast labels become knowledge, on one core: `python -m benchmarks.ingest FOLDER [--sizes 85 170 341 684]`.

FOLDER holds labels in any format that is read. Each size is brought into a new knowledge base with the starter
formulary. Times are those of the processor, so that what else the machine does counts for little; a `p95` is the pace
that 95 of 100 labels keep. Storing is measured by batch. `rest` is all that has no row of its own: identifying
products, and the checks on every claim.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from benchmarks.audit import pace
from pharmakon.app.api import Pharmakon
from pharmakon.app.ingest import ingest
from pharmakon.extract.claims import LabelContext, Read, Sentence, Specialist
from pharmakon.extract.label import Sentences
from pharmakon.extract.sentences import sentences_of
from pharmakon.extract.specialists import ALL
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.read import read_path
from pharmakon.model.changes import Applied, ChangeSet
from pharmakon.model.documents import Section
from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import KnowledgeBase, Names

SCANNER, READING, SENTENCES, STORING = "names, once", "reading", "sentences and mentions", "storing"


@dataclass(slots=True)
class Stopwatch:
    """Seconds by part: in all, and for each label in `laps`."""

    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    laps: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    _lap: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def of(self, part: str) -> Iterator[None]:
        start = time.process_time()
        yield
        took = time.process_time() - start
        self.spent[part] += took
        self._lap[part] += took

    def lap(self, documents: int = 1) -> None:
        """One label is done, or one batch of `documents`."""
        for part, seconds in self._lap.items():
            self.laps[part].append(seconds / documents)
        self._lap.clear()


@dataclass(frozen=True, slots=True)
class Timed:
    """A specialist whose time is taken."""

    inner: Specialist
    watch: Stopwatch

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def sections(self) -> frozenset[str]:
        return self.inner.sections

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        with self.watch.of(f"specialist: {self.name}"):
            return self.inner.read(sentences, label)


class Storing:
    """A knowledge base whose writing is timed; everything else is its own."""

    def __init__(self, inner: KnowledgeBase, watch: Stopwatch) -> None:
        self._inner, self._watch = inner, watch

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def apply(self, change: ChangeSet) -> Applied:
        self._watch.lap()
        with self._watch.of(STORING):
            applied = self._inner.apply(change)
        self._watch.lap(len(change.documents))
        return applied


def bring_in(folder: Path, size: int) -> tuple[Stopwatch, int, float]:
    """The first `size` labels: times, how many there were, and seconds in all."""
    watch = Stopwatch()
    count = 0

    def source() -> Iterator[Incoming | BadInput]:
        nonlocal count
        incoming: Iterable[Incoming | BadInput] = iter(read_path(folder))
        while count < size:
            with watch.of(READING):
                one = next(islice(incoming, 1), None)
            if one is None:
                return
            count += 1
            yield one

    def split(lexicon: Names) -> Sentences:
        watch.lap()
        with watch.of(SCANNER):
            inner = sentences_of(lexicon)
        watch.lap()

        def timed(section: Section) -> Sequence[Sentence]:
            with watch.of(SENTENCES):
                return inner(section)

        return timed

    specialists = [Timed(specialist, watch) for specialist in ALL]
    with tempfile.TemporaryDirectory() as home, Pharmakon(Path(home)) as pharmakon:
        knowledge: KnowledgeBase = Storing(pharmakon.knowledge, watch)  # type: ignore[assignment]
        start = time.process_time()
        ingest(knowledge, source, split, specialists, lambda *_: watch.lap())
        return watch, count, time.process_time() - start


def table(watch: Stopwatch, count: int, total: float) -> None:
    print("part                              s in all  labels/s median      p95")
    for part, seconds in watch.spent.items():
        per_label = sorted(lap for lap in watch.laps[part] if lap)
        if part == SCANNER:
            print(f"{part:32} {seconds:9.2f}")
        else:
            late = per_label[int(0.95 * len(per_label))]
            print(f"{part:32} {seconds:9.2f} {1 / statistics.median(per_label):16,.0f} {1 / late:8,.0f}")
    print(f"{'rest':32} {total - sum(watch.spent.values()):9.2f}")
    print(f"{'all':32} {total:9.2f} {count / total:16,.1f}")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[85, 170, 341, 684])
    chosen = parser.parse_args(arguments)
    print("   labels   seconds  labels/s  peak MB")
    for size in sorted(chosen.sizes):
        watch, count, total = bring_in(chosen.folder, size)
        if not count:
            raise SystemExit(f"{chosen.folder} holds no labels")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{count:9,} {total:9.2f} {count / total:9.1f} {memory:8.0f}", flush=True)
    print(pace())
    table(watch, count, total)


if __name__ == "__main__":
    main(sys.argv[1:])
