"""Naive: one look, no search over the graph (FG-3).

What is stated of the concept that a question names is looked up; where nothing bears on it, the best passages are, and
of them the sentences that share words with the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pharmakon.ask import compose, reactions
from pharmakon.ask.agents.agent import Tools
from pharmakon.model.answer import Draft, Said
from pharmakon.model.concepts import fold
from pharmakon.model.passages import Found, Passage, quoted
from pharmakon.model.question import Question
from pharmakon.retrieve.facts import Fact, asked_relations, bearing, between

NAME = "naive"
_PASSAGES = 5
_SENTENCES = 5
#: A sentence ends at a stop before a blank, at a Chinese stop, or with its line; "0.5 years" has none within.
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?!\s|$))+(?:[.!?。！？]+|(?=\n|$))")
_LINE = re.compile(r"[^\n]+")


class Naive:
    name = NAME

    def draft(self, question: Question, tools: Tools) -> Draft:
        if (effects := reactions.draft(question, tools)) is not None:
            return effects
        named = question.named()
        looked_up = _looked_up(question, tools)
        if looked_up:
            tools.note("looked up", statements=[f.statement.id for f in looked_up[:_SENTENCES]])
            return Draft(tuple(compose.stated(looked_up, _SENTENCES)), named)
        passages = tools.passages.find(question, _PASSAGES)
        tools.note(
            "passages", how=passages.how, confident=passages.confident,
            found=[(f.passage.document, f.passage.ord, f.passage.start, round(f.score, 3)) for f in passages.found],
        )  # fmt: skip
        says = asked_relations(tools.intent).says
        about = [
            f
            for f in passages.found
            if _names_what_is_asked(f.passage, question, tools) and (says is None or says.search(f.passage.text))
        ]
        if not passages.confident or not about:
            return Draft((), question.named(), abstained=True)
        said = [s for s in _sentences(question, about) if says is None or says.search(s.text)]
        return Draft(tuple(said), question.named(), abstained=not said)


def _names_what_is_asked(passage: Passage, question: Question, tools: Tools) -> bool:
    """Whether a passage is about a drug that the question names; any is where it names none."""
    drugs = question.named("ingredient", "drug")
    text = f" {fold(f'{passage.title} {passage.heading} {passage.text}')} "
    known = tools.knowledge.concepts(set(drugs))
    return not drugs or any(fold(n.text) in text for d in drugs if d in known for n in known[d].names)


def _looked_up(question: Question, tools: Tools) -> list[Fact]:
    """Where nothing says what is asked of two things, what is stated between them."""
    named = question.named()
    if "micro" in tools.without:
        return []
    if tools.intent == "general":
        return between(tools.knowledge, named) if len(named) > 1 else []
    return bearing(tools.knowledge, question, tools.intent)


def _sentences(question: Question, found: Sequence[Found]) -> list[Said]:
    """The sentences of the best passage, then of others of the same document that stand close to it in score."""
    best = found[0]
    near = [f for f in found[1:] if f.passage.document == best.passage.document and f.score > 0.8 * best.score]
    said: list[Said] = []
    for one in (best, *near):
        said += _of(question, one.passage)
    return compose.unique(said)[:_SENTENCES]


def _of(question: Question, passage: Passage) -> Iterator[Said]:
    """Sentences in their order; of a long passage those that share words with the question, with the first."""
    asked = set(fold(question.text).split())
    # a line of a monograph is one statement: what to do, without what it is about, would be said of anything
    unit = _LINE if passage.kind == "our statement" else _SENTENCE
    spans = [(m.start(), m.end()) for m in unit.finditer(passage.text) if m.group().strip()]
    if len(spans) > _SENTENCES:
        scored = sorted(spans[1:], key=lambda s: -len(asked & set(fold(passage.text[s[0] : s[1]]).split())))
        spans = sorted([spans[0], *scored[: _SENTENCES - 1]])
    for start, end in spans:
        text = passage.text[start:end]
        start += len(text) - len(text.lstrip())
        end -= len(text) - len(text.rstrip())
        yield Said(passage.text[start:end], (quoted(passage, start, end, "passage"),))
