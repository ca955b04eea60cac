"""The support check over one state of a knowledge base, and what it has dropped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Evidence
from pharmakon.model.question import Link
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.support import Verdict, check

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

    def _above(self, concept: ConceptId) -> Collection[ConceptId]:
        return frozenset(self._knowledge.ancestors([concept])[concept]) | {concept}
