"""Turns of one conversation: what was named before holds on where a question leans on it ("and if I am pregnant?")."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pharmakon.ask.sentinel import leans
from pharmakon.model.prescription import Patient
from pharmakon.model.question import Link, Question
from pharmakon.retrieve.people import carried as person_so_far


@dataclass(frozen=True, slots=True)
class Session:
    """What earlier turns named, the newest first, and what they said of the person."""

    links: tuple[Link, ...] = ()
    patient: Patient = field(default_factory=Patient)

    def before(self, question: Question) -> Question:
        """`question` with what it leans on; one that stands by itself takes over nothing but the person."""
        if not leans(question):
            return question
        named = set(question.named())
        earlier = tuple(link for link in self.links if named.isdisjoint(link.concepts))
        return replace(question, carried=earlier, patient=person_so_far(self.patient, question.patient))

    def after(self, question: Question) -> Session:
        """The session once `question` (as `before` gave it) is answered; a new subject replaces the old."""
        return Session((*question.links, *question.carried), question.patient)
