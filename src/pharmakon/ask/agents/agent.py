"""What every agent is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pharmakon.ask.wording import Localiser
from pharmakon.ask.words import Words
from pharmakon.audit.run import Auditor
from pharmakon.model.answer import Draft, Said, Step
from pharmakon.model.concepts import ConceptId
from pharmakon.model.question import Question
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.ports.language_model import LanguageModel
from pharmakon.retrieve.facts import name_in
from pharmakon.retrieve.passages import Passages


class PassageSearch(Protocol):
    def expect(self, text: str) -> None:
        """A question that will probably be searched for."""
        ...

    def find(self, question: Question, limit: int) -> Passages: ...


@dataclass(slots=True)
class Tools:
    """The open knowledge base as an agent sees it, and the trace it writes into."""

    knowledge: KnowledgeBase
    auditor: Auditor
    passages: PassageSearch
    intent: str
    words: Words
    supports: Callable[[Said], bool]  #: whether its evidence supports a sentence that nobody wrote for this question
    model: LanguageModel | None = None
    without: frozenset[str] = frozenset()  #: parts switched off, for measuring
    steps: list[Step] = field(default_factory=list)

    def note(self, name: str, **detail: object) -> None:
        """One step of the trace."""
        self.steps.append(Step(name, detail))

    def name(self, concept: ConceptId) -> str:
        """What the reader calls it."""
        return name_in(self.knowledge.concepts({concept})[concept], self.words.lang)

    def parts(self, drug: ConceptId) -> tuple[ConceptId, ...]:
        """A product and what it is made of: what holds for an ingredient holds for it, and a finding names that."""
        made_of = self.knowledge.about({drug}, ("has_ingredient",))
        return (drug, *(s.object for s in made_of if s.object is not None))

    def wording(self, concepts: Sequence[ConceptId]) -> Callable[[str], str]:
        """Puts the names of `concepts`, of what stands above them and of ids into the reader's language."""
        above = self.knowledge.ancestors(concepts)
        known = self.knowledge.concepts({c for chains in above.values() for c in chains})
        return Localiser({c.display: name_in(c, self.words.lang) for c in known.values()}, self.knowledge, self.words)

    def drug_name(self, concept: ConceptId) -> str:
        """The canonical English name, as orders are written."""
        return self.knowledge.concepts({concept})[concept].display


class Agent(Protocol):
    @property
    def name(self) -> str: ...

    def draft(self, question: Question, tools: Tools) -> Draft:
        """What to say; an empty one that says `abstained` where there is no evidence."""
        ...
