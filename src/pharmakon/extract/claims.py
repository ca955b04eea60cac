"""What passes between the parts of extraction: sentences with their mentions go in, claims come out (PG-2).

A specialist reads one sentence at a time, of the sections it is made for, and knows nothing of stores. What it claims
becomes a statement with evidence in one place (`extract.label`), where every quotation is checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Statement


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a section's text that names something. Offsets are those of the section, `end` exclusive."""

    start: int
    end: int
    text: str
    concepts: tuple[ConceptId, ...]  #: one, or several where the words are ambiguous


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, list item or table row of a section. Offsets are those of the section, `end` exclusive."""

    ord: int  #: the section's place in the document
    kind: str  #: the section's kind
    heading: str  #: the section's heading; 7.3 "Cyclosporine" names the interacting drug
    start: int
    end: int
    text: str
    mentions: tuple[Mention, ...] = ()
    heading_mentions: tuple[Mention, ...] = ()  #: offsets are those of the heading


@dataclass(frozen=True, slots=True)
class LabelContext:
    """Whose label it is. `subjects`: the ingredient, or the product and its ingredients; `routes` of its products."""

    subjects: tuple[ConceptId, ...]
    routes: frozenset[str] = frozenset()
    ancestors: Mapping[ConceptId, frozenset[ConceptId]] = field(default_factory=dict)
    """Concept → everything above it: a mention of the label's own class is no other drug."""
    written: frozenset[ConceptId] = frozenset()  #: those whose classes and effects a monograph states


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement without id and evidence, and the span of the section's text that supports it.

    `spoken`: where the text speaks of a concept in other words than its names ("metabolized by CYP3A4"), as only an
    engine whose wordings were written for it can know.
    """

    statement: Statement
    start: int
    end: int
    spoken: tuple[Mention, ...] = ()
    proposer: str = "pattern"  #: or a model's name


@dataclass(frozen=True, slots=True)
class Read:
    """What a specialist made of a sentence. `why` says why it took nothing from a sentence it should have looked at.

    A sentence without claims and without `why` held nothing for this specialist. `refused`: a line for each claim that
    an engine proposed and its own checks turned away.
    """

    claims: tuple[Claim, ...] = ()
    why: str = ""
    refused: tuple[str, ...] = ()


class Specialist(Protocol):
    """Reads sentences of some kinds of sections for one kind of knowledge. Deterministic ones hold no state."""

    @property
    def name(self) -> str: ...

    @property
    def sections(self) -> frozenset[str]:
        """Section kinds it reads."""
        ...

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        """One `Read` for each sentence, in order; the sentences are those of one section, in order."""
        ...
