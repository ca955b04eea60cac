"""A `ChangeSet` is everything one write does; it enters whole or not at all (KB-8)."""

from __future__ import annotations

from dataclasses import dataclass

from pharmakon.model.concepts import Concept
from pharmakon.model.documents import Document
from pharmakon.model.statements import Statement


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Concepts are merged by id (names and codes add up); a document's older versions are retired with their evidence.

    Every statement's evidence must point into a document of this change set or one that is stored already.
    """

    actor: str
    why: str
    concepts: tuple[Concept, ...] = ()
    documents: tuple[Document, ...] = ()
    statements: tuple[Statement, ...] = ()
    renames: bool = False  #: the names and codes given here take the place of all that its concepts had


@dataclass(frozen=True, slots=True)
class Applied:
    """What a write did. `refused` holds a line for each piece of evidence the gate turned away."""

    change_no: int
    statements: int
    retired: int
    refused: tuple[str, ...] = ()
