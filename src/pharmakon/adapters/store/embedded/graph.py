"""The property graph: a Ladybug file that is built anew from SQL, renamed into place, and from then on only read.

`(:Concept {id, kind, name})-[relation {statement, negative}]->(:Concept)`, and `(:State {change_no})`: the change up to
which it is built. Ladybug does not keep a reader from seeing a writer's half-done pages, hence never a write in place.
"""

from __future__ import annotations

import csv
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.adapters.store.embedded.topology import graph_relations
from pharmakon.model.errors import KnowledgeBusy, KnowledgeError

_CYPHER = "graph.cypher"
_BUFFER = 256 * 1024 * 1024  #: bytes; Ladybug's default is most of the memory there is
_TIMEOUT = 30_000  #: ms a query may take; an unbounded path does not come back by itself


def missing_engine() -> str:
    """Why there is no Cypher here; empty where there is."""
    try:
        import ladybug  # noqa: F401 (a second to load, and not on every platform)
    except ImportError as error:
        return f"ladybug is not installed ({error})"
    return ""


@dataclass(frozen=True, slots=True)
class _Opened:
    """The file as it was opened; `identity` tells whether another one has taken its name since."""

    identity: tuple[int, int]
    change_no: int
    database: Any
    connection: Any


@dataclass(slots=True, eq=False)
class Graph:
    """`folder/graph.lbug`. Raises `KnowledgeError` where it can't be built or a query is wrong."""

    folder: Path
    lock_timeout: float = 10.0
    _opened: _Opened | None = field(init=False, default=None)
    _guard: threading.RLock = field(init=False, default_factory=threading.RLock)

    @property
    def path(self) -> Path:
        return self.folder / "graph.lbug"

    # ── reading ────────────────────────────────────────────────────────────────────────────────────

    def change_no(self) -> int | None:
        """The change up to which the file is built; None where there is no file that can be read."""
        with self._guard:
            opened = self._current()
            return None if opened is None else opened.change_no

    def ability(self, change_no: int) -> str:
        """How Cypher is answered at `change_no`, in a line."""
        if reason := missing_engine():
            return f"no: {reason}; topology is answered from SQL"
        built = self.change_no()
        if built == change_no:
            return f"ladybug, at change {built}"
        lag = "not built yet" if built is None else f"at change {built} of {change_no}"
        return f"ladybug, {lag}: built on the next Cypher query, until then topology is answered from SQL"

    def rows(self, query: str, parameters: Mapping[str, object]) -> list[list[Any]]:
        return self.table(query, parameters)[1]

    def table(self, query: str, parameters: Mapping[str, object]) -> tuple[list[str], list[list[Any]]]:
        """Column names and rows of one query."""
        with self._guard:
            opened = self._current()
            if opened is None:
                raise KnowledgeError(f"there is no graph in {self.folder}")
            try:
                return _ask(opened.connection, query, parameters)
            except RuntimeError as error:  # all that Ladybug raises
                raise KnowledgeError(f"Cypher: {' '.join(str(error).split())}") from error

    def _current(self) -> _Opened | None:
        """The graph that has the name now: a file renamed into place is opened, the old one let go."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            self.close()
            return None
        identity = (status.st_ino, status.st_mtime_ns)
        if self._opened is not None and self._opened.identity != identity:
            self.close()
        if self._opened is None and not missing_engine():
            self._opened = self._open(identity)
        return self._opened

    def _open(self, identity: tuple[int, int]) -> _Opened | None:
        import ladybug

        try:
            database = ladybug.Database(self.path, read_only=True, buffer_pool_size=_BUFFER)
            connection = ladybug.Connection(database)
            connection.set_query_timeout(_TIMEOUT)
            _, rows = _ask(connection, queries(_CYPHER)["change_no"], {})
        except RuntimeError:
            return None  # not a graph, or of another release: like none, it is built anew
        return _Opened(identity, rows[0][0] if rows else -1, database, connection)

    def close(self) -> None:
        with self._guard:
            if self._opened is not None:
                self._opened.connection.close()
                self._opened.database.close()
                self._opened = None

    # ── building ───────────────────────────────────────────────────────────────────────────────────

    def build(self, snapshot: Snapshot, *, anew: bool = False) -> None:
        """Bring the file up to `snapshot`, unless it is there already. One process at a time builds."""
        if reason := missing_engine():
            raise KnowledgeError(f"no graph can be built: {reason}")
        with self._building() as room:
            if not anew and self.change_no() == snapshot.change_no:
                return  # another process has just done it
            _write(room / "graph.lbug", snapshot)
            self.close()  # some systems don't let an open file be replaced
            os.replace(room / "graph.lbug", self.path)
            self._durable()

    @contextmanager
    def _building(self) -> Iterator[Path]:
        """A folder to build in, under the projector's lock. What a killed projector left there is swept away."""
        lock, room = FileLock(self.folder / "graph.lock"), self.folder / "graph.building"
        try:
            lock.acquire(timeout=self.lock_timeout)
        except Timeout:
            raise KnowledgeBusy(f"the graph in {self.folder} is being built by another process") from None
        except OSError as error:
            raise KnowledgeError(f"no graph can be built in {self.folder}: {error.strerror}") from error
        try:
            shutil.rmtree(room, ignore_errors=True)
            room.mkdir()
            yield room
        except (OSError, RuntimeError) as error:
            raise KnowledgeError(f"no graph can be built in {self.folder}: {error}") from error
        finally:
            shutil.rmtree(room, ignore_errors=True)
            lock.release()

    def _durable(self) -> None:
        """The name of the new file survives a power cut, as far as the system allows."""
        if os.name == "posix":
            handle = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _ask(connection: Any, query: str, parameters: Mapping[str, object]) -> tuple[list[str], list[list[Any]]]:
    result = connection.execute(query, dict(parameters))
    try:
        return list(result.get_column_names()), list(result.get_all())
    finally:
        result.close()


