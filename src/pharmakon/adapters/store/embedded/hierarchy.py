"""Keeps the closure table equal to the closure of the live hierarchy, in the transaction that changes it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from pharmakon.adapters.store.embedded.closure import Above, close
from pharmakon.adapters.store.embedded.intake import Write
from pharmakon.adapters.store.embedded.sql import as_json
from pharmakon.adapters.store.embedded.topology import hierarchy_relations
from pharmakon.model.concepts import ConceptId


def refresh(write: Write) -> None:
    """Work out anew what is above the children that were rehung and above everything below them; nothing else."""
    if not write.rehung:
        return
    below = (row[0] for row in write.run("below", concepts=as_json(write.rehung)))
    affected = as_json(write.rehung.union(below))
    edges = write.run("edges_of", concepts=affected, relations=as_json(hierarchy_relations())).fetchall()
    write.run("drop_closure_of", concepts=affected)
    parents = write.run("depths_of", concepts=as_json({edge[1] for edge in edges})).fetchall()
    known = {
        parent: {ancestor: depth for _, ancestor, depth in rows}
        for parent, rows in groupby(parents, key=lambda row: ConceptId(row[0]))
    }
    write.many("closure", rows(close(edges, known)))


def rebuild(write: Write) -> None:
    write.run("drop_closure")
    edges = write.run("all_edges", relations=as_json(hierarchy_relations())).fetchall()
    write.many("closure", rows(close(edges, {})))


def rows(closed: dict[ConceptId, Above]) -> Iterable[tuple[ConceptId, ConceptId, int, ConceptId, int]]:
    """As `closure` stores them."""
    for descendant, above in closed.items():
        for ancestor, step in above.items():
            yield descendant, ancestor, step.depth, step.parent, step.statement
