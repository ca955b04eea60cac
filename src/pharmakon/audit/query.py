"""Step 2: the queries of a plan, named and bound, and what they bring back. No text is ever put into a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pharmakon.audit.checks import CHECKS
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import ConstraintStore, TopologyStore

#: Relations between two concepts of one prescription; everything else is about one subject.
PAIRED = ("interacts_with", "incompatible_with", "cross_reacts_with")
ABOUT = tuple(sorted({r for check in CHECKS for r in check.RELATIONS}))


@dataclass(frozen=True, slots=True)
class Asked:
    """One named query with its bound parameters and how many rows it brought."""

    query: str
    store: str
    concepts: frozenset[ConceptId]
    relations: tuple[str, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class Raw:
    """Raw evidence: statements by relation and subject, and the statements between two concepts."""

    rules: Mapping[str, Mapping[ConceptId, Sequence[Statement]]]
    pairs: tuple[Statement, ...]
    asked: tuple[Asked, ...]


def fetch(constraints: ConstraintStore, topology: TopologyStore, concepts: frozenset[ConceptId]) -> Raw:
    """Everything known about `concepts` (all ingredients, products, allergies and what stands above them)."""
    about = constraints.about(concepts, ABOUT)
    rules: dict[str, dict[ConceptId, list[Statement]]] = {}
    for statement in about:
        rules.setdefault(statement.relation, {}).setdefault(statement.subject, []).append(statement)
    effects = frozenset(s.object for s in about if s.relation == "has_effect" and s.object is not None)
    limits = constraints.about(effects, ("burden_limit",)) if effects else ()
    for statement in limits:
        rules.setdefault("burden_limit", {}).setdefault(statement.subject, []).append(statement)
    ids = topology.links(concepts, concepts, PAIRED)
    pairs = tuple(constraints.statements(ids)) if ids else ()
    asked = (
        Asked("statements_about", "constraints", concepts, ABOUT, len(about)),
        Asked("statements_about", "constraints", effects, ("burden_limit",), len(limits)),
        Asked("links", "topology", concepts, PAIRED, len(ids)),
    )
    return Raw(rules, pairs, asked)
