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
from pharmakon.model.statements import Clause, Condition, Statement
from pharmakon.ports.knowledge import Step

NAME = "contraindication"
RELATIONS = ("contraindicated_in", "requires_caution_with")
#: Types that are one clinical problem per drug, however many rules speak of it.
_ONE_PROBLEM = frozenset(
    {"RENAL_IMPAIRMENT", "HEPATIC_IMPAIRMENT", "AGE_RESTRICTION", "PREGNANCY_LACTATION", "ROUTE_ERROR"}
)


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    for exposure in case.exposures:
        about = [*exposure.rules("contraindicated_in"), *exposure.rules("requires_caution_with")]
        if not about:
            continue
        scene = case.scene(exposure)
        banded = _liver_is_banded(case, exposure)
        results = [
            outcome
            for statement, chain in about
            if not statement.negative
            and (not exposure.local or mentions_route(statement))
            and not (banded and _is_general_liver_caution(statement))
            for outcome in _statement(case, exposure, scene, statement, chain, say)
        ]
        yield from results
        kinds = {type(o) for o in results}
        unread = "a recorded condition is not recognised" if "condition" in case.profile.unread else ""
        result = "breach" if Breach in kinds else "not_assessable" if Waiting in kinds or unread else "within"
        yield Looked(NAME, (exposure.name,), result, unread if result == "not_assessable" else "")


def _liver_is_banded(case: Case, exposure: Exposure) -> bool:
    """Whether the Child-Pugh class is known and the drug's rules speak of it: then they say what a class asks for."""
    known = case.profile.factors.get("child_pugh")
    if known is None or not isinstance(known.value, frozenset) or len(known.value) != 1:
        return False
    relations = (*RELATIONS, "dose_limit", "dose_adjustment")
    return any(_asks_child_pugh(s) for relation in relations for s, _ in exposure.rules(relation))


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
