"""Everything above everything, with the first step of a shortest chain: the transitive closure as a pure function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput


@dataclass(frozen=True, slots=True, order=True)
class FirstStep:
    """How a shortest chain begins; of two of the same length the smaller parent, then statement id, is taken."""

    depth: int
    parent: ConceptId
    id: str
    statement: int


Above = dict[ConceptId, FirstStep]
Edge = tuple[ConceptId, ConceptId, str, int]
"""(child, parent, statement id, statement number)"""


def close(edges: Iterable[Edge], known: Mapping[ConceptId, Mapping[ConceptId, int]]) -> dict[ConceptId, Above]:
    """Child → ancestor → first step, for every child in `edges`.

    `known` gives ancestor → depth for parents whose closure stands already. Raises `BadInput` that names the cycle
    where a concept would come to be above itself.
    """
    parents: dict[ConceptId, list[tuple[ConceptId, str, int]]] = {}
    for child, parent, id, statement in edges:
        parents.setdefault(child, []).append((parent, id, statement))
    order: TopologicalSorter[ConceptId] = TopologicalSorter({c: [p for p, _, _ in ps] for c, ps in parents.items()})
    try:
        ordered = tuple(order.static_order())
    except CycleError as error:
        # graphlib lists predecessors first, each after what it is reached from: parents before children
        chain = " → ".join(reversed(error.args[1]))
        raise BadInput(f"a concept would be above itself: {chain}", expected="a hierarchy without cycles") from None
    found: dict[ConceptId, Above] = {}
    for child in ordered:
        above: Above = {}
        for parent, id, statement in parents.get(child, ()):
            _offer(above, parent, FirstStep(1, parent, id, statement))
            higher = found[parent] if parent in parents else known.get(parent, {})
            for ancestor, way in higher.items():
                depth = way if isinstance(way, int) else way.depth
                _offer(above, ancestor, FirstStep(depth + 1, parent, id, statement))
        found[child] = above
    return {child: found[child] for child in parents}


def _offer(above: Above, ancestor: ConceptId, step: FirstStep) -> None:
    best = above.get(ancestor)
    if best is None or step < best:
        above[ancestor] = step
