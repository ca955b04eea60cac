"""Traces in a file of their own, so that an answer never waits for a knowledge write, nor the other way round."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pharmakon.adapters.store.embedded.sql import queries
from pharmakon.model.errors import BadInput, KnowledgeError
from pharmakon.model.trace import Trace

_SQL = "traces.sql"
_PATIENCE = 5.0  #: seconds that one writer waits for another


@dataclass(frozen=True, slots=True)
class Traces:
    """`path` is made when the first trace is kept. Raises `KnowledgeError` where it can't be read or written."""

    path: Path

    def keep(self, trace: Trace) -> None:
        steps = json.dumps([dict(step) for step in trace.steps], ensure_ascii=False)
        answer = json.dumps(dict(trace.answer), ensure_ascii=False)
        with self._open(make=True) as connection:
            connection.execute(
                queries(_SQL)["keep"],
                (trace.id, trace.at, trace.question, trace.lang, trace.agent, trace.knowledge_version, steps, answer),
            )

    def latest(self, limit: int) -> Sequence[Trace]:
        """The newest first."""
        with self._open() as connection:
            return [_trace(row) for row in connection.execute(queries(_SQL)["kept"], {"limit": limit})]

    def one(self, id: str) -> Trace:
        """By its id or the beginning of it; raises `BadInput` where there is none, or more than one."""
        with self._open() as connection:
            found = [row[0] for row in connection.execute(queries(_SQL)["begins"], {"beginning": _literal(id)})]
            if len(found) != 1 or not id:
                what = f"several traces begin with {id!r}" if len(found) > 1 else f"there is no trace {id!r}"
                raise BadInput(what, expected="an id from `pharmakon trace list`")
            return _trace(connection.execute(queries(_SQL)["one"], {"id": found[0]}).fetchone())

    @contextmanager
    def _open(self, *, make: bool = False) -> Iterator[sqlite3.Connection]:
        try:
            target = self.path if make or self.path.exists() else ":memory:"
            connection = sqlite3.connect(target, timeout=_PATIENCE)
            try:
                with connection:
                    connection.execute(queries(_SQL)["table"])
                    yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise KnowledgeError(f"{self.path}: {error}") from error


def _literal(text: str) -> str:
    return "".join(c for c in text if c.isalnum() or c == "-")


def _trace(row: Sequence[Any]) -> Trace:
    id, at, question, lang, agent, version, steps, answer = row
    return Trace(id, at, question, lang, agent, version, tuple(json.loads(steps)), json.loads(answer))
