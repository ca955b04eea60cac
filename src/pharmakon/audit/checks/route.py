"""ROUTE_ERROR: the ordered route against the routes by which the drug is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pharmakon.audit.case import Breach, Case, Looked, Outcome
from pharmakon.audit.concentration import unlike_what_is_held
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import guard_holds
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import routes
from pharmakon.ports.knowledge import Step

Rule = tuple[Statement, Sequence[Step]]

NAME = "route"
RELATIONS = ("given_by",)


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    for exposure in case.exposures:
        found = list(exposure.rules("given_by"))
        if found:
            yield from _exposure(case, exposure, found, say)


def _exposure(case: Case, exposure: Exposure, found: Sequence[Rule], say: Phrases) -> Iterator[Outcome]:
    # a product's own routes speak for it; its ingredients may have others
    own = [f for f in found if f[0].subject == exposure.product] or found
    if exposure.route is None:
        yield Looked(NAME, (exposure.name,), "not_assessable", "no route given")
        return
    if why := unlike_what_is_held(exposure):
        yield Looked(NAME, (exposure.name,), "not_assessable", why)
        return
    scene = case.scene(exposure)
    fits = _form_fits(exposure)
    if fits and any(guard_holds(s.when, scene) is not False for s, _ in own):
        yield Looked(NAME, (exposure.name,), "within")
        return
    statement = own[0][0]
    yield Looked(NAME, (exposure.name,), "breach")
    yield Breach(
        type="ROUTE_ERROR",
        tier=statement.tier,
        exposures=(exposure,),
        problem="ROUTE_ERROR",
        summary=say("route", drug=exposure.name, route=exposure.route.replace("_", " "))
        if fits
        else say("route_form", drug=exposure.name, form=exposure.form_route, route=exposure.route.replace("_", " ")),
        management=statement.management or say("manage_route"),
        statements=tuple(s for s, _ in own),
        inputs=(f"route: {exposure.route.replace('_', ' ')}",),
    )


def _form_fits(exposure: Exposure) -> bool:
    """Whether the ordered form goes by the ordered route: a gel is not swallowed, a tablet for the tongue neither."""
    route, form = exposure.route, exposure.form_route
    if route is None or form is None or route == form:
        return True
    if form == "oral":
        return route in ("sublingual", "rectal", "vaginal")
    return form == routes()[route].within or routes()[form].within == route
