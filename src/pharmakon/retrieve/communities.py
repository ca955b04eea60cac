"""The graph cut into communities, and cut anew only where it changed (KB-7, KB-9).

FusionGraphRAG 3.3.2 takes hierarchical Leiden over the whole graph; its section 5.3 asks for a cascade refresh. Here:

*Touched* is a concept at an edge that came, went or changed its names since. A community of level 0 with a touched
member is touched. The touched communities are cut anew together, with their own edges, the touched concepts that had no
community, and those without one beside them. All others keep members, ids and summaries.

That is consistent because a changed edge touches both its ends: the members of a community that is not touched have the
very edges that they had, so that its digest, and its summary, are what they would be if they were made now. What is
lost is that a community does not pull in a concept of an untouched one; `find` over everything evens that out.
"""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from pharmakon.model.communities import FEWEST, Communities, Community, Edge, community_id
from pharmakon.model.concepts import ConceptId
from pharmakon.retrieve.leiden import hierarchical_leiden

Labels = Mapping[ConceptId, Mapping[str, str]]
"""Concept → language → the name it is shown by."""


def find(edges: Sequence[Edge], labels: Labels) -> Communities:
    """The communities of the whole graph. Raises `KnowledgeError` where the library for it is absent."""
    return _with_digests(_cut(edges), (), edges, labels)


def touched(old: Communities, edges: Sequence[Edge], labels: Labels) -> frozenset[ConceptId]:
    """The concepts of everything that is not as it was when `old` was found; empty where nothing changed.

    By digests, one for each community and one for the rest: what is not the same is touched with all its concepts.
    """
    home = _home(old.roots)
    digests = _digests(edges, home, labels)
    found = {member for root in old.roots if digests.get(root.id, _EMPTY) != root.digest for member in root.members}
    if digests.get("", _EMPTY) != old.rest:
        found |= {end for edge in edges for end in (edge.subject, edge.object) if end not in home}
    return frozenset(found)


def refresh(old: Communities, edges: Sequence[Edge], labels: Labels, touched: Collection[ConceptId]) -> Communities:
    """`old` with its touched communities cut anew. `touched` holds both ends of every edge that changed."""
    home = _home(old.roots)
    again = {home[concept] for concept in touched if concept in home}
    taken = {concept for concept in touched if concept not in home}
    taken |= {member for root in old.roots if root.id in again for member in root.members}
    beside = {
        there for edge in edges for here, there in ((edge.subject, edge.object), (edge.object, edge.subject))
        if here in taken and there not in home
    }  # fmt: skip
    taken |= beside
    inner = [edge for edge in edges if edge.subject in taken and edge.object in taken]
    kept = _outside(old, again)
    return _with_digests(_cut(inner), kept, edges, labels)


@dataclass(frozen=True, slots=True)
class Followed:
    """The communities as they are now, and those of them that are new or say something else than before."""

    communities: Communities
    fresh: tuple[Community, ...]


def follow(old: Communities | None, edges: Sequence[Edge], labels: Labels) -> Followed:
    """What changed since `old`, cut anew; everything where there is none."""
    if old is None:
        found = find(edges, labels)
        return Followed(found, found.all)
    changed = touched(old, edges, labels)
    found = refresh(old, edges, labels, changed) if changed else old
    kept = set(old.all)
    return Followed(found, tuple(community for community in found.all if community not in kept))


def recipe() -> str:
    """A word for the numbers that communities are found with: with other ones, all are found anew."""
    return hashlib.sha256(repr(sorted(_data().items(), key=str)).encode()).hexdigest()[:16]


