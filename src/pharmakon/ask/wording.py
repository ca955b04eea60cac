"""Sentences of the audit in the reader's language: it names drugs and diseases by their canonical English names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pharmakon.ask.words import Words
from pharmakon.model.concepts import ConceptId
from pharmakon.model.prescription import Patient
from pharmakon.model.vocabulary import factors
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.facts import name_in

#: "had disease:peptic-ulcer", as conditions of rules are written.
_CONDITION = re.compile(r"\b(?:(had|has|with) )?([a-z]+:[a-z0-9]+(?:-[a-z0-9]+)*)\b")
#: A letter of a word; Chinese parts no words, so that a name may stand right beside its characters.
_LETTER = r"[^\W\u3400-\u9fff]"
_BESIDE_HAN = re.compile(r"(?<=[\u3400-\u9fff]) +(?=[\u3400-\u9fff])")


class Localiser:
    """Replaces `names` (canonical → the reader's), whole words alone, and ids of concepts by their names."""

    def __init__(self, names: Mapping[str, str], knowledge: KnowledgeBase, words: Words) -> None:
        names = {**_states(words), **names}
        self._names = {known.casefold(): name for known, name in names.items() if known != name}
        self._knowledge, self._words = knowledge, words
        longest_first = sorted((re.escape(n) for n in self._names), key=len, reverse=True)
        self._known = (
            re.compile(rf"(?<!{_LETTER})(?:{'|'.join(longest_first)})(?!{_LETTER})", re.IGNORECASE)
            if self._names
            else None
        )

    def __call__(self, text: str) -> str:
        text = _CONDITION.sub(self._condition, text)
        named = self._known.sub(lambda m: self._names[m[0].casefold()], text) if self._known else text
        return _BESIDE_HAN.sub("", named) if self._words.lang == "zh" else named

    def _condition(self, match: re.Match[str]) -> str:
        concept = self._knowledge.concepts({ConceptId(match[2])}).get(ConceptId(match[2]))
        if concept is None:
            return match[0]
        return self._words.condition(match[1] or "has", name_in(concept, self._words.lang))


def _states(words: Words) -> dict[str, str]:
    """What the audit calls a state or a measure of the person → the reader's words for it."""
    if words.lang == "en":
        return {}
    named = {factor.label: words.factor(name) for name, factor in factors().items()}
    states = (("pregnant", Patient(pregnant=True)), ("lactating", Patient(lactating=True)))
    return named | {factors()[name].label: words.person(patient)[0] for name, patient in states}
