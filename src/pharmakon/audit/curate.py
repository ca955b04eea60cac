"""P-EST, the patient-profile evidence selection tree (PG-5, PharmGraph-Auditor 2.3.3).

Rules of one drug, route, indication and source form a tree by how specific their conditions are. The most specific true
rule decides, its parents are the fallback; among true rules that can't be ordered the strictest limit decides. A more
specific rule that is unknown becomes a gap where it would change the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pharmakon.audit.specificity import Prepared
from pharmakon.audit.truth import Scene, Truth, clause_holds, holds
from pharmakon.model.statements import Clause, Condition, Statement
from pharmakon.ports.knowledge import Step


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A prepared rule with its truth in a scene."""

    prepared: Prepared
    truth: Truth

    @property
    def statement(self) -> Statement:
        return self.prepared.statement

    @property
    def clause(self) -> Clause:
        return self.prepared.clause

    @property
    def chain(self) -> Sequence[Step]:
        return self.prepared.chain

    def overrules(self, other: Rule) -> bool:
        """Whether this rule is the more specific of the two, and of the same source."""
        return other.prepared.place in self.prepared.under


def rules_of(prepared: Iterable[Prepared], scene: Scene) -> list[Rule]:
    """The rules of a dimension in a scene, false ones left out."""
    judged = ((rule, clause_holds(rule.clause, scene)) for rule in prepared)
    return [Rule(rule, truth) for rule, truth in judged if truth is not False]


def select(rules: Sequence[Rule]) -> list[Rule]:
    """The true rules no other true rule of the same source is more specific than."""
    true = [r for r in rules if r.truth]
    if len(true) < 2:
        return true
    overruled = frozenset[int]().union(*(r.prepared.under for r in true))
    return [r for r in true if r.prepared.place not in overruled]


Selection = Callable[[Sequence[Rule]], list[Rule]]
"""Which of the rules decide. `select` is P-EST; an evaluation may put another in its place, to measure what it adds."""


def undecided(rules: Sequence[Rule], chosen: Sequence[Rule], scene: Scene) -> list[tuple[Rule, tuple[Condition, ...]]]:
    """Unknown rules that a chosen one does not already overrule, with the conditions they wait for."""
    return [
        (rule, tuple(c for c in rule.clause if holds(c, scene) is None))
        for rule in rules
        if rule.truth is None and not any(c.overrules(rule) for c in chosen)
    ]
