"""RENAL_IMPAIRMENT, HEPATIC_IMPAIRMENT as an info: a rule waits for the function of an organ on record as ill.

The gap says which value is missing; this says that the record gives a reason to get it for this drug.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pharmakon.audit.case import Breach, Case, Looked, Outcome
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import Scene, guard_holds, mentions_route, unknown_in
from pharmakon.model.concepts import ConceptId
from pharmakon.model.profile import HeldCondition
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import Tier, factors

NAME = "organ"
RELATIONS = ("dose_limit", "dose_adjustment", "contraindicated_in", "requires_caution_with")


@dataclass(frozen=True, slots=True)
class Organ:
    risk: str
    factors: frozenset[str]  #: measures of its function
    diseases: frozenset[ConceptId]


ORGANS = (
    Organ(
        "RENAL_IMPAIRMENT",
        frozenset({"crcl", "egfr", "creatinine"}),
        frozenset({ConceptId("disease:acute-kidney-injury"), ConceptId("disease:chronic-kidney-disease")}),
    ),
    Organ("HEPATIC_IMPAIRMENT", frozenset({"child_pugh"}), frozenset({ConceptId("disease:liver-disease")})),
)


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    for organ in ORGANS:
        ill = _on_record(case, organ)
        if ill is None:
            continue
        for exposure in case.exposures:
            yield from _exposure(case, exposure, organ, ill, say)


def _missing(waiting: Sequence[Statement], scene: Scene, say: Phrases) -> str:
    """What the rules wait for, by the names of the values."""
    needs = dict.fromkeys(c.factor for s in waiting for c in unknown_in(s.when, scene))
    return say.listed([factors()[need].label for need in needs])


def _on_record(case: Case, organ: Organ) -> HeldCondition | None:
    held = case.profile.conditions or ()
    return next((h for h in held if h.status == "active" and h.ancestors & organ.diseases), None)


def _exposure(case: Case, exposure: Exposure, organ: Organ, ill: HeldCondition, say: Phrases) -> Iterator[Outcome]:
    scene = case.scene(exposure)
    waiting: list[Statement] = []
    for relation in RELATIONS:
        for statement, _ in exposure.rules(relation):
            asked = {c.factor for clause in statement.when for c in clause}
            if not asked & organ.factors or (exposure.local and not mentions_route(statement)):
                continue
            truth = guard_holds(statement.when, scene)
            if truth:
                return  # what is known decides already
            if truth is None:
                waiting.append(statement)
    if not waiting:
        return
    worst = max(waiting, key=lambda s: s.tier)
    yield Looked(NAME, (exposure.name,), "not_assessable", say("organ_why"))
    yield Breach(
        type=organ.risk,
        tier=Tier.INFO,
        exposures=(exposure,),
        problem=organ.risk,
        summary=say(
            "organ", drug=exposure.name, disease=case.names[ill.concept], missing=_missing(waiting, scene, say)
        ),
        management=say("manage_organ"),
        statements=(worst, *(s for s in waiting if s is not worst)),
        inputs=(f"{case.names[ill.concept]}: {ill.source}",),
    )
