"""The schema beyond the seed: proposals and what was decided of them, as rows (PG-3).

Every decision is one change. What a folder has accepted is offered to the process when the folder is opened, and again
whenever it turns out that another process has written (`offer`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from pharmakon.adapters.store.embedded import topology
from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.intake import Write
from pharmakon.adapters.store.embedded.sql import queries
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.model.refinement import (
    Accepted,
    Draft,
    Entry,
    Proposal,
    Quotation,
    body_of,
    entry_of,
    kind_of_entry,
    new_entry,
)
from pharmakon.model.vocabulary import grow

_SQL = "schema.sql"
#: What this folder keeps worked out from the vocabulary.
_DERIVED = (
    topology.graph_relations,
    topology.symmetric_relations,
    topology.hierarchy_relations,
)


def offer(connection: sqlite3.Connection) -> None:
    """What this folder has accepted becomes part of the process's vocabulary."""
    rows = connection.execute(queries(_SQL)["entries"])
    if grow([entry_of(kind, key, json.loads(body)) for _, kind, key, body, *_ in rows]):
        for derived in _DERIVED:
            derived.cache_clear()


# ── reading ────────────────────────────────────────────────────────────────────────────────────────


def accepted(snapshot: Snapshot) -> Sequence[Accepted]:
    return [
        Accepted(version, entry_of(kind, key, json.loads(body)), proposal, by, change_no, at)
        for version, kind, key, body, proposal, by, change_no, at in snapshot.rows(queries(_SQL)["entries"])
    ]


def proposals(snapshot: Snapshot) -> Sequence[Proposal]:
    quoted: dict[int, list[Quotation]] = {}
    for proposal, *place in snapshot.rows(queries(_SQL)["quotations"]):
        quoted.setdefault(proposal, []).append(Quotation(*place))
    return [
        Proposal(
            no,
            Draft(entry_of(kind, key, json.loads(body)), pattern, why, documents, tuple(quoted.get(no, ())), proposer),
            status,
            decided_in,
            by,
            reason,
        )
        for no, kind, key, body, pattern, why, documents, proposer, status, decided_in, by, reason in snapshot.rows(
            queries(_SQL)["proposals"]
        )
    ]


def subjects(snapshot: Snapshot, kind: str) -> Mapping[str, Sequence[ConceptId]]:
    """Live document of this kind → whom its statements are about, the most frequent first."""
    found: dict[str, list[ConceptId]] = {}
    for document, subject, _ in snapshot.rows(queries(_SQL)["subjects"], kind=kind):
        found.setdefault(document, []).append(subject)
    return found


def quoted(snapshot: Snapshot, document: str) -> Sequence[tuple[int, int, int]]:
    return [(ord, start, stop) for ord, start, stop in snapshot.rows(queries(_SQL)["quoted"], id=document)]


# ── writing ────────────────────────────────────────────────────────────────────────────────────────


def propose(write: Write, drafts: Iterable[Draft]) -> Iterable[str]:
    """A gap that waits already takes the new count and quotations; one that was decided is left alone."""
    for draft in drafts:
        known = _run(write, "same_gap", kind=draft.kind, pattern=draft.pattern).fetchone()
        if known is None:
            no = _run(
                write, "propose", kind=draft.kind, pattern=draft.pattern, key=draft.entry.name, body=_json(draft.entry),
                why=draft.why, proposer=draft.proposer, documents=draft.documents, no=write.no,
            ).lastrowid  # fmt: skip
        elif known[1] in ("open", "revised"):
            no = known[0]
            _run(write, "propose_again", proposal=no, documents=draft.documents)
            _run(write, "drop_quotations", proposal=no)
        else:
            continue
        rows = ((no, q.document, q.version, q.ord, q.start, q.end, q.quote) for q in draft.quotations)
        write.connection.executemany(queries(_SQL)["quotation"], rows)
        yield f"propose {draft.kind} {draft.pattern} {draft.documents}"


def revise(write: Write, no: int, entry: Entry) -> str:
    _waiting(write, no)
    checked = new_entry(_checked(entry))
    _run(write, "revise", proposal=no, kind=kind_of_entry(checked), key=checked.name, body=_json(checked))
    return f"revise {no} {checked.name} {_json(checked)}"


def accept(write: Write, no: int, actor: str, why: str) -> str:
    entry = new_entry(_waiting(write, no))
    kind, body = kind_of_entry(entry), _json(entry)
    _run(write, "entry", kind=kind, key=entry.name, body=body, proposal=no, actor=actor, no=write.no)
    _run(write, "close", proposal=no, status="accepted", actor=actor, why=why, no=write.no)
    return f"accept {no} {kind} {entry.name} {body}"


def reject(write: Write, no: int, actor: str, why: str) -> str:
    _waiting(write, no)
    _run(write, "close", proposal=no, status="rejected", actor=actor, why=why, no=write.no)
    return f"reject {no}"


def forget(write: Write, document: str) -> None:
    """The quotations of a document that is deleted."""
    _run(write, "forget_quotations", id=document)


def _waiting(write: Write, no: int) -> Entry:
    row = _run(write, "waiting", proposal=no).fetchone()
    if row is None:
        raise BadInput(f"no proposal {no} waits for a decision", expected="a number from `pharmakon schema review`")
    return entry_of(row[0], row[1], json.loads(row[2]))


def _checked(entry: Entry) -> Entry:
    return entry_of(kind_of_entry(entry), entry.name, body_of(entry))


def _json(entry: Entry) -> str:
    return json.dumps(body_of(entry), ensure_ascii=False, sort_keys=True)


def _run(write: Write, query: str, **values: object) -> sqlite3.Cursor:
    return write.connection.execute(queries(_SQL)[query], values)
