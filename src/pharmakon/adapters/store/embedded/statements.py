"""Statements put together from their rows: four queries however many are asked for, none for what the cache holds."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from pharmakon.adapters.store.embedded.cache import Cache
from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Citation, Evidence
from pharmakon.model.statements import Clause, Condition, Limit, Modifier, Statement
from pharmakon.model.vocabulary import Tier

_SQL = "statements.sql"
_id = attrgetter("id")


@dataclass(slots=True)
class Stored:
    """A statement and its row number; `live` is false where it is retired."""

    no: int
    statement: Statement
    live: bool


def about(
    snapshot: Snapshot, cache: Cache, subjects: Collection[ConceptId], relations: frozenset[str]
) -> Sequence[Statement]:
    kept = cache.bundles.setdefault(relations, {})
    bundles = [(subject, kept.get(subject)) for subject in subjects]
    found = [statement for _, bundle in bundles if bundle for statement in bundle]
    if missing := [subject for subject, bundle in bundles if bundle is None]:
        rows = snapshot.rows(queries(_SQL)["about"], subjects=as_json(missing), relations=as_json(relations))
        loaded: dict[ConceptId, list[Statement]] = {subject: [] for subject in missing}
        for stored in assemble(snapshot, rows):
            loaded[stored.statement.subject].append(stored.statement)
            found.append(stored.statement)
        cache.make_room(len(rows) + len(loaded))
        kept.update((subject, tuple(statements)) for subject, statements in loaded.items())
    found.sort(key=_id)
    return found


def by_id(snapshot: Snapshot, cache: Cache, ids: Collection[str]) -> Sequence[Statement]:
    wanted, kept = sorted(set(ids)), cache.statements
    missing = [id for id in wanted if id not in kept]
    found = {id: kept[id] for id in wanted if id in kept}
    if missing:
        found.update(dict.fromkeys(missing))
        found.update((s.statement.id, s.statement) for s in stored_by_id(snapshot, missing) if s.live)
        cache.make_room(len(missing))
        cache.statements.update((id, found[id]) for id in missing)
    return [statement for id in wanted if (statement := found[id])]


def stored_by_id(snapshot: Snapshot, ids: Collection[str]) -> Sequence[Stored]:
    """Live and retired ones, in id order; evidence is the live evidence."""
    rows = snapshot.rows(queries(_SQL)["by_id"], ids=as_json(set(ids)))
    return sorted(assemble(snapshot, rows), key=lambda s: s.statement.id)


def assemble(snapshot: Snapshot, rows: Sequence[Any]) -> list[Stored]:
    """Rows of `about` or `by_id` as values."""
    if not rows:
        return []
    nos = as_json(row[0] for row in rows)
    clauses = _clauses(snapshot.rows(queries(_SQL)["conditions"], nos=nos))
    excluded: dict[int, set[ConceptId]] = {}
    for no, concept in snapshot.rows(queries(_SQL)["exclusions"], nos=nos):
        excluded.setdefault(no, set()).add(concept)
    evidence = _evidence(snapshot.rows(queries(_SQL)["evidence"], nos=nos))
    return [_stored(row, *clauses.get(row[0], ((), ())), excluded, evidence) for row in rows]


def _stored(
    row: Any,
    when: tuple[Clause, ...],
    modifiers: tuple[Modifier, ...],
    excluded: dict[int, set[ConceptId]],
    evidence: dict[int, list[Evidence]],
) -> Stored:
    (no, id, subject, relation, object, negative, risk, tier, value, unit, per, strength, first_true,
     mechanism, effect, management, retired_in) = row  # fmt: skip
    statement = Statement(
        id=id,
        subject=subject,
        relation=relation,
        object=object,
        negative=bool(negative),
        risk=risk,
        tier=Tier(tier),
        limit=None if value is None else Limit(value, unit, per),
        strength=strength,
        when=when,
        modifiers=modifiers,
        first_true=bool(first_true),
        excluded=frozenset(excluded.get(no, ())),
        mechanism=mechanism,
        effect=effect,
        management=management,
        evidence=tuple(evidence.get(no, ())),
    )
    return Stored(no, statement, retired_in is None)


def _clauses(rows: Iterable[Any]) -> dict[int, tuple[tuple[Clause, ...], tuple[Modifier, ...]]]:
    """Statement → its guard and its modifiers; rows come in the order of statement, clause and position."""
    grouped: dict[tuple[int, int], tuple[list[Condition], int | None, str]] = {}
    for no, clause, _, factor, op, number, vals, of, negated, text, then_tier, management in rows:
        conditions = grouped.setdefault((no, clause), ([], then_tier, management))[0]
        if factor:
            values = () if vals == "[]" else tuple(json.loads(vals))
            conditions.append(Condition(factor, op, number, values, of, bool(negated), text))
    found: dict[int, tuple[tuple[Clause, ...], tuple[Modifier, ...]]] = {}
    for (no, _), (conditions, then_tier, management) in grouped.items():
        when, modifiers = found.get(no, ((), ()))
        if then_tier is None:
            found[no] = (*when, tuple(conditions)), modifiers
        else:
            found[no] = when, (*modifiers, Modifier(tuple(conditions), Tier(then_tier), management))
    return found


def _evidence(rows: Iterable[Any]) -> dict[int, list[Evidence]]:
    citations: dict[int, Citation] = {}
    found: dict[int, list[Evidence]] = {}
    for no, document, version, kind, section, ord, start, stop, quote, proposer, name, dated, citation, *cited in rows:
        if citation is not None and citation not in citations:
            title, reference, part, locator, url, read = cited
            citations[citation] = Citation(title, reference, part, locator, url, bool(read))
        source = None if citation is None else citations[citation]
        evidence = Evidence(document, version, kind, section, ord, start, stop, quote, proposer, source, name, dated)
        found.setdefault(no, []).append(evidence)
    return found
