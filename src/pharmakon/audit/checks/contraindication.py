"""Contraindications and cautions: conditions, organ function, age, pregnancy, breastfeeding, deadly routes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pharmakon.audit.case import Breach, Case, Looked, Outcome, Waiting
from pharmakon.audit.describe import inputs, reasons
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import (
    Scene,
    all_of,
    clause_holds,
    guard_holds,
    holds,
    mentions_route,
    true_in,
    unknown_in,
    weigh,
)
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Condition, Statement
from pharmakon.ports.knowledge import Step

NAME = "contraindication"
RELATIONS = ("contraindicated_in", "requires_caution_with")
#: Types that are one clinical problem per drug, however many rules speak of it.
_ONE_PROBLEM = frozenset(
    {"RENAL_IMPAIRMENT", "HEPATIC_IMPAIRMENT", "AGE_RESTRICTION", "PREGNANCY_LACTATION", "ROUTE_ERROR"}
)


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    present = _present(case)
    banded = _liver_class_known(case)
    unread = "a recorded condition is not recognised" if "condition" in case.profile.unread else ""
    for exposure in case.exposures:
        if not exposure.bundle.cautions:
            continue
        scene = case.scene(exposure)
        results = [
            outcome
            for disease, about in exposure.bundle.cautions.items()
            if disease is None or present is None or disease in present
            for statement, chain in about
            if not (exposure.local and not mentions_route(statement))
            and not (banded and exposure.bundle.by_child_pugh and _is_general_liver_caution(statement))
            for outcome in _statement(case, exposure, scene, statement, chain, say)
        ]
        yield from results
        kinds = {type(o) for o in results}
        result = "breach" if Breach in kinds else "not_assessable" if Waiting in kinds or unread else "within"
        yield Looked(NAME, (exposure.name,), result, unread if result == "not_assessable" else "")


def _present(case: Case) -> frozenset[ConceptId] | None:
    """All that the patient has or may have, with everything above it; None where the list is not complete."""
    if case.profile.conditions is None or not case.profile.complete:
        return None
    return frozenset(c for h in case.profile.conditions if h.status != "history" for c in h.ancestors)


def _liver_class_known(case: Case) -> bool:
    """Whether the Child-Pugh class is known; rules by class then say what a general caution would."""
    known = case.profile.factors.get("child_pugh")
    return known is not None and isinstance(known.value, frozenset) and len(known.value) == 1


@lru_cache(maxsize=65_536)
def _asks_child_pugh(statement: Statement) -> bool:
    return any(c.factor == "child_pugh" for clause in statement.when for c in clause)


def _is_general_liver_caution(statement: Statement) -> bool:
    """A caution with liver disease of any degree is the fallback of rules by Child-Pugh class (P-EST)."""
    general = statement.relation == "requires_caution_with" and statement.risk == "HEPATIC_IMPAIRMENT"
    return general and not _asks_child_pugh(statement)


@lru_cache(maxsize=65_536)
def held_as(statement: Statement) -> Clause:
    """The object of a contraindication as a condition on the patient."""
    if statement.object is None:
        return ()
    return (Condition("has", "in", values=(statement.object,), text=f"has {statement.object}"),)


def _statement(
    case: Case, exposure: Exposure, scene: Scene, statement: Statement, chain: Sequence[Step], say: Phrases
) -> Iterator[Outcome]:
    extra = held_as(statement)
    truth = clause_holds(extra, scene)
    if truth is False:  # most are: look at the guard only where the patient has the condition
        return
    truth = all_of((truth, guard_holds(statement.when, scene)))
    if truth is False:
        return
    problem = statement.risk if statement.risk in _ONE_PROBLEM else str(statement.object or _factors(statement))
    if truth is None:
        waits = (*unknown_in(statement.when, scene), *(c for c in extra if holds(c, scene) is None))
        yield Waiting(statement.risk, statement.tier, (exposure,), problem, waits, statement)
        return
    weight = weigh(statement, scene)
    clause = (*extra, *true_in(statement.when, scene))
    key = "contraindicated" if statement.relation == "contraindicated_in" else "caution"
    yield Breach(
        type=statement.risk,
        tier=weight.tier,
        exposures=(exposure,),
        problem=problem,
        summary=say(key, drug=exposure.name, reason=reasons(clause, case, exposure)),
        management=weight.management,
        statements=(statement,),
        chains=(chain,),
        undecided=tuple((m.tier, waits) for m, waits in weight.undecided),
        inputs=inputs((*clause, *weight.because), case, exposure),
    )


def _factors(statement: Statement) -> str:
    return " ".join(sorted({c.factor for clause in statement.when for c in clause}))
