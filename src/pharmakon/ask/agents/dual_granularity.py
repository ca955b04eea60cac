"""Dual granularity: exact facts about what the question names, and the wider picture they stand in (FG-4).

Micro: entity links, then the statements that bear on the question; passages by words and vectors where that is empty.
Macro: summaries of the communities that hold the same concepts. The answer goes from what is asked to the background.
"""

from __future__ import annotations

from collections.abc import Sequence

from pharmakon.ask import compose, reactions
from pharmakon.ask.agents.agent import Tools
from pharmakon.model.answer import Draft, Said
from pharmakon.model.question import Question
from pharmakon.retrieve.facts import Fact, bearing, between, facts

NAME = "dual_granularity"
_MICRO = 8
_MACRO = 2
#: Relations whose other ends are choices; those of others are risks, or kinds of a thing.
_CHOICES = frozenset({"treats", "used_for", "recommended_for"})


class DualGranularity:
    name = NAME

    def draft(self, question: Question, tools: Tools) -> Draft:
        if (effects := reactions.draft(question, tools)) is not None:
            return effects
        named = question.named() or tuple(c for k in question.carried for c in k.concepts)
        found: list[Fact] = []
        if "micro" not in tools.without:
            found = between(tools.knowledge, named) if len(named) > 1 else []
            if not found and question.links:
                found = bearing(tools.knowledge, question, tools.intent)
            elif not found and named:
                found = facts(tools.knowledge, named, tools.intent)
        tools.note("micro", concepts=list(named), statements=[f.statement.id for f in found[:_MICRO]])
        said = compose.stated(found, _MICRO)
        if not said:
            return Draft((), named, abstained=True)
        return Draft((*said, *_background(question, found[:_MICRO], tools)), named)


def _background(question: Question, micro: Sequence[Fact], tools: Tools) -> list[Said]:
    """Sentences of the finest communities that say more of what is named, each with its statements' evidence."""
    if "macro" in tools.without:
        return []
    named = frozenset(question.named())
    homes = tools.knowledge.communities.homes(named)
    finest = list(dict.fromkeys(found[-1] for found in homes.values()))
    told = frozenset(f.statement.id for f in micro)
    said: list[Said] = []
    for summary in tools.knowledge.communities.summaries(tools.words.lang, finest):
        for sentence in summary.sentences:
            statements = tools.knowledge.statements(sentence.statements)
            about = [frozenset((s.subject, s.object)) for s in statements]  # what all of them are about
            if about and named & frozenset.intersection(*about) and told.isdisjoint(sentence.statements):
                evidence = tuple(s.evidence[0] for s in statements)
                choices = all(s.relation in _CHOICES for s in statements)
                said.append(Said(sentence.text, evidence, role="list" if choices else "finding"))
    tools.note("macro", communities=finest, sentences=len(said))
    return [s for s in compose.unique(said) if tools.supports(s)][:_MACRO]
