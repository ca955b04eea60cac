"""Values into rows: concepts, documents and statements as one change writes them.

Everything here runs inside the writer's transaction and takes sets as one JSON parameter or many rows as `executemany`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pharmakon.adapters.store.embedded import passages, words
from pharmakon.adapters.store.embedded import statements as stored_statements
from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.adapters.store.embedded.topology import hierarchy_relations
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Citation, Document, Evidence, check_quote
from pharmakon.model.errors import BadInput, RefusedEvidence
from pharmakon.model.statements import Clause, Statement
from pharmakon.model.vocabulary import Tier


@dataclass(frozen=True, slots=True)
class _Text:
    """A stored section as the gate sees it."""

    no: int
    text: str


@dataclass(slots=True)
class Write:
    """One change under way, and what the index and the hierarchy have to catch up with at its end."""

    connection: sqlite3.Connection
    no: int
    stored: int = 0
    retired: int = 0
    refused: list[str] = field(default_factory=list)
    words_gone: list[words.Entry] = field(default_factory=list)
    words_new: list[words.Entry] = field(default_factory=list)
    lost_support: set[int] = field(default_factory=set)
    rehung: set[ConceptId] = field(default_factory=set)  #: children whose place in the hierarchy changed

    def run(self, query: str, **values: object) -> sqlite3.Cursor:
        return self.connection.execute(queries("write.sql")[query], values)

    def many(self, query: str, rows: Iterable[Sequence[object]]) -> None:
        self.connection.executemany(queries("write.sql")[query], rows)

    def snapshot(self) -> Snapshot:
        return Snapshot(self.connection, self.no)


# ── documents ──────────────────────────────────────────────────────────────────────────────────────


def put_document(write: Write, document: Document, *, anew: bool) -> None:
    """The same text again changes nothing, unless it is to be read `anew`; another one takes the place of the live."""
    live = write.run("live_document", id=document.id).fetchone()
    if live and live[1:] == (document.version, document.hash):
        if anew:
            take_back(write, live[0])
        return
    if live:
        retire_document(write, live[0])
    same = write.run("same_document", id=document.id, version=document.version, hash=document.hash).fetchone()
    if same:
        no = same[0]
        write.run("revive_document", document=no)
    else:
        no = write.run(
            "document", id=document.id, version=document.version, kind=document.kind, lang=document.lang,
            title=document.title, hash=document.hash, dated=document.dated, created_in=write.no,
        ).lastrowid  # fmt: skip
        write.many("section", ((no, s.ord, s.kind, s.heading, s.text, s.level) for s in document.sections))
    write.words_new += passages.put(write.connection, no)


def retire_document(write: Write, no: int) -> None:
    take_back(write, no)
    write.words_gone += passages.take(write.connection, no)
    write.run("retire_document", document=no, no=write.no)


def take_back(write: Write, no: int) -> None:
    """All that a document says is retired; what it says again in this change comes back."""
    write.lost_support.update(row[0] for row in write.run("supported_by_document", document=no))
    write.run("retire_evidence_of_document", document=no, no=write.no)


# ── statements ─────────────────────────────────────────────────────────────────────────────────────


def put_statements(write: Write, statements: Iterable[Statement]) -> list[Statement]:
    """Store what stands; returns it with the evidence that passed. Two sources of one claim meet in one row."""
    gate = _sections(write, statements := tuple(statements))
    standing: dict[str, Statement] = {}
    supports: list[tuple[str, _Text, Evidence]] = []
    for statement in statements:
        passed = _through(write, gate, statement)
        if passed:
            first = standing.get(statement.id)
            evidence = (*(first.evidence if first else ()), *(e for _, e in passed))
            said = _worded(first, statement) if first else statement
            standing[statement.id] = said if evidence == said.evidence else replace(said, evidence=evidence)
            supports += ((statement.id, text, e) for text, e in passed)
    known = {s.statement.id: s for s in stored_statements.stored_by_id(write.snapshot(), standing)}
    new = [s for id, s in standing.items() if id not in known]
    numbers = {id: s.no for id, s in known.items()}
    next_no = write.run("next_statement").fetchone()[0]
    numbers.update({s.id: next_no + place for place, s in enumerate(new)})
    write.many("statement", (_statement_row(numbers[s.id], s, write.no) for s in new))
    write.many("condition", (row for s in new for row in condition_rows(numbers[s.id], s)))
    write.many("exclusion", ((numbers[s.id], c) for s in new for c in s.excluded))
    for id, earlier in known.items():
        _reword(write, earlier, standing[id])
    cited = _citations(write, {e.citation for _, _, e in supports if e.citation})
    write.many(
        "evidence",
        (
            (
                numbers[id],
                text.no,
                e.start,
                e.end,
                e.quote,
                e.proposer,
                cited[e.citation] if e.citation else None,
                write.no,
            )
            for id, text, e in supports
        ),
    )
    back = [s for s in known.values() if not s.live]
    write.run("revive_statements", nos=as_json(s.no for s in back))
    appeared = [*new, *(s.statement for s in back)]
    write.stored += len(appeared)
    write.rehung.update(s.subject for s in appeared if s.relation in hierarchy_relations() and not s.negative)
    return list(standing.values())


def retire_unsupported(write: Write) -> None:
    """Statements that lost evidence in this change and have none left."""
    gone = write.run("unsupported", nos=as_json(write.lost_support)).fetchall()
    write.run("retire_statements", nos=as_json(row[0] for row in gone), no=write.no)
    write.retired += len(gone)
    write.rehung.update(subject for _, subject, relation in gone if relation in hierarchy_relations())


def _sections(write: Write, statements: Sequence[Statement]) -> dict[tuple[str, str, int], _Text]:
    asked = sorted({(e.document, e.version) for s in statements for e in s.evidence})
    rows = write.run("quotable", documents=as_json(asked))
    return {(document, version, ord): _Text(no, text) for document, version, no, ord, text in rows}


def _through(
    write: Write, gate: Mapping[tuple[str, str, int], _Text], statement: Statement
) -> list[tuple[_Text, Evidence]]:
    """The evidence that stands; what does not is refused by name (KB-3)."""
    passed: list[tuple[_Text, Evidence]] = []
    for evidence in statement.evidence:
        section = gate.get((evidence.document, evidence.version, evidence.ord))
        try:
            check_quote(section, evidence)
        except RefusedEvidence as refusal:
            write.refused.append(str(refusal))
        else:
            assert section is not None  # check_quote refuses what has no section
            passed.append((section, evidence))
    if not statement.evidence:
        write.refused.append(f"{statement.id} {statement.subject} {statement.relation}: no evidence was given")
    return passed


def _statement_row(no: int, s: Statement, change_no: int) -> tuple[object, ...]:
    limit = (s.limit.value, s.limit.unit, s.limit.per) if s.limit else (None, None, None)
    return (
        no, s.id, s.subject, s.relation, s.object, s.negative, s.risk, int(s.tier), *limit, s.strength,
        s.first_true, s.mechanism, s.effect, s.management, change_no,
    )  # fmt: skip


def condition_rows(no: int, statement: Statement) -> Iterable[tuple[object, ...]]:
    """The guard's clauses, then the modifiers'; see `condition` in the first migration."""
    place = 0
    for clause in statement.when:
        yield from _clause_rows(no, place, clause, None, "")
        place += 1
    for modifier in statement.modifiers:
        yield from _clause_rows(no, place, modifier.clause, modifier.tier, modifier.management)
        place += 1


def _clause_rows(no: int, place: int, clause: Clause, tier: Tier | None, advice: str) -> Iterable[tuple[Any, ...]]:
    then = None if tier is None else int(tier)
    if not clause:
        yield no, place, 0, "", "", 0.0, "[]", "", False, "", then, advice
    for position, c in enumerate(clause):
        vals = json.dumps(c.values, ensure_ascii=False) if c.values else "[]"
        yield no, place, position, c.factor, c.op, c.number, vals, c.of, c.negated, c.text, then, advice


def _reword(write: Write, earlier: stored_statements.Stored, now: Statement) -> None:
    """The stored row of a claim that is made again takes the latest wording; of a retired one nothing is kept."""
    before, said = earlier.statement, _worded(earlier.statement, now)
    if not earlier.live:
        said = now
    if (said.mechanism, said.effect, said.management) != (before.mechanism, before.effect, before.management):
        write.run("wording", no=earlier.no, mechanism=said.mechanism, effect=said.effect, management=said.management)
    if said.modifiers != before.modifiers:
        write.run("drop_conditions", no=earlier.no)
        write.many("condition", condition_rows(earlier.no, said))


def _worded(before: Statement, now: Statement) -> Statement:
    """The same claim in its latest words; a source that says less takes nothing away, a machine's changes nothing.

    Raises `BadInput` where one id is given to two claims: nobody could tell them apart.
    """
    if _claim(before) != _claim(now):
        raise BadInput(
            f"{now.id} says something else already",
            where=f"{now.subject} {now.relation}",
            expected="ids made by model.statements.identified",
        )
    if not any(e.by_hand for e in now.evidence):
        return replace(before, evidence=now.evidence)
    return replace(
        now,
        mechanism=now.mechanism or before.mechanism,
        effect=now.effect or before.effect,
        management=now.management or before.management,
    )


def _claim(statement: Statement) -> Statement:
    modifiers = tuple(replace(m, management="") for m in statement.modifiers)
    return replace(statement, evidence=(), mechanism="", effect="", management="", modifiers=modifiers)


def _citations(write: Write, citations: set[Citation]) -> dict[Citation, int]:
    rows = {c: (c.title, c.reference, c.section, c.locator, c.url, c.read) for c in citations}
    write.many("citation", (rows[c] for c in sorted(citations, key=lambda c: rows[c])))
    find = queries("write.sql")["citation_no"]
    return {c: write.connection.execute(find, row).fetchone()[0] for c, row in rows.items()}
