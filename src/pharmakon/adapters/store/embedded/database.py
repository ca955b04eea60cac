"""The SQLite file: opening it in every state a folder may be in, read transactions, and the one writer at a time."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from filelock import FileLock, Timeout

from pharmakon.adapters.store.embedded import sql
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import KnowledgeBusy, KnowledgeError

_READER_KIB = 64 * 1024  #: of pages a reading connection keeps
_WRITER_KIB = 256 * 1024  #: a writer puts ids all over the indexes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One read transaction: everything asked through it is of the same change."""

    connection: sqlite3.Connection
    change_no: int

    def rows(self, query: str, **values: object) -> list[Any]:
        return self.connection.execute(query, values).fetchall()

    def redirects(self) -> dict[ConceptId, ConceptId]:
        """Merged concept → the live concept that stands for it."""
        return dict(self.connection.execute(sql.queries("lexicon.sql")["redirects"]))


@dataclass
class _Kept(threading.local):
    """This thread's connection and the read transaction it is in. (Slots would be shared between threads.)"""

    connection: sqlite3.Connection | None = None
    owner: int = 0
    frozen: tuple[int, ...] = ()
    snapshot: Snapshot | None = None


@dataclass(slots=True, eq=False)
class Database:
    """`folder/knowledge.db`. One connection per thread is kept for reading; a writer has its own and holds a file lock.

    Raises `KnowledgeError` on opening where there is nothing to open, the file is no knowledge base, was made by a
    newer release, or can't be made.
    """

    folder: Path
    create: bool = True
    lock_timeout: float = 10.0
    writable: bool = field(init=False, default=True)
    _kept: _Kept = field(init=False, default_factory=_Kept)
    _open: list[tuple[threading.Thread, sqlite3.Connection]] = field(init=False, default_factory=list)
    _owner: int = field(init=False, default_factory=os.getpid)
    _inherited: list[sqlite3.Connection] = field(init=False, default_factory=list)
    _guard: threading.Lock = field(init=False, default_factory=threading.Lock)

    @property
    def path(self) -> Path:
        return self.folder / "knowledge.db"

    def __post_init__(self) -> None:
        if not self.path.exists():
            if not self.create:
                raise KnowledgeError(f"there is no knowledge base in {self.folder}")
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise KnowledgeError(f"{self.folder} can't be made: {error.strerror}") from error
        self.writable = os.access(self.folder, os.W_OK) and (not self.path.exists() or os.access(self.path, os.W_OK))
        known = sql.migrations()[-1][0]
        version = self._schema_version() if self.path.exists() else 0
        if version > known:
            raise KnowledgeError(
                f"{self.path} has schema {version}, made by a newer release; this one knows schemas up to {known}"
            )
        if version < known:
            self._migrate()

    # ── opening ────────────────────────────────────────────────────────────────────────────────────

    def _uri(self, mode: str) -> str:
        return f"file:{quote(str(self.path.absolute()))}?{mode}"

    @property
    def _log(self) -> Path:
        return self.path.with_name(self.path.name + "-wal")

    def _connect(self) -> tuple[sqlite3.Connection, tuple[int, ...]]:
        """A connection, and the stamp of the file where it is taken to be frozen (else empty)."""
        if self.writable:
            return _connection(self._uri("mode=rw"), "PRAGMA query_only = on"), ()
        stamp = self._stamp()
        try:
            return _connection(self._uri("mode=ro"), "SELECT count(*) FROM sqlite_master"), ()
        except sqlite3.OperationalError:
            # SQLite keeps an index of its log beside the file and can't make one here. Where there is no log, nobody is
            # writing and none is needed; if somebody starts to, the stamp changes and another connection is made.
            if self._log.exists() and self._log.stat().st_size:
                raise KnowledgeError(
                    f"{self.folder} is read-only and its last write is still in {self._log.name}: "
                    "open it once where it can be written"
                ) from None
            return _connection(self._uri("mode=ro&immutable=1"), "SELECT count(*) FROM sqlite_master"), stamp

    def _schema_version(self) -> int:
        with self._reported(), _closing(self._connect()[0]) as connection:
            return int(connection.execute("PRAGMA user_version").fetchone()[0])

    def _migrate(self) -> None:
        """Bring the file to the last schema; of two that start at once one does it and the other finds it done."""
        with (
            self._locked("migration", "bring the schema up to date"),
            self._reported(),
            _closing(_connection(self._uri("mode=rwc"))) as connection,
        ):
            connection.execute("PRAGMA journal_mode = wal")
            connection.execute("PRAGMA synchronous = full")
            for number, script in sql.migrations():
                if number > connection.execute("PRAGMA user_version").fetchone()[0]:
                    connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")

    # ── reading ────────────────────────────────────────────────────────────────────────────────────

    def connection(self) -> sqlite3.Connection:
        """This thread's kept connection."""
        kept = self._kept
        if kept.connection is None or kept.owner != os.getpid() or (kept.frozen and kept.frozen != self._stamp()):
            with self._guard:
                self._let_go()
                kept.snapshot = None
                kept.connection, kept.frozen = self._connect()
                kept.owner = self._owner
                self._open.append((threading.current_thread(), kept.connection))
        return kept.connection

    def _let_go(self) -> None:
        """Of threads that ended. After a fork everything is the parent's: to close it would take the parent's locks."""
        if self._owner != os.getpid():
            self._inherited += (connection for _, connection in self._open)
            self._owner, self._open = os.getpid(), []
        for thread, connection in self._open:
            if not thread.is_alive() or thread is threading.current_thread():
                connection.close()
        self._open = [(t, c) for t, c in self._open if t.is_alive() and t is not threading.current_thread()]

    def _stamp(self) -> tuple[int, ...]:
        """Changes when anybody writes: of the file and of its log, if there is one."""
        found: list[int] = []
        for path in (self.path, self._log):
            with suppress(FileNotFoundError):
                status = path.stat()
                found += (status.st_ino, status.st_mtime_ns, status.st_size)
        return tuple(found)

    @contextmanager
    def reading(self) -> Iterator[Snapshot]:
        """A read transaction; one inside another is the outer one. Never waits for a writer."""
        with self._reported():
            connection = self.connection()
            if self._kept.snapshot is not None:
                yield self._kept.snapshot
                return
            connection.execute("BEGIN")
            try:
                number = connection.execute("SELECT max(no) FROM change").fetchone()[0] or 0
                self._kept.snapshot = Snapshot(connection, number)
                yield self._kept.snapshot
            finally:
                self._kept.snapshot = None
                connection.execute("COMMIT")

    # ── writing ────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def writing(self, actor: str, why: str, *, erase: bool = False) -> Iterator[sqlite3.Connection]:
        """One write transaction under the file lock; whatever is raised inside leaves the file as it was.

        With `erase` what is deleted is overwritten in the file too, and the log of earlier writes is emptied.
        """
        with self._locked(actor, why), self._reported(), _closing(_connection(self._uri("mode=rw"))) as connection:
            connection.execute("PRAGMA synchronous = full")
            connection.execute("PRAGMA foreign_keys = on")
            connection.execute(f"PRAGMA cache_size = -{_WRITER_KIB}")
            connection.execute(f"PRAGMA secure_delete = {'on' if erase else 'off'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
                if erase:  # readers at work keep the log for now; the next write empties it
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except BaseException:
                with suppress(sqlite3.Error):  # a full disk has rolled back by itself
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _locked(self, actor: str, why: str) -> Iterator[None]:
        """The writers' lock, with a note beside it that tells those who wait who holds it."""
        if not self.writable:
            raise KnowledgeError(f"{self.folder} is read-only: nothing can be written there")
        lock, note = FileLock(self.folder / "write.lock"), self.folder / "write.who"
        try:
            lock.acquire(timeout=self.lock_timeout)
        except Timeout:
            raise KnowledgeBusy(f"{self.folder} is being written {_holder(note)}; try again later") from None
        except OSError as error:
            raise KnowledgeError(f"{self.folder} can't be written: {error.strerror}") from error
        try:
            since = datetime.now(UTC).isoformat(timespec="seconds")
            with suppress(OSError):  # the note is a courtesy; a full disk is reported by the write itself
                note.write_text(json.dumps({"actor": actor, "why": why, "pid": os.getpid(), "since": since}), "utf-8")
            yield
        finally:
            with suppress(OSError):
                note.unlink()
            lock.release()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """SQLite's complaints as ours, in one line with the file's name."""
        try:
            yield
        except sqlite3.Error as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise KnowledgeBusy(f"{self.path} is locked by another program: {error}") from error
            raise KnowledgeError(f"{self.path}: {error}") from error

    def close(self) -> None:
        with self._guard:
            for _, connection in self._open:
                connection.close()
            self._open.clear()
            self._kept = _Kept()


def _connection(uri: str, *first: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        for statement in ("PRAGMA busy_timeout = 5000", f"PRAGMA cache_size = -{_READER_KIB}", *first):
            connection.execute(statement).fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _closing(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    finally:
        connection.close()


def _holder(note: Path) -> str:
    try:
        who = json.loads(note.read_text("utf-8"))
        return f"by {who['actor']} (process {who['pid']}, since {who['since']}): {who['why']}"
    except (OSError, ValueError, KeyError):
        return "by another process"
