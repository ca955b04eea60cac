"""Changes to the knowledge base: each enters whole or not at all, with the next number (KB-7, KB-8)."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime

from pharmakon.adapters.store.embedded import hierarchy, lexicon, passages, schema, statements, vectors, words
from pharmakon.adapters.store.embedded.admission import admit, mentioned
from pharmakon.adapters.store.embedded.forgetting import forget_document
from pharmakon.adapters.store.embedded.intake import (
    Write,
    put_document,
    put_statements,
    retire_unsupported,
)
from pharmakon.adapters.store.embedded.naming import (
    drop_unheld,
    forget_given,
    move_names,
    put_concepts,
    put_doubts,
    put_learned,
    unknown_concepts,
)
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.adapters.store.embedded.topology import hierarchy_relations
from pharmakon.model.changes import Applied, ChangeSet
from pharmakon.model.concepts import Concept, ConceptId, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.refinement import Draft, Entry
from pharmakon.model.statements import Clause, Statement, identified
from pharmakon.model.vocabulary import factors


def apply(connection: sqlite3.Connection, change: ChangeSet) -> Applied:
    admit(change)
    write, before = _begin(connection, change.actor, change.why)
    redirects = write.snapshot().redirects()
    concepts = [replace(c, id=redirects.get(c.id, c.id)) for c in change.concepts]
    learned = [
        replace(g, concept=replace(g.concept, id=redirects.get(g.concept.id, g.concept.id))) for g in change.learned
    ]
    claims = [s if s.id else identified(s) for s in change.statements]
    if redirects:
        claims = [redirected(s, redirects) for s in claims]
    forget_given(write, {d.id for d in change.documents})
    put_concepts(write, concepts, renames=change.renames)
    put_learned(write, learned)
    if unknown := unknown_concepts(write, {c for s in claims for c in mentioned(s)}):
        raise BadInput(f"unknown concept {unknown[0]}", expected="concepts of this change or stored ones")
    for document in change.documents:
        put_document(write, document, anew=change.anew)
    standing = put_statements(write, claims)
    retire_unsupported(write)
    put_doubts(write, change.doubts)
    drop_unheld(write)
    said = [
        *(repr(c) for c in concepts),
        *(repr(g) for g in learned),
        *(repr((d.id, d.version, d.hash)) for d in change.documents),
        *(_said(s) for s in standing),
    ]
    return _finish(write, before, said)


def delete_document(connection: sqlite3.Connection, id: str, actor: str, why: str) -> tuple[Applied, bool]:
    """With whether vectors went too, so that they have to go from the index file as well."""
    write, before = _begin(connection, actor, why)
    forget_document(write, id)
    applied = _finish(write, before, [f"delete {id}"])
    words.forget(connection)
    return applied, vectors.drop_unused(connection)


def decide(connection: sqlite3.Connection, doubt: int, decision: str, actor: str, why: str) -> Applied:
    """Close a doubt; `decision` is kept as it is worded. Raises `BadInput` where there is no such open doubt."""
    write, before = _begin(connection, actor, why)
    if not write.run("decide_doubt", doubt=doubt, decision=decision, no=write.no).rowcount:
        raise BadInput(f"there is no open doubt {doubt}", expected="a number from `pharmakon kb doubts`")
    return _finish(write, before, [f"decide {doubt} {decision}"])


def merge_concepts(connection: sqlite3.Connection, old: ConceptId, into: ConceptId, actor: str, why: str) -> Applied:
    """`old` becomes another way to say `into`: names and codes move, statements are said of `into` from now on.

    What `old` said of `into` itself falls away. Raises `BadInput` where one of the two is not there, or they are of
    different kinds.
    """
    write, before = _begin(connection, actor, why)
    found = lexicon.concepts(write.snapshot(), write.snapshot().redirects(), (old, into))
    for concept in (old, into):
        if concept not in found:
            raise BadInput(f"unknown concept {concept}")
    if found[old].id == found[into].id or kind_of(old) != kind_of(into):
        raise BadInput(f"{old} can't be merged into {into}", expected="two different concepts of one kind")
    old, into = found[old].id, found[into].id
    ids = [row[0] for row in connection.execute(queries("statements.sql")["mentioning"], {"concept": old})]
    stored = statements.stored_by_id(write.snapshot(), ids)
    move_names(write, old, into)
    put_concepts(write, [Concept(into, (), (), found[old].covered)], renames=False)
    nos = as_json(s.no for s in stored)
    write.run("retire_evidence_of_statements", nos=nos, no=write.no)
    write.run("retire_statements", nos=nos, no=write.no)
    write.retired += len(stored)
    write.rehung.update(s.statement.subject for s in stored if s.statement.relation in hierarchy_relations())
    moved = (redirected(s.statement, {old: into}) for s in stored)
    put_statements(write, (s for s in moved if s.subject != s.object))
    write.run("merge", old=old, into=into)
    return _finish(write, before, [f"merge {old} into {into}"])


def propose(connection: sqlite3.Connection, drafts: Iterable[Draft], actor: str, why: str) -> Applied:
    write, before = _begin(connection, actor, why)
    return _finish(write, before, list(schema.propose(write, drafts)))


def revise(connection: sqlite3.Connection, proposal: int, entry: Entry, actor: str) -> Applied:
    write, before = _begin(connection, actor, f"proposal {proposal} revised")
    return _finish(write, before, [schema.revise(write, proposal, entry)])


def accept(connection: sqlite3.Connection, proposal: int, actor: str, why: str) -> Applied:
    write, before = _begin(connection, actor, why)
    return _finish(write, before, [schema.accept(write, proposal, actor, why)])


def reject(connection: sqlite3.Connection, proposal: int, actor: str, why: str) -> Applied:
    write, before = _begin(connection, actor, why)
    return _finish(write, before, [schema.reject(write, proposal, actor, why)])


def rebuild(connection: sqlite3.Connection) -> None:
    """Closure, passages and word index from scratch. What is known does not change, and the change number neither."""
    no = connection.execute(queries("write.sql")["next_change"]).fetchone()[0] - 1
    hierarchy.rebuild(Write(connection, no))
    passages.rebuild(connection, no)


def redirected(statement: Statement, redirects: dict[ConceptId, ConceptId]) -> Statement:
    """`statement` said of what stands for merged concepts; it claims another thing then and gets the id for it."""
    if redirects.keys().isdisjoint(mentioned(statement)):
        return statement

    def clause(conditions: Clause) -> Clause:
        return tuple(
            replace(c, values=tuple(redirects.get(ConceptId(v), v) for v in c.values))
            if factors()[c.factor].shape == "concept"
            else c
            for c in conditions
        )

    return identified(
        replace(
            statement,
            subject=redirects.get(statement.subject, statement.subject),
            object=statement.object and redirects.get(statement.object, statement.object),
            excluded=frozenset(redirects.get(c, c) for c in statement.excluded),
            when=tuple(clause(c) for c in statement.when),
            modifiers=tuple(replace(m, clause=clause(m.clause)) for m in statement.modifiers),
        )
    )


def _begin(connection: sqlite3.Connection, actor: str, why: str) -> tuple[Write, str]:
    """The change's row first, for everything else points at it; with the digest of the state before."""
    no, before = connection.execute(queries("write.sql")["next_change"]).fetchone()
    write = Write(connection, no)
    write.run("change", no=no, at=datetime.now(UTC).isoformat(timespec="seconds"), actor=actor, why=why)
    return write, before or ""


def _finish(write: Write, before: str, said: Iterable[str]) -> Applied:
    hierarchy.refresh(write)
    words.follow(write.connection, write.no, write.words_gone, write.words_new)
    write.run("change_state", no=write.no, state=_digest(before, said))
    return Applied(write.no, write.stored, write.retired, tuple(write.refused))


def _said(s: Statement) -> str:
    advice: Collection[str] = [m.management for m in s.modifiers]
    places = [(e.document, e.version, e.ord, e.start, e.end, e.proposer, e.citation) for e in s.evidence]
    return repr((s.id, s.mechanism, s.effect, s.management, advice, places))


def _digest(before: str, said: Iterable[str]) -> str:
    """Neither time nor author count: two machines that were told the same in the same order agree."""
    digest = hashlib.sha256(before.encode())
    for text in said:
        digest.update(text.encode())
        digest.update(b"\0")
    return digest.hexdigest()
