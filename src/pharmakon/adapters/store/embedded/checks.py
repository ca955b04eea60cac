"""Is everything as it should be? Each function yields one line per inconsistency (KB-1, KB-3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pharmakon.adapters.store.embedded import hierarchy, words
from pharmakon.adapters.store.embedded.closure import close
from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.adapters.store.embedded.topology import hierarchy_relations
from pharmakon.model.documents import Evidence, check_quote
from pharmakon.model.errors import BadInput, RefusedEvidence

_SQL = "check.sql"


@dataclass(frozen=True, slots=True)
class _Text:
    text: str


def everything(snapshot: Snapshot) -> Iterator[str]:
    yield from file(snapshot)
    yield from references(snapshot)
    yield from spans(snapshot)
    yield from support(snapshot)
    yield from closure(snapshot)
    yield from passages(snapshot)
    yield from proposals(snapshot)


def file(snapshot: Snapshot) -> Iterator[str]:
    yield from (f"file: {line}" for (line,) in snapshot.rows("PRAGMA quick_check") if line != "ok")


def references(snapshot: Snapshot) -> Iterator[str]:
    for table, row, parent, _ in snapshot.rows("PRAGMA foreign_key_check"):
        yield f"{table} row {row} points at a {parent} that is not there"


def spans(snapshot: Snapshot) -> Iterator[str]:
    """Every live quotation stands, character for character, in its section."""
    sections: dict[int, _Text] = {}
    for no, evidence, section, text in _quotations(snapshot):
        if section not in sections:
            sections = {section: _Text(text)}
        try:
            check_quote(sections[section], evidence)
        except RefusedEvidence as refusal:
            yield f"evidence {no}: {refusal}"


def _quotations(snapshot: Snapshot) -> Iterator[tuple[int, Evidence, int, str]]:
    for (
        no,
        section,
        document,
        version,
        kind,
        part,
        ord,
        start,
        stop,
        quote,
        proposer,
        text,
    ) in snapshot.connection.execute(queries(_SQL)["quotations"]):
        yield no, Evidence(document, version, kind, part, ord, start, stop, quote, proposer), section, text


def support(snapshot: Snapshot) -> Iterator[str]:
    """Live statements have live evidence, from live documents, and speak of live concepts."""
    for query, complaint in (
        ("unsupported", "is live without evidence"),
        ("stale", "quotes a retired document"),
        ("of_merged", "speaks of a merged concept"),
        ("of_nameless", "speaks of a concept without a name"),
    ):
        yield from (f"statement {id} {complaint}" for (id,) in snapshot.rows(queries(_SQL)[query]))


def closure(snapshot: Snapshot) -> Iterator[str]:
    """The closure table equals the closure worked out anew."""
    edges = snapshot.rows(queries("write.sql")["all_edges"], relations=as_json(hierarchy_relations()))
    try:
        expected = set(hierarchy.rows(close(edges, {})))
    except BadInput as error:
        yield str(error)
        return
    stored = set(snapshot.rows(queries(_SQL)["closure"]))
    for descendant, ancestor, *_ in sorted(expected ^ stored):
        yield f"closure: {descendant} below {ancestor} is not as the hierarchy has it"


def passages(snapshot: Snapshot) -> Iterator[str]:
    """Live sections are cut into passages, no others are; the word index holds all of them, where it is up to date."""
    yield from (line for (line,) in snapshot.rows(queries("passages.sql")["misplaced"]))
    if not words.current(snapshot):
        return
    indexed = {row[0] for row in snapshot.rows(queries("words.sql")["indexed"])}
    live = {row[0] for row in snapshot.rows(queries(_SQL)["passages"])}
    yield from (f"words: passage {no} is indexed and not there" for no in sorted(indexed - live))
    yield from (f"words: passage {no} is not indexed" for no in sorted(live - indexed))


def proposals(snapshot: Snapshot) -> Iterator[str]:
    """What a proposal for the schema quotes of a stored document stands there."""
    for no, document, start, stop in snapshot.rows(queries("schema.sql")["misquoted"]):
        yield f"proposal {no}: its quotation does not stand in {document} at {start}-{stop}"