def weights(edges: Iterable[Edge]) -> dict[tuple[ConceptId, ConceptId], float]:
    """(smaller, larger id) → weight. A concept's degree counts its edges of every weighted relation."""
    of = _data()["weights"]
    used = [edge for edge in edges if edge.relation in of and edge.subject != edge.object]
    degree = Counter(end for edge in used for end in (edge.subject, edge.object))
    found: dict[tuple[ConceptId, ConceptId], list[float]] = {}
    for edge in used:
        a, b = sorted((edge.subject, edge.object))
        found.setdefault((a, b), []).append(of[edge.relation] / math.sqrt(math.sqrt(degree[a] * degree[b])))
    return {pair: math.fsum(parts) for pair, parts in found.items()}  # whatever the order


# ── cutting ────────────────────────────────────────────────────────────────────────────────────────

_Cut = tuple[int, str, tuple[ConceptId, ...]]
"""(level, parent, members)"""


def _cut(edges: Iterable[Edge]) -> list[_Cut]:
    numbers = _data()
    levels = hierarchical_leiden(
        weights(edges), resolution=numbers["resolution"], largest=numbers["largest"],
        iterations=numbers["iterations"], seed=numbers["seed"],
    )  # fmt: skip
    found: list[_Cut] = []
    above: dict[ConceptId, tuple[str, int]] = {}  # the smallest community so far, and its size
    for level, clusters in enumerate(levels):
        groups: dict[int, list[ConceptId]] = {}
        for concept, cluster in clusters.items():
            groups.setdefault(cluster, []).append(concept)
        for members in sorted(map(sorted, groups.values())):
            parent, size = above.get(members[0], ("", 0))
            if len(members) < FEWEST or len(members) == size:  # too small, or what could not be split
                continue
            found.append((level, parent, tuple(members)))
            above |= dict.fromkeys(members, (community_id(members), len(members)))
    return found


def _home(roots: Iterable[Community]) -> dict[ConceptId, str]:
    """Concept → its community of level 0. Concepts without one are absent."""
    return {member: root.id for root in roots for member in root.members}


def _outside(old: Communities, again: Collection[str]) -> list[Community]:
    """The communities of roots that are not cut again."""
    gone = set(again)
    kept = []
    for community in old.all:  # parents come before their children
        if community.id in gone or community.parent in gone:
            gone.add(community.id)
        else:
            kept.append(community)
    return kept


# ── digests ────────────────────────────────────────────────────────────────────────────────────────

_EMPTY = hashlib.sha256().hexdigest()


def _with_digests(cut: Sequence[_Cut], kept: Sequence[Community], edges: Sequence[Edge], labels: Labels) -> Communities:
    new = [Community(community_id(members), level, parent, members, "") for level, parent, members in cut]
    home = _home([*kept, *new])
    digests: dict[str, str] = {"": _digests(edges, home, labels).get("", _EMPTY)}
    for level in {community.level for community in new}:
        digests |= _digests(edges, _home(c for c in new if c.level == level), labels, rest=False)
    made = [Community(c.id, c.level, c.parent, c.members, digests.get(c.id, _EMPTY)) for c in new]
    return Communities(tuple(sorted([*kept, *made], key=lambda c: (c.level, c.id))), digests[""])


def _digests(
    edges: Iterable[Edge], home: Mapping[ConceptId, str], labels: Labels, *, rest: bool = True
) -> dict[str, str]:
    """Community → digest of the edges at its members; "" → of those at none."""
    lines: dict[str, list[str]] = {}
    for edge in edges:
        at = {home.get(edge.subject, ""), home.get(edge.object, "")}
        homes = at - {""} or ({""} if rest else set())
        if homes:
            line = _line(edge, labels)
            for place in homes:
                lines.setdefault(place, []).append(line)
    return {place: hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest() for place, found in lines.items()}


def _line(edge: Edge, labels: Labels) -> str:
    ends = (f"{end} {sorted(labels.get(end, {}).items())}" for end in (edge.subject, edge.object))
    return f"{edge.statement} {edge.relation} {int(edge.tier)} {edge.conditional} {' '.join(ends)}"


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(resources.files("pharmakon.retrieve").joinpath("communities.toml").read_text("utf-8"))
