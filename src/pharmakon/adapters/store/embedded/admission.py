"""What may enter at all: the vocabulary's rules over a change set, as pure functions (KB-5, KB-6)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import Concept, ConceptId, concept_id, kind_of
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Condition, Statement
from pharmakon.model.vocabulary import factors, misfit

_ID = re.compile(r"[\w.:-]+")
OPS = frozenset({"<", "<=", ">", ">=", "is", "in", "not"})


def admit(change: ChangeSet) -> None:
    """Raise `BadInput` at the first concept, document or statement that the vocabulary does not allow."""
    for concept in change.concepts:
        _admit_concept(concept)
    for document in change.documents:
        _admit_document(document)
    for statement in change.statements:
        _admit_statement(statement)


def mentioned(statement: Statement) -> Iterable[ConceptId]:
    """Every concept a statement speaks of, its conditions included."""
    yield statement.subject
    if statement.object is not None:
        yield statement.object
    yield from statement.excluded
    for condition in conditions(statement):
        if factors()[condition.factor].shape == "concept":
            yield from (ConceptId(value) for value in condition.values)


def conditions(statement: Statement) -> Iterable[Condition]:
    for clause in statement.when:
        yield from clause
    for modifier in statement.modifiers:
        yield from modifier.clause


def _admit_concept(concept: Concept) -> None:
    concept_id(concept.id)
    if not concept.names:
        raise BadInput(f"{concept.id} has no name")


def _admit_document(document: Document) -> None:
    if len({section.ord for section in document.sections}) < len(document.sections):
        raise BadInput("two sections have the same place", where=f"{document.id} {document.version}")


def _admit_statement(statement: Statement) -> None:
    if statement.id and not _ID.fullmatch(statement.id):
        raise BadInput(f"{statement.id!r} is no statement id", expected="what model.statements.identified gives")
    object_kind = "" if statement.object is None else kind_of(statement.object)
    if complaint := misfit(statement.relation, kind_of(statement.subject), object_kind):
        raise BadInput(complaint[0], where=_place(statement), expected=complaint[1])
    for condition in conditions(statement):
        if condition.factor not in factors():
            raise BadInput(f"unknown factor {condition.factor!r}", where=_place(statement))
        if condition.op not in OPS:
            raise BadInput(
                f"unknown operator {condition.op!r}", where=_place(statement), expected=" ".join(sorted(OPS))
            )


def _place(statement: Statement) -> str:
    return " ".join(part for part in (statement.id, statement.subject, statement.relation, statement.object) if part)
