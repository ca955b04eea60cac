"""Rules read out of labels, against those that a reader wrote down by hand.

A statement is taken apart into claims: one for each clause of its guard and each sentence that supports it. A claim is
right where it overlaps a rule of the gold, asks the same of the patient and has the same limit. Precision is of claims,
recall of rules, and labels outside the gold count nowhere.

Drug pairs are not counted here. A caution in a disease is none of the five types, so it can be right (the label says to
avoid the drug, which a caution says too) but not wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

from pharmakon.evaluate.extraction.places import locator
from pharmakon.evaluate.extraction.rules_gold import Rule, Test, questions_of, sorting
from pharmakon.evaluate.extraction.rules_score import Claim, score
from pharmakon.evaluate.surveys.survey import Survey
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Clause, Limit, Statement
from pharmakon.model.vocabulary import Tier

Reading = Callable[[Path], Iterable[tuple[Document, Sequence[Statement]]]]
"""A file → the documents in it, each with the statements that were read out of it."""

#: Relation → the action its statements ask for; a contraindication that is no more than a warning says "avoid".
_ACTIONS = {
    "contraindicated_in": "contraindicated",
    "requires_caution_with": "monitor",
    "dose_limit": "limit",
    "dose_adjustment": "reduce",
}
_SOFT = frozenset(["requires_caution_with", "dose_adjustment"])


def survey(gold: Sequence[Rule], folder: Path, reading: Reading) -> Survey:
    """Every label of the gold, `folder/<file>.txt`, through `reading`."""
    files = sorted({rule.file for rule in gold})
    claims: dict[str, list[Claim]] = {}
    seconds = 0.0
    for file in files:
        path = folder / f"{file}.txt"
        try:
            text = path.read_text("utf-8")
        except OSError as error:
            raise BadInput(
                f"{path.name} can't be read: {error.strerror}", where=str(folder), expected="labels"
            ) from None
        start = time.perf_counter()
        found = [(document, list(statements)) for document, statements in reading(path)]
        seconds += time.perf_counter() - start
        claims[file] = sorted(
            {c for d, s in found for c in claimed(text, d, s)}, key=lambda c: (c.start, c.end, str(c))
        )
    return score(gold, claims, seconds)


def claimed(text: str, document: Document, statements: Iterable[Statement]) -> Iterator[Claim]:
    """What `statements` claim of the places of `text`, the file that `document` was read from."""
    locate = locator(text, document)
    for statement in statements:
        for tests, action in _said(statement):
            type_ = _type(tests, statement.limit)
            soft = statement.relation in _SOFT and type_ == "contraindication"
            for evidence in statement.evidence:
                start, end = locate(evidence) or (evidence.start, 0)
                yield Claim(start, end, type_, tests, statement.limit, action, soft)


def _said(statement: Statement) -> Iterator[tuple[frozenset[Test], str]]:
    """Every clause of a statement as what it asks, with the action; a modifier is a clause of its own tier."""
    action = _ACTIONS.get(statement.relation)
    if action is None or statement.negative:
        return
    objects: list[Test | None] = [None]
    if statement.object is not None:
        factor = "indication" if statement.relation == "dose_limit" else "has"
        objects = [Test(factor, "in", frozenset({statement.object}))]
    clauses: list[tuple[Clause, Tier]] = [(clause, statement.tier) for clause in statement.when or ((),)]
    clauses += [(c + m.clause, m.tier) for c, _ in clauses.copy() for m in statement.modifiers]
    for (clause, tier), about in product(clauses, objects):
        avoid = action == "contraindicated" and tier < Tier.CRITICAL
        for tests in _asked(clause):
            asked = tests | {about} if about else tests
            if asked or statement.limit:
                yield asked, "avoid" if avoid else action


def _asked(clause: Clause) -> Iterator[frozenset[Test]]:
    """What a clause asks of the patient, once for each disease where a condition lists several. None for drug pairs."""
    counting = sorting()["counting"]
    if any(c.factor in counting["of_pairs"] or c.of == "object" for c in clause):
        return
    questions = [q for c in clause if c.factor not in counting["unasked"] for q in questions_of(c)]
    for chosen in product(*questions):
        yield frozenset(chosen)


def _type(tests: frozenset[Test], limit: Limit | None) -> str:
    for type_ in ("renal", "hepatic", "age"):
        kind = sorting()[type_]
        for test in tests:
            ids = test.value if isinstance(test.value, frozenset) else frozenset()
            if test.factor in kind["factors"] or (test.factor == "has" and ids & set(kind["concepts"])):
                return type_
    return "dose" if limit else "contraindication"
