"""The word index over passages. It is a projection inside the file: `seen` says which change it is up to.

A Python whose SQLite lacks FTS5 reads and writes the same file and leaves the index behind; the next that has it
catches up, and until then `search` counts words.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate

from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import queries
from pharmakon.model.concepts import fold

_SQL = "text.sql"
_WRITE = "words.sql"
_PASSAGES = "passages.sql"
_HAN = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
_MOST_WORDS = 64
#: Passages that are scored, at 3 µs each, and entries of the index that are read, at a third of a microsecond.
_SCORED, _READ = 3_000, 20_000
Entry = tuple[int, str, str, str]
"""Passage number, title of the document, heading of the section, text."""


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


def follow(connection: sqlite3.Connection, change_no: int, gone: Iterable[Entry], new: Iterable[Entry]) -> None:
    """Take passages out of and into the index, which is then up to `change_no`."""
    if not available():
        return
    if seen(connection) != change_no - 1:
        rebuild(connection, change_no)
        return
    sql = queries(_WRITE)
    connection.executemany(sql["take_out"], map(_spaced, gone))
    connection.executemany(sql["put_in"], map(_spaced, new))
    connection.execute(sql["saw"], {"change_no": change_no})


def forget(connection: sqlite3.Connection) -> None:
    """What was taken out leaves no word behind: FTS5 keeps the words of deleted texts until it merges its lists."""
    if available() and seen(connection) is not None:
        connection.execute(queries(_WRITE)["merge_all"])


def rebuild(connection: sqlite3.Connection, change_no: int) -> None:
    sql = queries(_WRITE)
    for query in ("drop_terms", "drop", "create", "create_terms"):
        connection.execute(sql[query])
    connection.executemany(sql["put_in"], map(_spaced, connection.execute(queries(_PASSAGES)["everything"])))
    connection.execute(sql["saw"], {"change_no": change_no})


def matching(snapshot: Snapshot, question: str, limit: int, held: Mapping[str, int]) -> list[tuple[int, float]]:
    """(passage number, score) by BM25, or by plain count where there is no index; the best first.

    What costs is working out the score of every passage that holds a word. So only those are scored that hold one of
    the rarer words of the question, as MaxScore does (Turtle and Flood 1995, doi:10.1016/0306-4573(95)00020-H), and
    words that half the texts hold are not read at all. `held`: term → passages that hold it, as `terms` gives it.
    """
    # a blank in a question parts words, in Chinese too, where folding drops it
    tokens = list(dict.fromkeys(t for word in question.split() for t in fold(word).split()))[:_MOST_WORDS]
    if not tokens or limit < 1:
        return []
    if not current(snapshot):
        return _counted(snapshot, tokens, limit)
    kept = {token: found for token, found in stems([spaced(token) for token in tokens]).items() if found}
    counts = {token.strip(): min(held.get(term, 0) for term in found) for token, found in kept.items()}
    ordered = sorted((token for token in counts if counts[token]), key=lambda token: counts[token])
    if not ordered:
        return []
    scored, read = (_any(_within(ordered, counts, most)) for most in (_SCORED, _READ))
    return snapshot.rows(queries(_PASSAGES)["matching"], scored=scored, match=read, limit=limit)


def _within(ordered: Sequence[str], counts: Mapping[str, int], most: int) -> list[str]:
    """The rarest words that `most` passages hold between them; at least one."""
    sums = accumulate(counts[word] for word in ordered)
    return [word for word, total in zip(ordered, sums, strict=True) if word == ordered[0] or total <= most]


def _any(tokens: Iterable[str]) -> str:
    return " OR ".join(f'"{token}"' for token in tokens)


def stems(asked: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Word → the terms that the index keeps for it: one, several where it holds a hyphen, none for punctuation."""
    probe = _probe()
    with _PROBING:
        probe.execute("DELETE FROM probe")
        order = list(dict.fromkeys(asked))
        probe.executemany("INSERT INTO probe (rowid, text) VALUES (?, ?)", enumerate(map(spaced, order)))
        found: dict[str, list[str]] = {word: [] for word in order}
        for term, no in probe.execute("SELECT term, doc FROM probe_terms ORDER BY doc, offset"):
            found[order[no]].append(term)
    return {word: tuple(terms) for word, terms in found.items()}


def terms(snapshot: Snapshot) -> Mapping[str, int]:
    """Term → how many passages hold it; empty where there is no index."""
    if not current(snapshot):
        return {}
    return dict(snapshot.rows(queries(_WRITE)["terms"]))


def counted(snapshot: Snapshot, asked: Collection[str]) -> Mapping[str, int]:
    """Word → how many passages hold it as it is written, without an index."""
    found = dict.fromkeys(asked, 0)
    wanted = {word: _pattern(fold(word)) for word in asked if fold(word)}
    for _, text in snapshot.connection.execute(queries(_PASSAGES)["live_texts"]):
        folded = fold(text)
        for word, pattern in wanted.items():
            found[word] += pattern.search(folded) is not None
    return found


_PROBING = threading.Lock()


@cache
def _probe() -> sqlite3.Connection:
    """A database of its own in memory, where words are put through the tokenizer of the index."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    for query in ("probe", "probe_terms"):
        connection.execute(queries(_WRITE)[query])
    return connection


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


def _spaced(entry: Entry) -> Entry:
    no, title, heading, text = entry
    return no, spaced(title), spaced(heading), spaced(text)


def _counted(snapshot: Snapshot, tokens: Sequence[str], limit: int) -> list[tuple[int, float]]:
    """Passages by how often the words stand in them, a whole word for Latin, anywhere for Chinese."""
    wanted = re.compile("|".join(_pattern(t).pattern for t in tokens))
    found: list[tuple[int, float]] = []
    for no, text in snapshot.connection.execute(queries(_PASSAGES)["live_texts"]):
        if count := len(wanted.findall(fold(text))):
            found.append((no, float(count)))
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:limit]


def _pattern(folded: str) -> re.Pattern[str]:
    return re.compile(re.escape(folded) if _HAN.search(folded) else rf"\b{re.escape(folded)}\b")
