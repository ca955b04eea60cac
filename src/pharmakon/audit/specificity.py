"""Which rule is more specific: the order in which P-EST looks for one that fits (PG-5). Pure and worked out once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Condition, Statement
from pharmakon.ports.knowledge import Step

Above = Mapping[ConceptId, frozenset[ConceptId]]
"""Disease → everything it is a kind of."""

_NOTHING: frozenset[ConceptId] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """One clause of a dose limit as a rule. `place` is its place among the rules of its dimension.

    `under` holds the places of the rules of the same source that this one is strictly more specific than. What a
    machine read overrules nothing that a person has written, though both quote one label.
    """

    statement: Statement
    clause: Clause
    chain: Sequence[Step]
    place: int
    under: frozenset[int]


def prepare(rules: Sequence[tuple[Statement, Clause, Sequence[Step]]], above: Above) -> tuple[Prepared, ...]:
    """The rules of one dimension, each with those it overrules where both are true."""
    sources = [_sources(statement) for statement, _, _ in rules]
    return tuple(
        Prepared(
            statement, clause, chain, i,
            frozenset(
                j
                for j, (written, other, _) in enumerate(rules)
                if i != j and (written.by_machine or not statement.by_machine)
                and sources[i] & sources[j] and narrower(clause, other, above)
            ),
        )
        for i, (statement, clause, chain) in enumerate(rules)
    )  # fmt: skip


def _sources(statement: Statement) -> frozenset[str]:
    return frozenset(e.citation.reference if e.citation else e.document for e in statement.evidence)


def implies(a: Condition, b: Condition, above: Above) -> bool:
    """Whether whatever fulfils `a` fulfils `b`: CrCl below 30 implies CrCl below 60, a lymphoma is a cancer."""
    if (a.factor, a.of, a.negated) != (b.factor, b.of, b.negated):
        return False
    if a.values or b.values:
        if b.negated:
            return a.values == b.values
        return all(v in b.values or not above.get(ConceptId(v), _NOTHING).isdisjoint(b.values) for v in a.values)
    upper, lower = ("<", "<="), (">", ">=")
    if a.op in upper and b.op in upper:
        return a.number < b.number or (a.number == b.number and not (a.op == "<=" and b.op == "<"))
    if a.op in lower and b.op in lower:
        return a.number > b.number or (a.number == b.number and not (a.op == ">=" and b.op == ">"))
    return False


def narrower(a: Clause, b: Clause, above: Above) -> bool:
    """Whether `a` is strictly more specific than `b`: it implies all of `b`, and `b` does not imply all of it."""

    def covers(x: Clause, y: Clause) -> bool:
        return all(any(implies(p, q, above) for p in x) for q in y)

    return covers(a, b) and not covers(b, a)
