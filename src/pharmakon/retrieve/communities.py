"""The graph cut into communities, and kept in step with it where it changes (KB-7, KB-9).

FusionGraphRAG 3.3.2 takes hierarchical Leiden over the whole graph: clusters of greatest modularity, and those that are
too large cut again, level by level. Its section 5.3 asks for a cascade refresh: what changes below refreshes the
summaries above it and no others. Here one procedure does both, from nothing or from what was found before:

1. A concept without an edge to any other of its community leaves it; one that has too few left is dissolved.
2. Concepts without a community are clustered by Leiden. A cluster that holds together more strongly than it is tied to
   any community is a community of its own; another joins the one it is tied to most, and there the part it is tied to
   most. This is repeated until nothing moves.
3. What has no parts and is too large is cut by Leiden into parts, and they again.

So a community is *touched* by an edge that came, went or changed the name of an end at one of its members, and by
members that come or leave. Every other keeps its id, its digest and so its summary, whether it is a part of a touched
one or not. A member never changes community while an edge ties it there: over many changes the cut gets worse than a
new one. Where a fifth of the concepts have no community, all is cut anew.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from pharmakon.model.communities import FEWEST, Community, Edge, community_id
from pharmakon.model.concepts import ConceptId
from pharmakon.model.tables import read_table
from pharmakon.retrieve.leiden import Weights, leiden

Labels = Mapping[ConceptId, Mapping[str, str]]
"""Concept → language → the name it is shown by."""


@dataclass(frozen=True, slots=True)
class Followed:
    """All communities as they are now, coarse ones first, and those that are new or have another digest than before."""

    all: tuple[Community, ...]
    fresh: tuple[Community, ...]


def find(edges: Sequence[Edge], labels: Labels) -> tuple[Community, ...]:
    """The communities of the whole graph, coarse ones first. Raises `KnowledgeError` where the library is absent."""
    return follow((), edges, labels).all


def follow(old: Sequence[Community], edges: Sequence[Edge], labels: Labels) -> Followed:
    """`old` brought up to the graph as it is; without `old`, from nothing. Following twice changes nothing."""
    graph = _Graph.of(weights(edges))
    roots = _tree(old)
    _leave(roots, graph)
    if len(_without(roots, graph)) > float(_data()["anew"]) * len(graph.near):
        roots = []
    while _settle(roots, graph):
        pass
    for root in roots:
        _divide(root, graph)
    found = _with_digests(_flat(roots), edges, labels)
    kept = {(community.id, community.digest) for community in old}
    return Followed(found, tuple(community for community in found if (community.id, community.digest) not in kept))


def recipe() -> str:
    """A word for what communities and summaries are made with: with another one, all are made anew."""
    files = (resources.files("pharmakon.retrieve").joinpath(name) for name in ("communities.toml", "summaries.toml"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def weights(edges: Iterable[Edge]) -> Weights:
    """How close the edges hold two concepts. A concept's degree counts its edges of every weighted relation."""
    of = _data()["weights"]
    used = [edge for edge in edges if edge.relation in of and edge.subject != edge.object]
    degree = Counter(end for edge in used for end in (edge.subject, edge.object))
    found: dict[tuple[ConceptId, ConceptId], list[float]] = {}
    for edge in used:
        a, b = sorted((edge.subject, edge.object))
        found.setdefault((a, b), []).append(of[edge.relation] / math.sqrt(math.sqrt(degree[a] * degree[b])))
    return {pair: math.fsum(parts) for pair, parts in found.items()}  # the same sum in whatever order


