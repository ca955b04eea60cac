"""P-EST, the patient-profile evidence selection tree (PG-5, PharmGraph-Auditor 2.3.3).

Rules of one drug, route, indication and source form a tree by how specific their conditions are. The most specific true
rule decides, its parents are the fallback; among true rules that can't be ordered the strictest limit decides. A more
specific rule that is unknown becomes a gap where it would change the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pharmakon.audit.truth import Scene, Truth, clause_holds, holds
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Condition, Statement
from pharmakon.ports.knowledge import Step

_NOTHING: frozenset[ConceptId] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """One clause of a statement's guard, which is a rule of its own; the object of a dose limit is a condition too."""

    statement: Statement
    clause: Clause
    truth: Truth
    chain: Sequence[Step] = ()
    above: Mapping[ConceptId, frozenset[ConceptId]] = field(default_factory=dict, compare=False)  #: disease → its kinds

    @property
    def source(self) -> frozenset[str]:
        return frozenset(e.citation.reference if e.citation else e.document for e in self.statement.evidence)


def rules_of(prepared: Iterable[tuple[Statement, Clause, Sequence[Step]]], scene: Scene) -> list[Rule]:
    """The rules of a dimension in a scene, false ones left out."""
    above = scene.subject.bundle.diseases
    found: list[Rule] = []
    for statement, clause, chain in prepared:
        truth = clause_holds(clause, scene)
        if truth is not False:
            found.append(Rule(statement, clause, truth, chain, above))
    return found


def implies(a: Condition, b: Condition, above: Mapping[ConceptId, frozenset[ConceptId]]) -> bool:
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


def narrower(a: Rule, b: Rule) -> bool:
    """Whether `a` is strictly more specific than `b`: it implies all of `b`, and `b` does not imply all of it."""

    def covers(x: Rule, y: Rule) -> bool:
        return all(any(implies(p, q, x.above) for p in x.clause) for q in y.clause)

    return covers(a, b) and not covers(b, a)


def select(rules: Sequence[Rule]) -> list[Rule]:
    """The true rules no other true rule of the same source is more specific than."""
    true = [r for r in rules if r.truth]
    return [r for r in true if not any(narrower(o, r) and o.source & r.source for o in true)]


Selection = Callable[[Sequence[Rule]], list[Rule]]
"""Which of the rules decide. `select` is P-EST; an evaluation may put another in its place, to measure what it adds."""


def undecided(
    rules: Sequence[Rule], scene: Scene, choose: Selection = select
) -> list[tuple[Rule, tuple[Condition, ...]]]:
    """Unknown rules that a decided one does not already overrule, with the conditions they wait for."""
    chosen = choose(rules)
    open_ones = [r for r in rules if r.truth is None]
    return [
        (r, tuple(c for c in r.clause if holds(c, scene) is None))
        for r in open_ones
        if not any(narrower(c, r) and c.source & r.source for c in chosen)
    ]
