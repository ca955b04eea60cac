"""The word index over live sections. It is a projection inside the file: `seen` says which change it is up to.

A Python whose SQLite lacks FTS5 reads and writes the same file and leaves the index behind; the next that has it
catches up, and until then `search` counts words.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache

from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import queries
from pharmakon.model.concepts import fold
from pharmakon.ports.knowledge import Passage

_SQL = "text.sql"
_WRITE = "words.sql"
_HAN = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
_MOST_WORDS = 64


@cache
def available() -> bool:
    """Whether this Python's SQLite has FTS5."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5 (text)")
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True


def seen(connection: sqlite3.Connection) -> int | None:
    """The change that the index is up to; None where there is none."""
    row = connection.execute(queries(_SQL)["words_seen"]).fetchone()
    return None if row is None else int(row[0])


def follow(
    connection: sqlite3.Connection, change_no: int, gone: Iterable[tuple[int, str]], new: Iterable[tuple[int, str]]
) -> None:
    """Take (section number, heading and text) out of and into the index, which is then up to `change_no`."""
    if not available():
        return
    if seen(connection) != change_no - 1:
        rebuild(connection, change_no)
        return
    sql = queries(_WRITE)
    connection.executemany(sql["take_out"], ((no, spaced(text)) for no, text in gone))
    connection.executemany(sql["put_in"], ((no, spaced(text)) for no, text in new))
    connection.execute(sql["saw"], {"change_no": change_no})


def forget(connection: sqlite3.Connection) -> None:
    """What was taken out leaves no word behind: FTS5 keeps the words of deleted texts until it merges its lists."""
    if available() and seen(connection) is not None:
        connection.execute(queries(_WRITE)["merge_all"])


def rebuild(connection: sqlite3.Connection, change_no: int) -> None:
    sql = queries(_WRITE)
    connection.execute(sql["drop"])
    connection.execute(sql["create"])
    live = connection.execute(sql["live"])
    connection.executemany(sql["put_in"], ((no, spaced(text)) for no, text in live))
    connection.execute(sql["saw"], {"change_no": change_no})


def search(snapshot: Snapshot, words: str, limit: int) -> Sequence[Passage]:
    # a blank in a question parts words, in Chinese too, where folding drops it
    tokens = list(dict.fromkeys(t for word in words.split() for t in fold(word).split()))[:_MOST_WORDS]
    if not tokens or limit < 1:
        return []
    if not current(snapshot):
        return _counted(snapshot, tokens, limit)
    match = " OR ".join(f'"{spaced(token).strip()}"' for token in tokens)
    return [Passage(*row) for row in snapshot.rows(queries(_SQL)["search"], match=match, limit=limit)]


def current(snapshot: Snapshot) -> bool:
    """Whether there is an index here that holds just what is live."""
    return available() and seen(snapshot.connection) == snapshot.change_no


def ability(snapshot: Snapshot) -> str:
    """How `search` answers, in a line."""
    if not available():
        return "plain word count: this Python's SQLite has no FTS5"
    if snapshot.change_no and not current(snapshot):
        return "plain word count: the word index was left behind by a Python without FTS5; the next write catches up"
    return "FTS5, BM25"


def spaced(text: str) -> str:
    """Chinese characters set apart, each a word: a run of them is then found as a phrase wherever it stands."""
    return _HAN.sub(r" \1 ", text)


def _counted(snapshot: Snapshot, tokens: Sequence[str], limit: int) -> Sequence[Passage]:
    """Passages by how often the words stand in them, a whole word for Latin, anywhere for Chinese."""
    patterns = [re.escape(t) if _HAN.search(t) else rf"\b{re.escape(t)}\b" for t in tokens]
    wanted = re.compile("|".join(patterns))
    found: list[Passage] = []
    for document, version, ord, kind, heading, text in snapshot.connection.execute(queries(_SQL)["live_sections"]):
        if count := len(wanted.findall(fold(f"{heading} {text}"))):
            found.append(Passage(document, version, ord, kind, text, float(count)))
    return sorted(found, key=lambda p: (-p.score, p.document, p.ord))[:limit]
