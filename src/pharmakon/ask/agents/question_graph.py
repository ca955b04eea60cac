"""Question graph: the question as triples with an unknown, completed from the knowledge base (CM-1 to CM-6).

Co-MedGraphRAG, section 3: (h, r, ⊥) and (⊥, r, t) over the relations of the vocabulary, with entities of the question
alone; candidates by structured retrieval; the completed triples make the answer. Here the parser is deterministic:
links give the entities, the intent gives the relations. Candidates are ranked by P_final = α · P_semantic +
(1 − α) · P_structure (Eq. 7, α = 0.4); without a trained small model the first part alone decides, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from pharmakon.ask import choosing, compose
from pharmakon.ask.agents.agent import Tools
from pharmakon.ask.directness import named
from pharmakon.ask.effects import Effect, asked_effect, bringing
from pharmakon.ask.graphing import graph
from pharmakon.ask.triples import Triple, parse
from pharmakon.model.answer import Draft, Said
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.question import Question
from pharmakon.retrieve.facts import Asked, Fact, facts, tying

NAME = "question_graph"
_LISTED = 12
_DRUGS = frozenset({"ingredient", "drug"})
#: Relations whose subjects are choices for somebody who has the object.
_CHOICES = frozenset({"treats", "used_for"})
_QUOTED = 4
#: A list of more than so many might be read as a ranking.
_FEW = 2


class QuestionGraph:
    name = NAME

    def draft(self, question: Question, tools: Tools) -> Draft:
        if effect := asked_effect(question):
            found = bringing(effect, tools.knowledge)
            tools.note("effect", of=effect.head, statements=[f.statement.id for f in found])
            return Draft(tuple(_bringing(effect, found, tools)), abstained=not found)
        graphed = graph(question, tools.intent, tools.model) if tools.model else None
        triples = list(graphed.triples if graphed else parse(question, tools.intent))
        tools.note(
            "question graph", triples=[(t.head or "⊥", t.relation, t.tail or "⊥") for t in triples],
            by_model=bool(graphed and graphed.by_model), dropped=[d.text for d in graphed.dropped] if graphed else [],
        )  # fmt: skip
        completed = _of_class(complete(triples, tools), question, tools)
        tools.note("completed", statements=[f.statement.id for f in completed], ranked_by="semantic score alone")
        about = question.named()
        if said := _held(completed, question, tools):
            return Draft(tuple(compose.unique(said)), about)
        if not completed:
            return Draft((), about, abstained=True)
        return Draft((*_untied(triples, completed, tools), *_say(completed, question, tools)), about)


def _held(found: Sequence[Fact], question: Question, tools: Tools) -> list[Said]:
    """Choices for a condition held against the person, where the question says anything of one; else nothing."""
    wanted = {f.by for f in found if f.as_object and f.statement.relation in _CHOICES}
    if len(wanted) != 1 or any(not f.as_object for f in found):
        return []
    (sought,) = wanted
    rest = [k for k in (*question.links, *question.carried) if sought not in k.concepts]
    asked = choosing.held(question, sought, rest)
    return choosing.answer(asked, question, tools) if asked else []


def _of_class(found: list[Fact], question: Question, tools: Tools) -> list[Fact]:
    """Of the choices for a condition those of the class that the question wants one of, where there are any."""
    wanted = {f.by for f in found if f.as_object and f.statement.relation in _CHOICES}
    kind = choosing.wanted_class(question, next(iter(wanted))) if len(wanted) == 1 else None
    members = tools.knowledge.descendants(kind) if kind else frozenset()
    return [f for f in found if any(p in members for p in tools.parts(f.statement.subject))] or found


def complete(triples: Sequence[Triple], tools: Tools) -> list[Fact]:
    """The candidates of every triple; where some tie two entities of the question together, those alone."""
    wanted = {(t.head or t.tail, t.relation, t.head is None) for t in triples}
    known = [c for c in dict.fromkeys(t.head or t.tail for t in triples) if c is not None]
    asked = Asked(
        tuple(dict.fromkeys(t.relation for t in triples if t.head)),
        tuple(dict.fromkeys(t.relation for t in triples if t.tail)),
    )
    found = [f for f in facts(tools.knowledge, known, asked) if (f.by, f.statement.relation, f.as_object) in wanted]
    tied = [
        f for c in known for f in tying([g for g in found if g.by == c], [o for o in known if o != c], tools.knowledge)
    ]
    return tied if len(known) > 1 and tied else found


def _untied(triples: Sequence[Triple], found: Sequence[Fact], tools: Tools) -> Iterator[Said]:
    """Of a drug asked about for a condition that no source names among its uses: that none does."""
    of_use = [t for t in triples if t.relation in _CHOICES]
    drugs = dict.fromkeys(t.head for t in of_use if t.head and kind_of(t.head) in _DRUGS)
    sought = dict.fromkeys(t.tail for t in of_use if t.tail)
    for drug, other in product(drugs, sought):
        if not tying([f for f in found if f.by == drug], [other], tools.knowledge):
            yield Said(tools.words("no_use", drug=tools.name(drug), condition=tools.name(other)), role="frame")


def _say(found: Sequence[Fact], question: Question, tools: Tools) -> Iterator[Said]:
    """A list where the unknown is the subject (which drugs …), the sentences themselves where it is the object."""
    forward = [f for f in found if not f.as_object]
    yield from compose.stated(forward, _QUOTED if any(f.as_object for f in found) else 2 * _QUOTED)
    groups: dict[tuple[ConceptId, str], list[Fact]] = {}
    for fact in found:
        if fact.as_object:
            groups.setdefault((fact.by, fact.statement.relation), []).append(fact)
    for (concept, relation), rows in groups.items():
        ordered = named(rows, question, tools.knowledge).all
        best = ordered[:_LISTED]
        items = [(tools.name(f.statement.subject), f) for f in best]
        yield compose.listed(relation, tools.name(concept), items, tools.words)
        if relation in _CHOICES and len(ordered) > _FEW:
            more = len(ordered) - len(best)
            yield Said(tools.words("more_named", count=more) if more else tools.words("no_order"), role="frame")
        yield from compose.stated(best, _QUOTED)


def _bringing(effect: Effect, found: Sequence[Fact], tools: Tools) -> Iterator[Said]:
    """What brings something about, as a list, then what the sources say of the first."""
    if not found:
        return
    head = tools.name(effect.head)
    best = found[:_LISTED]
    relation = "has_effect" if effect.effect else "causes"
    yield compose.listed(relation, head, [(tools.name(f.statement.subject), f) for f in best], tools.words)
    if len(found) > _FEW:
        more = len(found) - len(best)
        yield Said(tools.words("more_named", count=more) if more else tools.words("no_order"), role="frame")
    yield from compose.stated(best, _QUOTED)
