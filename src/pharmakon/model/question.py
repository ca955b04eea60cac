"""A question as it is understood: its language, and what its words name."""

from __future__ import annotations

from dataclasses import dataclass, field

from pharmakon.model.concepts import ConceptId
from pharmakon.model.prescription import Patient

#: How what is named stands to the person: it is asked about, taken, had as a condition, taken no more, said not to be
#: taken or had, what somebody is allergic to, or (without a concept) a state of the person: "pregnant", "eGFR 25".
ROLES = ("asked", "taken", "had", "stopped", "denied", "allergen", "person")


@dataclass(frozen=True, slots=True)
class Link:
    """`text[start:end]` names `concepts`: one, or several where the name is ambiguous."""

    start: int
    end: int
    concepts: tuple[ConceptId, ...]
    words: str  #: as written in the question
    guessed: bool = False  #: the name is spelt otherwise in the lexicon
    wanted: bool = False  #: something is asked for against the concept: "painkiller"
    role: str = "asked"  #: one of ROLES
    form: str = ""  #: the form for the skin that is said of a drug, as written: "gel"
    part: bool = False  #: it is a brand with what makes another product of it: of "Nurofen Plus" Nurofen alone is known


@dataclass(frozen=True, slots=True)
class Question:
    """`lang` is en, nl or zh. `carried` are links of earlier turns of the same session, the newest first.

    What is carried holds for this question: it leans on what was asked, or it asks for the person who takes or has it.
    Carried links in the role "person" have no concept; their words say what `patient` holds from earlier turns.
    """

    text: str
    lang: str
    links: tuple[Link, ...] = ()
    carried: tuple[Link, ...] = ()
    patient: Patient = field(default_factory=Patient)  #: what it and earlier turns say of the person it is about
    aside: tuple[Link, ...] = ()  #: named, and not what it is about: stopped, denied, or what somebody is allergic to
    asks: bool = True  #: False for a bare statement: "I take warfarin."
    unread: tuple[str, ...] = ()  #: what stands where a name would, and names nothing that is known

    def named(self, *kinds: str) -> tuple[ConceptId, ...]:
        """The concepts of these kinds that the question itself names, each once, in its order; all kinds if none."""
        found = (c for link in self.links for c in link.concepts if not kinds or c.partition(":")[0] in kinds)
        return tuple(dict.fromkeys(found))
