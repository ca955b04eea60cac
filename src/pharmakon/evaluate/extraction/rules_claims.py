"""Statements taken apart into claims: one for each clause, and each disease it names, at each place that says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from pharmakon.evaluate.extraction.rules_gold import Test, questions_of, sorting
from pharmakon.evaluate.extraction.rules_score import Claim
from pharmakon.model.statements import Clause, Limit, Statement
from pharmakon.model.vocabulary import Tier

#: Relation → the action its statements ask for; a contraindication that is no more than a warning says "avoid".
_ACTIONS = {
    "contraindicated_in": "contraindicated",
    "requires_caution_with": "monitor",
    "dose_limit": "limit",
    "dose_adjustment": "reduce",
}
_SOFT = frozenset(["requires_caution_with", "dose_adjustment"])


def claims_of(statement: Statement, places: Iterable[tuple[int, int]]) -> Iterator[Claim]:
    """What a statement claims of the `places` of a file that say it; the end is 0 where the file does not."""
    at = list(places)
    for tests, action in _said(statement):
        type_ = _type(tests, statement.limit)
        soft = statement.relation in _SOFT and type_ == "contraindication"
        for start, end in at:
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
