"""A `ChangeSet` is everything one write does; it enters whole or not at all (KB-8)."""

from __future__ import annotations

from dataclasses import dataclass

from pharmakon.model.concepts import Concept, ConceptId
from pharmakon.model.documents import Document
from pharmakon.model.statements import Statement


@dataclass(frozen=True, slots=True)
class Learned:
    """Names and codes that a document gives a concept. They go with the last document that gives them."""

    document: str
    concept: Concept


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a person has to decide: is `name`, taken for `taken_as` for now, one of `candidates`?"""

    document: str
    name: str
    taken_as: ConceptId
    candidates: tuple[ConceptId, ...]
    why: str


@dataclass(frozen=True, slots=True)
class OpenDoubt:
    """A doubt that is stored and not decided yet."""

    no: int
    doubt: Doubt


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """`concepts` are held by hand and merged by id (names and codes add up); `learned` ones are held by documents.

    A document's older versions are retired with their evidence, and so is what a document of this change
    had given of names and codes and does not give in `learned` now.

    Every statement's evidence must point into a document of this change set or one that is stored already.
    """

    actor: str
    why: str
    concepts: tuple[Concept, ...] = ()
    documents: tuple[Document, ...] = ()
    statements: tuple[Statement, ...] = ()
    learned: tuple[Learned, ...] = ()  #: given by documents of this change
    doubts: tuple[Doubt, ...] = ()
    anew: bool = False  #: what the documents said before is taken back even where their text is the same
    renames: bool = False  #: the names and codes in `concepts` take the place of all that these had by hand


@dataclass(frozen=True, slots=True)
class Applied:
    """What a write did. `refused` holds a line for each piece of evidence the gate turned away."""

    change_no: int
    statements: int
    retired: int
    refused: tuple[str, ...] = ()
