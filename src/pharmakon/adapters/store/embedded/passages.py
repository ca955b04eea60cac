"""Live sections cut into passages: the rows that the word index and the vectors are about.

They follow from the sections in the same transaction, as the closure follows from the hierarchy.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pharmakon.adapters.store.embedded import words
from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.model.passages import Found, Passage, cut, embedded_text, text_hash

_SQL = "passages.sql"


def put(connection: sqlite3.Connection, document: int) -> list[words.Entry]:
    """Cut the sections of a document that is live from now on; returns what the word index is to take in."""
    _cut(connection, connection.execute(queries(_SQL)["sections_of"], {"document": document}))
    return _of_document(connection, document)


def take(connection: sqlite3.Connection, document: int) -> list[words.Entry]:
    """Drop the passages of a document that is live no more; returns what the word index is to take out."""
    gone = _of_document(connection, document)
    connection.execute(queries(_SQL)["drop_of"], {"document": document})
    return gone


def rebuild(connection: sqlite3.Connection, change_no: int) -> None:
    """All passages and the word index from the live sections."""
    connection.execute(queries(_SQL)["drop_all"])
    _cut(connection, connection.execute(queries(_SQL)["live_sections"]).fetchall())
    if words.available():
        words.rebuild(connection, change_no)


def missing(snapshot: Snapshot) -> bool:
    """Whether the sections were stored by a release that knew no passages."""
    return not count(snapshot) and bool(snapshot.rows(queries(_SQL)["any_live"]))


def _of_document(connection: sqlite3.Connection, document: int) -> list[words.Entry]:
    return connection.execute(queries(_SQL)["of_document"], {"document": document}).fetchall()


def _cut(connection: sqlite3.Connection, sections: Iterable[tuple[int, str, str, str]]) -> None:
    connection.executemany(queries(_SQL)["put"], list(_rows(sections)))


def _rows(sections: Iterable[tuple[int, str, str, str]]) -> Iterator[tuple[int, int, int, bytes]]:
    for no, title, heading, text in sections:
        for start, end in cut(text):
            yield no, start, end, text_hash(embedded_text(title, heading, text[start:end]))


# ── reading ────────────────────────────────────────────────────────────────────────────────────────


def found(snapshot: Snapshot, hits: Iterable[tuple[int, float]]) -> Sequence[Found]:
    """The passages with these numbers and scores, the best first."""
    rows = snapshot.rows(queries(_SQL)["found"], hits=as_json(hits))
    return [Found(Passage(*row[:-1]), row[-1]) for row in rows]


def search(snapshot: Snapshot, question: str, limit: int, terms: Mapping[str, int]) -> Sequence[Found]:
    """`terms`: how many passages hold each term of the word index."""
    return found(snapshot, words.matching(snapshot, question, limit, terms))


def of_documents(snapshot: Snapshot, documents: Collection[str]) -> Sequence[Passage]:
    return [Passage(*row) for row in snapshot.rows(queries(_SQL)["of_documents"], documents=as_json(documents))]


def count(snapshot: Snapshot) -> int:
    return int(snapshot.rows(queries(_SQL)["count"])[0][0])