# ── the procedure ──────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Node:
    """A community while it is worked on."""

    members: set[ConceptId]
    parts: list[_Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Graph:
    near: Mapping[ConceptId, Mapping[ConceptId, float]]

    @classmethod
    def of(cls, weights: Weights) -> _Graph:
        near: dict[ConceptId, dict[ConceptId, float]] = {}
        for (a, b), weight in weights.items():
            near.setdefault(a, {})[b] = weight
            near.setdefault(b, {})[a] = weight
        return cls(near)

    def tie(self, these: Iterable[ConceptId], those: set[ConceptId]) -> float:
        """What the edges from `these` to `those` weigh together."""
        return math.fsum(weight for one in these for other, weight in self.near.get(one, {}).items() if other in those)

    def clusters(self, concepts: set[ConceptId]) -> list[list[ConceptId]]:
        """`concepts` by Leiden over the edges among them; one without such an edge is a cluster by itself."""
        inner = {
            (one, other): weight
            for one in concepts for other, weight in self.near.get(one, {}).items() if one < other and other in concepts
        }  # fmt: skip
        numbers = _data()
        found = leiden(inner, resolution=numbers["resolution"], iterations=numbers["iterations"], seed=numbers["seed"])
        alone = concepts.difference(*found)
        return sorted([*found, *([concept] for concept in alone)])


def _leave(nodes: list[_Node], graph: _Graph) -> None:
    """Members that nothing ties to the others leave; what has too few left goes."""
    for node in nodes:
        while loose := {member for member in node.members if not graph.tie([member], node.members)}:
            node.members -= loose
        for part in node.parts:
            part.members &= node.members
        _leave(node.parts, graph)
    nodes[:] = [node for node in nodes if len(node.members) >= FEWEST]


def _without(roots: Iterable[_Node], graph: _Graph) -> set[ConceptId]:
    """The concepts of the graph that are in no community."""
    return set(graph.near).difference(*(root.members for root in roots))


def _settle(roots: list[_Node], graph: _Graph) -> bool:
    """Give concepts without a community one, as far as that goes at once; whether any got one."""
    new: list[_Node] = []
    joining: list[tuple[_Node, list[ConceptId]]] = []
    home = {member: root for root in roots for member in root.members}
    for cluster in graph.clusters(_without(roots, graph)):
        best, tie = _closest(cluster, roots, home, graph)
        if len(cluster) >= FEWEST and graph.tie(cluster, set(cluster)) / 2 >= tie:  # each edge was met from both ends
            new.append(_Node(set(cluster)))
        elif best is not None:
            joining.append((best, cluster))
    for root, cluster in joining:
        _join(root, cluster, graph)
    roots += new
    return bool(new or joining)


def _closest(
    cluster: Iterable[ConceptId], roots: Sequence[_Node], home: Mapping[ConceptId, _Node], graph: _Graph
) -> tuple[_Node | None, float]:
    """The community that `cluster` is tied to most, and how much; None where it is tied to none."""
    reached = {id(home[other]) for one in cluster for other in graph.near.get(one, {}) if other in home}
    near = sorted((root for root in roots if id(root) in reached), key=lambda root: min(root.members))
    best = max(near, key=lambda root: graph.tie(cluster, root.members), default=None)
    return best, graph.tie(cluster, best.members) if best else 0.0


def _join(node: _Node, cluster: Sequence[ConceptId], graph: _Graph) -> None:
    node.members.update(cluster)
    ties = [(graph.tie(cluster, part.members), part) for part in node.parts]
    tie, part = max(ties, key=lambda each: each[0], default=(0.0, None))
    if part is not None and tie:
        _join(part, cluster, graph)


def _divide(node: _Node, graph: _Graph) -> None:
    """Cut what is too large and has no parts; a cluster that is too small stays in the whole alone."""
    if not node.parts and len(node.members) > int(_data()["largest"]):
        clusters = [cluster for cluster in graph.clusters(node.members) if len(cluster) >= FEWEST]
        node.parts = [_Node(set(cluster)) for cluster in clusters if len(cluster) < len(node.members)]
    for part in node.parts:
        _divide(part, graph)


def _tree(communities: Iterable[Community]) -> list[_Node]:
    """The communities of level 0 with their parts, in order of their ids."""
    roots: list[_Node] = []
    nodes: dict[str, _Node] = {}
    for community in sorted(communities, key=lambda c: (c.level, c.id)):  # parents come before their parts
        node = nodes[community.id] = _Node(set(community.members))
        (nodes[community.parent].parts if community.parent else roots).append(node)
    return roots


def _flat(roots: Iterable[_Node]) -> list[Community]:
    """Communities without their digests."""

    def down(nodes: Iterable[_Node], level: int, parent: str) -> Iterator[Community]:
        for node in nodes:
            members = tuple(sorted(node.members))
            own = community_id(members)
            if own == parent:  # a part that has come to hold all of the whole
                yield from down(node.parts, level, parent)
                continue
            yield Community(own, level, parent, members, "")
            yield from down(node.parts, level + 1, own)

    return sorted(down(roots, 0, ""), key=lambda c: (c.level, c.id))


# ── digests ────────────────────────────────────────────────────────────────────────────────────────


def _with_digests(found: Sequence[Community], edges: Sequence[Edge], labels: Labels) -> tuple[Community, ...]:
    """Each with the digest of every edge at one of its members, and of the names of the ends."""
    homes: dict[ConceptId, set[str]] = {}
    for community in found:
        for member in community.members:
            homes.setdefault(member, set()).add(community.id)
    ends_of_all = {end for edge in edges for end in (edge.subject, edge.object)}
    named = {end: f"{end} {sorted(labels.get(end, {}).items())}" for end in ends_of_all}
    lines: dict[str, list[str]] = {community.id: [] for community in found}
    for edge in edges:
        at = homes.get(edge.subject, set()) | homes.get(edge.object, set())
        if at:
            ends = f"{named[edge.subject]} {named[edge.object]}"
            line = f"{edge.statement} {edge.relation} {int(edge.tier)} {edge.conditional} {ends}"
            for id in at:
                lines[id].append(line)
    digests = {id: hashlib.sha256("\n".join(sorted(own)).encode()).hexdigest()[:32] for id, own in lines.items()}
    return tuple(Community(c.id, c.level, c.parent, c.members, digests[c.id]) for c in found)


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.retrieve", "communities.toml")
