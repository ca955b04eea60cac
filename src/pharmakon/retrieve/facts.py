"""What the knowledge base states of the concepts a question names, as far as it bears on what is asked."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from pharmakon.model.concepts import Concept, ConceptId
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import KnowledgeBase


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement, the concept of the question it was found by, and whether that is its subject or its object."""

    statement: Statement
    by: ConceptId
    as_object: bool = False

    @property
    def other(self) -> ConceptId | None:
        """What stands at the other end."""
        return self.statement.subject if self.as_object else self.statement.object


def facts(knowledge: KnowledgeBase, concepts: Sequence[ConceptId], intent: str) -> list[Fact]:
    """Positive statements about `concepts` and the classes above them that answer a question of `intent`.

    Those that tie two of the concepts together come first, then in the order of the relations, the gravest first, what
    is said of the concept itself before what is said of its class.
    """
    relations = asked_relations(intent)
    chains = knowledge.ancestors(concepts)
    above = {c: frozenset(chains[c]) for c in concepts}
    found: dict[str, Fact] = {}
    for concept in concepts:
        for statement in knowledge.about(above[concept], relations.about):
            if statement.excluded.isdisjoint(above[concept]):
                found.setdefault(statement.id, Fact(statement, concept))
        if relations.of:
            edges = knowledge.neighbours(concept)
            ids = [id for subject, relation, _, id in edges if relation in relations.of and subject != concept]
            for statement in knowledge.statements(ids):
                found.setdefault(statement.id, Fact(statement, concept, as_object=True))
    positive = [f for f in found.values() if not f.statement.negative and relations.bears(f.statement)]
    order = {relation: at for at, relation in enumerate((*relations.about, *relations.of))}
    everything = frozenset().union(*above.values()) if above else frozenset()

    def rank(fact: Fact) -> tuple[object, ...]:
        s = fact.statement
        ties = fact.other is not None and fact.other != fact.by and fact.other in everything
        own = s.subject == fact.by or fact.as_object
        return not ties, order[s.relation], not own, -int(s.tier), s.id

    return sorted(positive, key=rank)


def of_members(knowledge: KnowledgeBase, group: ConceptId, intent: str) -> list[Fact]:
    """What is stated of the members of a class, each with the class as what it was found by."""
    relations = asked_relations(intent)
    members = knowledge.descendants(group) - {group}
    return [Fact(s, group) for s in knowledge.about(members, relations.about) if not s.negative]


def tying(found: Sequence[Fact], concepts: Collection[ConceptId], knowledge: KnowledgeBase) -> list[Fact]:
    """Those whose other end is one of `concepts`, or stands above or below one."""
    if not concepts:
        return list(found)
    chains = knowledge.ancestors(concepts)
    wanted = {c for concept in concepts for c in chains[concept]}
    wanted |= {below for concept in concepts for below in knowledge.descendants(concept)}
    return [f for f in found if f.other in wanted]


@dataclass(frozen=True, slots=True)
class Asked:
    about: tuple[str, ...]
    of: tuple[str, ...]
    sections: Mapping[str, frozenset[str]]  #: relation → the sections in which a statement of it answers

    def bears(self, statement: Statement) -> bool:
        kinds = self.sections.get(statement.relation)
        return kinds is None or any(e.section in kinds for e in statement.evidence)


def asked_relations(intent: str) -> Asked:
    """The relations that answer a question of `intent`."""
    return _asked()[intent]


@cache
def _asked() -> Mapping[str, Asked]:
    data = tomllib.loads(resources.files("pharmakon.retrieve").joinpath("facts.toml").read_text("utf-8"))
    return {
        intent: Asked(
            tuple(row["about"]),
            tuple(row.get("of", ())),
            {relation: frozenset(kinds) for relation, kinds in row.get("sections", {}).items()},
        )
        for intent, row in data.items()
    }


def name_in(concept: Concept, lang: str) -> str:
    """The preferred name in `lang`, else any of that language, else the canonical English one."""
    own = [n for n in concept.names if n.lang == lang]
    return next(
        (n.text for n in own if n.kind == "preferred"), own[0].text if own and lang != "en" else concept.display
    )
