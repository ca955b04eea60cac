"""Dual granularity: exact facts about what the question names, and the wider picture they stand in (FG-4).

Micro: entity links, then the statements that bear on the question; passages by words and vectors where that is empty.
Macro: summaries of the communities that hold the same concepts. The answer goes from what is asked to the background.
"""

from __future__ import annotations

from pharmakon.ask import compose
from pharmakon.ask.agents.agent import Tools
from pharmakon.model.answer import Draft, Said
from pharmakon.model.question import Question
from pharmakon.retrieve.facts import between, facts

NAME = "dual_granularity"
_MICRO = 8


class DualGranularity:
    name = NAME

    def draft(self, question: Question, tools: Tools) -> Draft:
        named = question.named() or tuple(c for k in question.carried for c in k.concepts)
        found = facts(tools.knowledge, named, tools.intent) if named else []
        if len(named) > 1:
            found = between(tools.knowledge, named) or found
        tools.note("micro", concepts=list(named), statements=[f.statement.id for f in found[:_MICRO]])
        said: list[Said] = compose.stated(found, _MICRO)
        return Draft(tuple(said), named, abstained=not said)
