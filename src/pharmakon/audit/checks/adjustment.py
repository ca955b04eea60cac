"""DOSE_ADJUSTMENT_MISSED: a labelled adjustment that states no single figure, and whose conditions hold."""

from __future__ import annotations

from collections.abc import Iterator

from pharmakon.audit.case import Breach, Case, Looked, Outcome, Waiting
from pharmakon.audit.describe import co_medication, inputs, reasons
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import guard_holds, mentions_route, true_in, unknown_in, weigh

NAME = "adjustment"
RELATIONS = ("dose_adjustment",)


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    for exposure in case.exposures:
        found = [s for s, _ in exposure.rules("dose_adjustment") if not exposure.local or mentions_route(s)]
        result = "within"
        for statement in found:
            scene = case.scene(exposure)
            truth = guard_holds(statement.when, scene)
            if truth is None:
                result = "not_assessable" if result == "within" else result
                waits = unknown_in(statement.when, scene)
                yield Waiting(statement.risk, statement.tier, (exposure,), statement.id, waits, statement)
            elif truth:
                result = "breach"
                clause = true_in(statement.when, scene)
                others = co_medication(clause, case, exposure)
                weight = weigh(statement, scene)
                names = say.listed([o.name for o in others])
                summary = (
                    say("adjust_with", drug=exposure.name, others=names)
                    if others
                    else say("adjust", drug=exposure.name, reason=reasons(clause, case, exposure))
                )
                yield Breach(
                    type=statement.risk,
                    tier=weight.tier,
                    exposures=(exposure, *others),
                    problem="dose",
                    summary=summary,
                    management=weight.management,
                    statements=(statement,),
                    undecided=tuple((m.tier, waits) for m, waits in weight.undecided),
                    inputs=inputs(clause, case, exposure),
                )
        if found:
            yield Looked(NAME, (exposure.name,), result)
