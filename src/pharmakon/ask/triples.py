"""A question as triples with an unknown, and what makes one (CM-1).

Co-MedGraphRAG, section 3.2: (h, r, ⊥) and (⊥, r, t) over the relations of the vocabulary, with entities of the question
alone. Whoever proposes them, parser or model, the same code checks them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.question import Question
from pharmakon.model.vocabulary import relations
from pharmakon.retrieve.facts import asked_relations


@dataclass(frozen=True, slots=True)
class Triple:
    """`head` or `tail` is None: the unknown, ⊥ (Eq. 2 and 3)."""

    head: ConceptId | None
    relation: str
    tail: ConceptId | None


def parse(question: Question, intent: str) -> Iterator[Triple]:
    """Every triple that the relation's domain and range allow, with one unknown."""
    asked = asked_relations(intent)
    for concept in entities(question):
        about = (Triple(concept, relation, None) for relation in asked.about)
        of = (Triple(None, relation, concept) for relation in asked.of)
        yield from (t for t in (*about, *of) if not misshapen(t, question))


def entities(question: Question) -> tuple[ConceptId, ...]:
    """What a triple may name: what the question names, else what it leans on."""
    return question.named() or tuple(c for k in question.carried for c in k.concepts)


def misshapen(triple: Triple, question: Question) -> str:
    """What is wrong with a triple, whoever proposed it; "" where nothing is (CM-1)."""
    relation = relations().get(triple.relation)
    if relation is None:
        return "the relation is none of the vocabulary"
    known = [end for end in (triple.head, triple.tail) if end is not None]
    if len(known) != 1:
        return "one end must be unknown, and one an entity of the question"
    if known[0] not in entities(question):
        return "the entity does not stand in the question"
    fits = relation.domain if triple.head is not None else relation.range
    return "" if kind_of(known[0]) in fits else "the relation does not allow this entity there"
