"""Question graph: the question as triples with an unknown, completed from the knowledge base (CM-1 to CM-6).

Co-MedGraphRAG, section 3: (h, r, ⊥) and (⊥, r, t) over the relations of the vocabulary, with entities of the question
alone; candidates by structured retrieval; the completed triples make the answer. Here the parser is deterministic:
links give the entities, the intent gives the relations. Candidates are ranked by P_final = α · P_semantic +
(1 − α) · P_structure (Eq. 7, α = 0.4); without a trained small model the first part alone decides, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pharmakon.ask import compose
from pharmakon.ask.agents.agent import Tools
from pharmakon.model.answer import Draft, Said
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.question import Question
from pharmakon.model.vocabulary import relations
from pharmakon.retrieve.facts import Fact, asked_relations, facts, tying

NAME = "question_graph"
_LISTED = 12
_QUOTED = 4


@dataclass(frozen=True, slots=True)
class Triple:
    """`head` or `tail` is None: the unknown, ⊥ (Eq. 2 and 3)."""

    head: ConceptId | None
    relation: str
    tail: ConceptId | None


class QuestionGraph:
    name = NAME

    def draft(self, question: Question, tools: Tools) -> Draft:
        triples = list(parse(question, tools.intent))
        tools.note("question graph", triples=[(t.head or "⊥", t.relation, t.tail or "⊥") for t in triples])
        completed = complete(triples, tools)
        tools.note("completed", statements=[f.statement.id for f in completed], ranked_by="semantic score alone")
        about = question.named()
        if not completed:
            return Draft((), about, abstained=True)
        return Draft(tuple(_say(completed, tools)), about)


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


def complete(triples: Sequence[Triple], tools: Tools) -> list[Fact]:
    """The candidates of every triple; where some tie two entities of the question together, those alone."""
    wanted = {(t.head or t.tail, t.relation, t.head is None) for t in triples}
    known = [c for c in dict.fromkeys(t.head or t.tail for t in triples) if c is not None]
    found = [
        f for f in facts(tools.knowledge, known, tools.intent) if (f.by, f.statement.relation, f.as_object) in wanted
    ]
    tied = [
        f for c in known for f in tying([g for g in found if g.by == c], [o for o in known if o != c], tools.knowledge)
    ]
    return tied if len(known) > 1 and tied else found


def _say(found: Sequence[Fact], tools: Tools) -> Iterator[Said]:
    """A list where the unknown is the subject (which drugs …), the sentences themselves where it is the object."""
    forward = [f for f in found if not f.as_object]
    yield from compose.stated(forward, _QUOTED if any(f.as_object for f in found) else 2 * _QUOTED)
    groups: dict[tuple[ConceptId, str], list[Fact]] = {}
    for fact in found:
        if fact.as_object:
            groups.setdefault((fact.by, fact.statement.relation), []).append(fact)
    for (concept, relation), rows in groups.items():
        best = _best_known(rows, tools)
        named = [(tools.name(f.statement.subject), f) for f in best]
        yield compose.listed(relation, tools.name(concept), named, tools.words)
        yield from compose.stated(best, _QUOTED)


def _best_known(rows: Sequence[Fact], tools: Tools) -> list[Fact]:
    """Deeply covered drugs before others, each once."""
    once = {f.statement.subject: f for f in reversed(rows)}
    known = tools.knowledge.concepts(set(once))
    order = sorted(once.values(), key=lambda f: (known[f.statement.subject].covered != "deep", f.statement.subject))
    return order[:_LISTED]
