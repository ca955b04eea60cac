"""What labels state, read one after the other, or several at a time in processes of their own.

`extract.label.extract` asks for a document, what its label is about, and the names of the knowledge base; nothing is
looked up while it works. So a process that was given the names once reads any number of documents. Processes are
started anew (`spawn`), never forked: a progress bar has a thread.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from pharmakon.extract.claims import LabelContext, Specialist
from pharmakon.extract.label import Extracted, Sentences, extract
from pharmakon.link.mentions import KINDS
from pharmakon.model.concepts import ConceptId, Name, kind_of
from pharmakon.model.documents import Document
from pharmakon.model.errors import ProcessDied
from pharmakon.model.vocabulary import Factor, Relation, grow, grown
from pharmakon.ports.knowledge import Names

SentencesOf = Callable[[Names], Sentences]
"""Builds the splitter that finds these names."""
Extract = Callable[[Document, LabelContext], Callable[[], Extracted]]
"""Sets the reading of a document going; what is returned waits for it."""

#: A process takes two seconds to start: it has to read this many labels to be worth it.
WORTH = 30
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def workers(jobs: int, labels: int) -> int:
    """How many processes of at most `jobs` to read so many labels with; 1 is this process alone."""
    return max(1, min(jobs, labels // WORTH))


@contextmanager
def extracting(
    names: Names, sentences_of: SentencesOf, specialists: Sequence[Specialist], jobs: int = 1
) -> Iterator[Extract]:
    """`Extract` over `jobs` processes, which end with the block; with one, the document is read when it is waited for.

    With more than one, `sentences_of` and `specialists` have to be picklable. Raises `ProcessDied` where one of them
    ends before its time.
    """
    if jobs < 2:
        sentences = sentences_of(names)
        yield lambda document, label: partial(extract, document, label, sentences, specialists)
        return
    listed = _Listed(tuple(names.names(KINDS)))
    given = (grown(), listed, sentences_of, tuple(specialists))
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, given)
    try:
        yield lambda document, label: pool.submit(_extract, document, label).result
    except BrokenProcessPool:
        raise ProcessDied("a process that reads labels was killed, or had no memory left") from None
    finally:  # nobody waits any more for what has not begun where this is left by an exception
        pool.shutdown(cancel_futures=True)


def in_order(
    start: Callable[[_Item], Callable[[], _Result]], items: Iterable[_Item], ahead: int
) -> Iterator[tuple[_Item, _Result]]:
    """Each item with its result, in the order of `items`; at most `ahead` others are on their way meanwhile."""
    started: deque[tuple[_Item, Callable[[], _Result]]] = deque()
    for item in items:
        started.append((item, start(item)))
        if len(started) > ahead:
            first, result = started.popleft()
            yield first, result()
    for item, result in started:
        yield item, result()


@dataclass(frozen=True, slots=True)
class _Listed:
    """The names of a lexicon, to be taken to another process."""

    rows: tuple[tuple[str, ConceptId, Name], ...]

    def names(self, kinds: Collection[str]) -> Sequence[tuple[str, ConceptId, Name]]:
        return [row for row in self.rows if kind_of(row[1]) in kinds]


_reading: Callable[[Document, LabelContext], Extracted]
"""What a process of its own was made for."""


def _begin(
    words: Sequence[Factor | Relation], names: Names, sentences_of: SentencesOf, specialists: Sequence[Specialist]
) -> None:
    global _reading
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the parent says what comes of it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    grow(words)
    _reading = partial(extract, sentences=sentences_of(names), specialists=specialists)


def _extract(document: Document, label: LabelContext) -> Extracted:
    return _reading(document, label)


def _end_with_parent() -> None:
    """A parent that was killed could not say goodbye; without this its processes would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