def _write(path: Path, snapshot: Snapshot) -> None:
    import ladybug

    cypher = queries(_CYPHER)
    database = ladybug.Database(path, buffer_pool_size=2 * _BUFFER)
    connection = ladybug.Connection(database)
    try:
        connection.execute(cypher["concepts"])
        connection.execute(cypher["state"])
        for relation in graph_relations():
            # names of the vocabulary, never a caller's words; a table's name can't be a parameter
            connection.execute(
                f"CREATE REL TABLE `{relation}` (FROM Concept TO Concept, statement STRING, negative BOOL)"
            )
        _export(path.parent, snapshot)
        # names may hold line breaks, which only the serial reader takes; an edge is ids alone
        for table, parallel in (("Concept", "false"), *((relation, "true") for relation in sorted(graph_relations()))):
            source = path.with_name(f"{table}.csv")
            if source.stat().st_size:
                options = f"header = false, parallel = {parallel}, escape = '\"'"
                connection.execute(f"COPY `{table}` FROM '{source.absolute()}' ({options})")
            source.unlink()
        connection.execute(cypher["seen"], {"change_no": snapshot.change_no})
    finally:
        connection.close()
        database.close()
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _export(room: Path, snapshot: Snapshot) -> None:
    """A CSV file per table: a million edges one by one would take minutes, and Parquet would need another library."""
    with ExitStack() as files:

        def writer(table: str) -> Callable[[Sequence[object]], object]:
            file = files.enter_context((room / f"{table}.csv").open("w", encoding="utf-8", newline=""))
            return csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerow

        concept = writer("Concept")
        for row in snapshot.connection.execute(queries("graph.sql")["vertices"]):
            concept(row)
        edge = {relation: writer(relation) for relation in graph_relations()}
        for relation, subject, object, id, negative in _edges(snapshot):
            edge[relation]((subject, object, id, bool(negative)))


def _edges(snapshot: Snapshot) -> Iterable[Any]:
    return snapshot.connection.execute(queries("graph.sql")["edges"], {"relations": as_json(graph_relations())})


def inconsistencies(graph: Graph, snapshot: Snapshot) -> Iterator[str]:
    """φ: every vertex has its row and the reverse, every edge its statement (KB-1). Silent where the graph lags."""
    if graph.change_no() != snapshot.change_no:
        return
    vertices = {tuple(row) for row in graph.rows(queries(_CYPHER)["vertices"], {})}
    concepts = {row[:2] for row in snapshot.rows(queries("graph.sql")["vertices"])}
    yield from (f"graph: vertex {id} has no concept" for id, _ in sorted(vertices - concepts))
    yield from (f"graph: concept {id} has no vertex" for id, _ in sorted(concepts - vertices))
    edges = {tuple(row) for row in graph.rows(queries(_CYPHER)["edges"], {})}
    statements = {
        (subject, relation, object, id, bool(negative)) for relation, subject, object, id, negative in _edges(snapshot)
    }
    yield from (f"graph: edge {edge[3]} has no live statement" for edge in sorted(edges - statements))
    yield from (f"graph: statement {edge[3]} has no edge" for edge in sorted(statements - edges))
