"""ALLERGY_CONFLICT: recorded allergies against ingredients, their classes, and what cross-reacts with them.

An allergy to the ingredient or to a class it belongs to is critical; cross-reactivity speaks as its statement says; an
intolerance (a side effect) is an info.
"""

from __future__ import annotations

from collections.abc import Iterator

from pharmakon.audit.case import Breach, Case, Looked, Outcome
from pharmakon.audit.describe import identity
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import weigh
from pharmakon.model.profile import HeldAllergy
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import Tier

NAME = "allergy"
RELATIONS = ("cross_reacts_with",)


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    for exposure in case.exposures:
        if case.profile.allergies is None:
            yield Looked(NAME, (exposure.name,), "not_assessable", "allergies are not recorded")
            continue
        found = [b for allergy in case.profile.allergies for b in _conflicts(case, exposure, allergy, say)]
        yield from found
        if found:
            yield Looked(NAME, (exposure.name,), "breach")
        elif "allergy" in case.profile.unread:
            yield Looked(NAME, (exposure.name,), "not_assessable", "a recorded allergy is not recognised")
        else:
            yield Looked(NAME, (exposure.name,), "within")


def _conflicts(case: Case, exposure: Exposure, allergy: HeldAllergy, say: Phrases) -> Iterator[Breach]:
    name = case.names[allergy.concept]
    if allergy.concept in exposure.ancestors:
        chain = exposure.ancestors[allergy.concept]
        yield _breach(
            case, exposure, allergy, say("allergy", drug=exposure.name, allergen=name), Tier.CRITICAL, say, chain=chain
        )
        return
    above = case.allergens[allergy.concept]
    for statement in case.pairs:
        if statement.relation != "cross_reacts_with" or statement.object is None or statement.negative:
            continue
        pair = (statement.subject, statement.object)
        if not statement.excluded.isdisjoint({*above, *exposure.ancestors}):
            continue
        if any(x in above and y in exposure.ancestors for x, y in (pair, pair[::-1])):
            summary = say("cross", drug=exposure.name, allergen=name)
            tier = weigh(statement, case.scene(exposure)).tier
            yield _breach(case, exposure, allergy, summary, tier, say, statement)


def _breach(
    case: Case, exposure: Exposure, allergy: HeldAllergy, summary: str, tier: Tier, say: Phrases,
    statement: Statement | None = None, chain: object = (),
) -> Breach:  # fmt: skip
    if allergy.intolerance:
        name = case.names[allergy.concept]
        summary = say("intolerance", drug=exposure.name, allergen=name, reaction=allergy.reaction or "?")
        tier = Tier.INFO
    close = statement is None or statement.subject == statement.object
    return Breach(
        type="ALLERGY_CONFLICT",
        tier=tier,
        exposures=(exposure,),
        problem=allergy.concept,
        summary=summary,
        management=say("manage_intolerance")
        if allergy.intolerance
        else (statement.management if statement and statement.management else say("manage_allergy")),
        statements=((statement,) if statement else ()) + identity(exposure),
        chains=(chain,),  # type: ignore[arg-type]
        inputs=(f"allergy: {allergy.source}{f' ({allergy.reaction})' if allergy.reaction else ''}",),
        engine="allergy" if close and not allergy.intolerance else "",
    )
