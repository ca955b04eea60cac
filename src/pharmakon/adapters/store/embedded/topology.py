"""Hierarchy and links over the closure table: always as current as the statements themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache as once

from pharmakon.adapters.store.embedded.cache import Cache, Chains
from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import relations as vocabulary
from pharmakon.ports.knowledge import Step

_SQL = "topology.sql"


@once
def graph_relations() -> frozenset[str]:
    return frozenset(name for name, relation in vocabulary().items() if relation.in_graph)


@once
def symmetric_relations() -> frozenset[str]:
    return frozenset(name for name, relation in vocabulary().items() if relation.symmetric)


@once
def hierarchy_relations() -> frozenset[str]:
    return frozenset(name for name, relation in vocabulary().items() if relation.transitive)


def ancestors(snapshot: Snapshot, cache: Cache, concepts: Collection[ConceptId]) -> dict[ConceptId, Chains]:
    """Merged concepts answer with the chains of what stands for them."""
    targets = {concept: cache.target(concept) for concept in concepts}
    kept = cache.chains
    found = {target: kept[target] for target in targets.values() if target in kept}
    missing = set(targets.values()) - found.keys()
    if missing:
        up: dict[ConceptId, dict[ConceptId, tuple[ConceptId, str]]] = {}
        rows = snapshot.rows(queries(_SQL)["ancestors"], concepts=as_json(missing))
        for descendant, ancestor, _, parent, statement in rows:
            up.setdefault(descendant, {})[ancestor] = (parent, statement)
        for concept in missing:
            found[concept] = _chains(concept, up)
            cache.make_room(len(found[concept]))
            cache.chains[concept] = found[concept]
    return {concept: found[target] for concept, target in targets.items()}


def _chains(concept: ConceptId, up: Mapping[ConceptId, Mapping[ConceptId, tuple[ConceptId, str]]]) -> Chains:
    """Every ancestor's first step leads to a parent whose own first step to that ancestor is known, and so on."""
    found: dict[ConceptId, Sequence[Step]] = {concept: ()}
    for ancestor in sorted(up.get(concept, ())):
        steps, child = [], concept
        while child != ancestor:
            parent, statement = up[child][ancestor]
            steps.append(Step(child, parent, statement))
            child = parent
        found[ancestor] = tuple(steps)
    return found


def descendants(snapshot: Snapshot, concept: ConceptId) -> frozenset[ConceptId]:
    return frozenset(row[0] for row in snapshot.rows(queries(_SQL)["descendants"], concept=concept)) | {concept}


def links(
    snapshot: Snapshot,
    cache: Cache,
    subjects: Collection[ConceptId],
    objects: Collection[ConceptId],
    relations: Collection[str],
) -> Sequence[str]:
    asked = graph_relations().intersection(relations)
    found = _linked(snapshot, cache, subjects, objects, asked)
    both_ways = asked & symmetric_relations()
    if both_ways and subjects != objects:
        found |= _linked(snapshot, cache, objects, subjects, both_ways)
    return sorted(found)


def _linked(
    snapshot: Snapshot,
    cache: Cache,
    subjects: Collection[ConceptId],
    objects: Collection[ConceptId],
    relations: frozenset[str],
) -> set[str]:
    """By all links of the subjects, which are kept: one look-up for each pair would be thousands."""
    kept = cache.links.setdefault(relations, {})
    linked = [(subject, kept.get(subject)) for subject in subjects]
    every = [links for _, links in linked if links]
    if missing := [subject for subject, links in linked if links is None]:
        rows = snapshot.rows(queries(_SQL)["links"], subjects=as_json(missing), relations=as_json(relations))
        loaded: dict[ConceptId, dict[ConceptId, list[str]]] = {subject: {} for subject in missing}
        for subject, object, id in rows:
            loaded[subject].setdefault(object, []).append(id)
        cache.make_room(len(rows) + len(loaded))
        kept.update(loaded)
        every += loaded.values()
    wanted = frozenset(objects)
    return {id for links in every for object in links.keys() & wanted for id in links[object]}


def neighbours(snapshot: Snapshot, concept: ConceptId) -> Sequence[tuple[ConceptId, str, ConceptId, str]]:
    rows = snapshot.rows(queries(_SQL)["neighbours"], concept=concept, relations=as_json(graph_relations()))
    return [(subject, relation, object, id) for subject, relation, object, id in rows]
