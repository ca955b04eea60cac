"""Reading in several processes: the same as in one, in the same order, and never far ahead of what is stored."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import open_embedded
from pharmakon.app.extraction import WORTH, in_order, workers
from pharmakon.app.ingest import ingest
from pharmakon.extract.claims import LabelContext, Read, Sentence
from pharmakon.model.errors import ProcessDied
from tests.unit.app.test_ingest import Avoids, label, splitter


def test_a_process_is_started_only_for_labels_enough() -> None:
    assert workers(8, WORTH - 1) == 1
    assert workers(8, 3 * WORTH) == 3
    assert workers(2, 1000 * WORTH) == 2


def test_results_come_in_the_order_of_what_was_given() -> None:
    done = list(in_order(lambda n: lambda: -n, range(7), 3))
    assert done == [(n, -n) for n in range(7)]


def test_no_more_are_started_than_may_be_on_their_way() -> None:
    started: list[int] = []

    def start(n: int) -> Callable[[], int]:
        started.append(n)
        return lambda: n

    results = in_order(start, range(100), 4)
    for n in range(90):
        next(results)
        assert len(started) == n + 5


@pytest.mark.slow
def test_two_processes_store_what_one_does(tmp_path: Path) -> None:
    labels = [label(str(n), f"Avoid drug{n + 1}.", drug=f"drug{n}") for n in range(2 * WORTH)]
    labels.append(label("copy", "Avoid drug1.", drug="drug0"))
    held = []
    for jobs in (1, 2):
        with closing(open_embedded(tmp_path / str(jobs))) as knowledge:
            summary = ingest(knowledge, lambda: iter(labels), splitter, [Avoids()], jobs=jobs)
            ids = [id for id, *_ in knowledge.documents()]
            statements = list(knowledge.about({c for _, c, _ in knowledge.names({"ingredient"})}, RELATIONS))
        held.append((summary, ids, statements))
    assert held[0] == held[1]
    assert held[0][0].copies == [("label:copy", "label:0")]


@dataclass(frozen=True)
class Dies(Avoids):
    """Kills the process it works in where a label says so."""

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        if any("killed" in s.text for s in sentences):
            os.kill(os.getpid(), signal.SIGKILL)
        return Avoids.read(self, sentences, label)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise there")
def test_where_a_process_is_killed_what_was_read_stays_and_the_next_run_goes_on(tmp_path: Path) -> None:
    labels = [label(str(n), f"Avoid drug{n + 1}.", drug=f"drug{n}") for n in range(3 * WORTH)]
    labels[2 * WORTH] = label("deadly", "It is killed.", drug="deadlin")
    with closing(open_embedded(tmp_path / "kb")) as knowledge, closing(open_embedded(tmp_path / "one")) as whole:
        with pytest.raises(ProcessDied, match=r"killed.*; \d+ documents are stored, and the next run goes on"):
            ingest(knowledge, lambda: iter(labels), splitter, [Dies()], jobs=2)
        stored = len(knowledge.documents())
        assert 0 < stored < len(labels)
        assert list(knowledge.check()) == []
        again = ingest(knowledge, lambda: iter(labels), splitter, [Avoids()], jobs=2)
        assert (again.unchanged, again.stored) == (stored, len(labels) - stored)
        ingest(whole, lambda: iter(labels), splitter, [Avoids()])
        assert knowledge.documents() == whole.documents()
        drugs = {c for _, c, _ in whole.names({"ingredient"})}
        assert list(knowledge.about(drugs, RELATIONS)) == list(whole.about(drugs, RELATIONS))


RELATIONS = ("interacts_with", "given_by", "belongs_to")
