"""What a community holds, said by template from its own statements (KB-9).

Core concepts come first, by weighted degree; a sentence joins the statements of one kind about one thing, and keeps
their ids, so that each sentence can be cited. Statements that hold under conditions only are left out: a sentence that
drops the condition would not be true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pharmakon.model.communities import Community, Edge, Summary, SummarySentence
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import Tier
from pharmakon.retrieve.communities import Labels, weights

LANGS = ("en", "nl", "zh")


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one kind of sentence is made."""

    relations: frozenset[str]
    by_object: bool
    inside: bool
    symmetric: bool
    tiers: frozenset[Tier]
    templates: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Group:
    """What is said of `about`: each other concept with its statements."""

    about: ConceptId
    others: Mapping[ConceptId, Sequence[str]]


def summaries(communities: Iterable[Community], edges: Iterable[Edge], labels: Labels) -> list[Summary]:
    """For each community a summary in every language that has enough names for it; English always."""
    wanted = list(communities)
    members = {member for community in wanted for member in community.members}
    at: dict[ConceptId, list[Edge]] = {member: [] for member in members}
    for edge in edges:
        if not edge.conditional:
            for end in {edge.subject, edge.object} & members:
                at[end].append(edge)
    made = []
    for community in wanted:
        own = {edge.statement: edge for member in community.members for edge in at[member]}
        made += _summaries_of(community, [own[id] for id in sorted(own)], labels)
    return made


def core(members: Collection[ConceptId], edges: Iterable[Edge]) -> list[ConceptId]:
    """`members` by what their edges among each other weigh, the heaviest first."""
    inside = set(members)
    degree = dict.fromkeys(members, 0.0)
    own = [edge for edge in edges if edge.subject in inside and edge.object in inside]
    for (a, b), weight in weights(own).items():
        degree[a] += weight
        degree[b] += weight
    return sorted(members, key=lambda concept: (-degree[concept], concept))


def _summaries_of(community: Community, edges: Sequence[Edge], labels: Labels) -> list[Summary]:
    rank = {concept: place for place, concept in enumerate(core(community.members, edges))}
    said = [(kind, group) for kind in _kinds() for group in _groups(kind, edges, rank)]
    title = _title(rank)
    named = {concept for _, group in said for concept in (group.about, *group.others)} | set(title)
    made = []
    for lang in LANGS:
        has = sum(lang in labels.get(concept, {}) for concept in named)
        if lang != "en" and has < _data()["least_named"] * len(named):
            continue
        name = _Namer(labels, lang)
        sentences = tuple(_sentence(kind, group, name) for kind, group in said)
        made.append(
            Summary(community.id, lang, _capital(_join([name(c) for c in title], lang, last=False), lang), sentences)
        )
    return made


def _groups(kind: _Kind, edges: Iterable[Edge], rank: Mapping[ConceptId, int]) -> list[_Group]:
    """The groups that weigh most: of many listed members, and of core ones."""
    found: dict[ConceptId, dict[ConceptId, list[str]]] = {}
    for edge in edges:
        if edge.relation not in kind.relations or edge.tier not in kind.tiers:
            continue
        ways = [(edge.object, edge.subject) if kind.by_object else (edge.subject, edge.object)]
        if kind.symmetric:
            ways.append((ways[0][1], ways[0][0]))
        for about, other in ways:
            ours = other if kind.by_object else about  # whose statement it is
            if ours in rank and (not kind.inside or (about in rank and other in rank)) and about != other:
                found.setdefault(about, {}).setdefault(other, []).append(edge.statement)
    outside = len(rank)
    groups = [
        _Group(about, dict(sorted(others.items(), key=lambda item: (rank.get(item[0], outside), item[0]))))
        for about, others in found.items()
    ]
    groups.sort(key=lambda group: (-_weight(group, rank), group.about))
    chosen: list[_Group] = []
    told: set[frozenset[ConceptId]] = set()
    for group in groups:  # a pair is told from one side alone
        fresh = {c: ids for c, ids in group.others.items() if not kind.symmetric or {group.about, c} not in told}
        if fresh and len(chosen) < int(_data()["most_groups"]):
            chosen.append(_Group(group.about, fresh))
            told |= {frozenset({group.about, c}) for c in fresh}
    return chosen


def _weight(group: _Group, rank: Mapping[ConceptId, int]) -> float:
    """Core members count up to twice as much as those at the edge; those outside half."""
    size = max(len(rank), 1)
    return sum(2.0 - rank[c] / size if c in rank else 0.5 for c in (group.about, *group.others))


def _sentence(kind: _Kind, group: _Group, name: _Namer) -> SummarySentence:
    shown = list(group.others)[: int(_data()["most_named"])]
    listed = _join([name(concept) for concept in shown], name.lang, more=len(group.others) - len(shown))
    text = kind.templates[name.lang].format(about=name(group.about), list=listed)
    ids = dict.fromkeys(id for ids in group.others.values() for id in ids)  # those behind "and 5 more" too
    return SummarySentence(_capital(text, name.lang), tuple(ids))


def _title(rank: Mapping[ConceptId, int]) -> list[ConceptId]:
    """The first core concepts: of each kind one, and then whatever is next."""
    most = int(_data()["title_names"])
    chosen: list[ConceptId] = []
    for kinds in ({"class"}, {"disease", "symptom"}):
        chosen += [concept for concept in rank if kind_of(concept) in kinds][:1]
    chosen += [concept for concept in rank if concept not in chosen]
    return sorted(chosen[:most], key=lambda concept: rank[concept])


@dataclass(frozen=True, slots=True)
class _Namer:
    """Names of one language, English ones where it has none."""

    labels: Labels
    lang: str

    def __call__(self, concept: ConceptId) -> str:
        names = self.labels.get(concept, {})
        return names.get(self.lang) or names.get("en") or concept.partition(":")[2].replace("-", " ")


def _join(names: Sequence[str], lang: str, *, more: int = 0, last: bool = True) -> str:
    words = _data()["joined"][lang]
    manifold = any(words["last"] in name or words["comma"] in name for name in names)
    comma = words["semicolon"] if manifold else words["comma"]
    if more:
        return str(comma.join(names) + words["more"].format(count=more))
    if len(names) < 2 or manifold or not last:
        return str(comma.join(names))
    return str(comma.join(names[:-1]) + words["last"] + names[-1])


def _capital(text: str, lang: str) -> str:
    """The first letter a capital, unless the word has its own way (mTOR); Dutch has a letter of two."""
    letters = 2 if lang == "nl" and text.startswith("ij") else 1
    return text if text[letters : letters + 1].isupper() else text[:letters].upper() + text[letters:]


@cache
def _kinds() -> tuple[_Kind, ...]:
    return tuple(
        _Kind(
            frozenset(row["relations"]),
            row["group"] == "object",
            row.get("inside", False),
            row.get("symmetric", False),
            frozenset(map(Tier.parse, row["tiers"])) if "tiers" in row else frozenset(Tier),
            {lang: row[lang] for lang in LANGS},
        )
        for row in _data()["sentences"]
    )


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.retrieve", "summaries.toml")
