"""Question graph: the question as triples with an unknown, completed from the knowledge base (CM-1 to CM-6).

Co-MedGraphRAG, section 3: (h, r, ⊥) and (⊥, r, t) over the relations of the vocabulary, with entities of the question
alone; candidates by structured retrieval; the completed triples make the answer. Here the parser is deterministic:
links give the entities, the intent gives the relations. Candidates are ranked by P_final = α · P_semantic +
(1 − α) · P_structure (Eq. 7, α = 0.4); without a trained small model the first part alone decides, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pharmakon.ask import compose
from pharmakon.ask.agents.agent import Tools
from pharmakon.ask.graphing import graph
from pharmakon.ask.triples import Triple, parse
from pharmakon.model.answer import Draft, Said
from pharmakon.model.concepts import ConceptId
from pharmakon.model.question import Question
from pharmakon.retrieve.facts import Asked, Fact, facts, tying

NAME = "question_graph"
_LISTED = 12
_QUOTED = 4


class QuestionGraph:
    name = NAME

    def draft(self, question: Question, tools: Tools) -> Draft:
        graphed = graph(question, tools.intent, tools.model) if tools.model else None
        triples = list(graphed.triples if graphed else parse(question, tools.intent))
        tools.note(
            "question graph", triples=[(t.head or "⊥", t.relation, t.tail or "⊥") for t in triples],
            by_model=bool(graphed and graphed.by_model), dropped=[d.text for d in graphed.dropped] if graphed else [],
        )  # fmt: skip
        completed = complete(triples, tools)
        tools.note("completed", statements=[f.statement.id for f in completed], ranked_by="semantic score alone")
        about = question.named()
        if not completed:
            return Draft((), about, abstained=True)
        return Draft(tuple(_say(completed, tools)), about)


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
