"""A question as it is understood: its language, and what its words name."""

from __future__ import annotations

from dataclasses import dataclass, field

from pharmakon.model.concepts import ConceptId
from pharmakon.model.prescription import Patient


@dataclass(frozen=True, slots=True)
class Link:
    """`text[start:end]` names `concepts`: one, or several where the name is ambiguous."""

    start: int
    end: int
    concepts: tuple[ConceptId, ...]
    words: str  #: as written in the question
    guessed: bool = False  #: the name is spelt otherwise in the lexicon
    wanted: bool = False  #: something is asked for against the concept: "painkiller"


@dataclass(frozen=True, slots=True)
class Question:
    """`lang` is en, nl or zh. `carried` are links of earlier turns of the same session, the newest first."""

    text: str
    lang: str
    links: tuple[Link, ...] = ()
    carried: tuple[Link, ...] = ()
    patient: Patient = field(default_factory=Patient)  #: what it and earlier turns say of the person it is about

    def named(self, *kinds: str) -> tuple[ConceptId, ...]:
        """The concepts of these kinds that the question itself names, each once, in its order; all kinds if none."""
        found = (c for link in self.links for c in link.concepts if not kinds or c.partition(":")[0] in kinds)
        return tuple(dict.fromkeys(found))
