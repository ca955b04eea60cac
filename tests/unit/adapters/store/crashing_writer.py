"""Writes change after change and says so after each, until it is killed; `test_crash` runs it as a program.

Change `n` adds a concept to a tree and gives a common document its next version, which retires what the last one alone
said, so that concepts, closure, texts, evidence and retirement all have something to tear.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pharmakon.adapters.store.embedded import open_embedded
from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import ConceptId
from tests.contract.examples import change, concept, document, quote, said


def member(number: int) -> ConceptId:
    return ConceptId(f"class:member-{number}")


def sentence(number: int) -> str:
    return f"Member {number} belongs to member {number // 2}."


def next_change(number: int) -> ChangeSet:
    """`number` counts from 1; `class:member-0` is the root."""
    own = document(f"own-{number}", sentences=[sentence(number), "药" * (number % 50)])
    log = document("log", version=str(number), sentences=[sentence(n) for n in range(1, number + 1)])
    concepts = [concept(member(number)), *([concept(member(0))] if number == 1 else [])]
    membership = said(member(number), "belongs_to", member(number // 2), evidence=[quote(own, sentence(number))])
    only_logged = said(
        member(number), "interacts_with", member(0), evidence=[quote(log, sentence(number))], management="Watch."
    )
    return change(membership, only_logged, concepts=concepts, documents=[own, log], why=f"number {number}")


def main(folder: str, project: bool) -> None:
    knowledge = open_embedded(Path(folder))
    while True:
        number = knowledge.change_no() + 1
        knowledge.apply(next_change(number))
        print(number, flush=True)
        if project:
            knowledge.project()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] == "project")
