"""INDICATION_MISMATCH: what a drug is ordered for against what it is labelled for.

An indication on the order decides (warning). Without one, a list of conditions none of which the drug treats is only
worth an info, and nothing at all for drugs that treat symptoms, which problem lists leave out. Accepted practice, such
as saline to flush a line, silences the mismatch in the open (PG-9). What is held of 0.9 % saline says nothing about a
more concentrated one.
"""

from __future__ import annotations

from collections.abc import Iterator

from pharmakon.audit.case import Breach, Case, Looked, Outcome
from pharmakon.audit.concentration import unlike_what_is_held
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import guard_holds
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.profile import HeldCondition
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import Tier

NAME = "indication"
RELATIONS = ("treats", "used_for")


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    for exposure in case.exposures:
        yield from _exposure(case, exposure, say)


def _exposure(case: Case, exposure: Exposure, say: Phrases) -> Iterator[Outcome]:
    practice = [s for s, _ in exposure.rules("used_for") if guard_holds(s.when, case.scene(exposure)) is not False]
    treats = [s for s, _ in exposure.rules("treats") if not s.negative and s.object is not None]
    if not treats and not practice:
        return
    if why := unlike_what_is_held(exposure):
        yield Looked(NAME, (exposure.name,), "not_assessable", why)
        return
    if exposure.indication is not None:
        fits = [s for s in (*treats, *practice) if s.object and _fits(s.object, exposure.indication, exposure)]
        if fits:
            yield Looked(NAME, (exposure.name,), "within", str(fits[0].object))
        elif treats:
            name = case.names[exposure.indication]
            yield Looked(NAME, (exposure.name,), "breach")
            yield _mismatch(exposure, treats, Tier.WARNING, say("indication", drug=exposure.name, indication=name), say)
        return
    if practice:
        uses = sorted({case.names[s.object] for s in practice if s.object})
        yield Looked(NAME, (exposure.name,), "within", f"accepted practice without an indication: {', '.join(uses)}")
        return
    held = case.profile.conditions or ()
    labelled = frozenset(s.object for s in treats if s.object)
    if not held:
        yield Looked(NAME, (exposure.name,), "not_assessable", "neither an indication nor conditions are given")
    elif any(_fit_one_of(labelled, h, exposure) for h in held):
        yield Looked(NAME, (exposure.name,), "within")
    elif any(s.object and kind_of(s.object) == "symptom" for s in treats) or exposure.as_needed:
        yield Looked(
            NAME, (exposure.name,), "not_assessable", "it treats symptoms, which lists of conditions leave out"
        )
    else:
        yield Looked(NAME, (exposure.name,), "breach")
        yield _mismatch(exposure, treats, Tier.INFO, say("indication_list", drug=exposure.name), say)


def _fits(labelled: ConceptId, given: ConceptId, exposure: Exposure) -> bool:
    """Whether what is given is the labelled indication, a kind of it, or the label's more special form of it."""
    if labelled == given or labelled in exposure.indication_ancestors:
        return True
    return given in exposure.bundle.diseases.get(labelled, frozenset())


def _fit_one_of(labelled: frozenset[ConceptId], held: HeldCondition, exposure: Exposure) -> bool:
    """`_fits` for all labelled indications at once."""
    if not labelled.isdisjoint(held.ancestors):
        return True
    return any(held.concept in exposure.bundle.diseases.get(one, frozenset()) for one in labelled)


def _mismatch(exposure: Exposure, treats: list[Statement], tier: Tier, summary: str, say: Phrases) -> Breach:
    return Breach(
        type="INDICATION_MISMATCH",
        tier=tier,
        exposures=(exposure,),
        problem="indication",
        summary=summary,
        management=say("manage_indication"),
        statements=tuple(treats),
    )
