"""The support check over one state of a knowledge base, and what it has dropped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pharmakon.model.answer import Said
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Evidence
from pharmakon.model.question import Link
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.support import Verdict, check
from pharmakon.retrieve.supporting.figures import figures

_KEPT = 4096  #: texts whose names are remembered


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence of a model that is not said, and why."""

    text: str
    why: str


class Checker:
    """`links` finds names in a text (`retrieve.questions.Reader.links_of`)."""

    def __init__(self, knowledge: KnowledgeBase, links: Callable[[str], Sequence[Link]]) -> None:
        self._knowledge = knowledge
        self.links = lru_cache(_KEPT)(links)
        self.above = lru_cache(_KEPT)(self._above)

    def check(self, sentence: str, evidence: Sequence[Evidence], lang: str = "") -> Verdict:
        return check(sentence, evidence, self.links, self.above, lang)

    def supports(self, said: Said, lang: str, given: str = "") -> Verdict:
        """Whether a sentence of an answer is supported, whoever made it.

        Quotations and a model's sentences by the whole check. What templates make of statements and findings
        (`finding`, `list`) has its relation from them and not from words: of it every name must be one that its
        evidence names, or of a class above or below, and every amount must stand there or in the question (`given`).
        """
        if said.role == "frame":
            return Verdict(True, "frame")
        if said.role == "claim":
            return self.check(said.text, said.evidence, lang)
        quoted = "\n".join([given, *(text for e in said.evidence for text in (e.title, e.quote))])
        held = {c for link in self.links(quoted) for c in link.concepts}
        above = {up for c in held for up in self.above(c)}
        missing = [
            link.words
            for link in self.links(said.text)
            if held.isdisjoint(link.concepts)
            and above.isdisjoint(link.concepts)
            and all(held.isdisjoint(self.above(c)) for c in link.concepts)
        ]
        if missing:
            return Verdict(False, "concepts", tuple(missing))
        known = figures(_spaced(quoted), lang)
        amounts = [f for f in figures(_spaced(said.text), lang) if f.unit and not any(f.same_size(k) for k in known)]
        return Verdict(not amounts, "figures" if amounts else "template", tuple(map(str, amounts)))

    def _above(self, concept: ConceptId) -> Collection[ConceptId]:
        return frozenset(self._knowledge.ancestors([concept])[concept]) | {concept}


def _spaced(text: str) -> str:
    """Units of clearance as a text writes them: the engine leaves the blank out."""
    return text.lower().replace("1.73m2", "1.73 m2")
