"""INTERACTION_FOOD: food, drink and alcohol where a label says so. Diet is not in the input; the order speaks."""

from __future__ import annotations

from collections.abc import Iterator

from pharmakon.audit.case import Breach, Case, Outcome, Waiting
from pharmakon.audit.describe import inputs
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import guard_holds, mentions_route, true_in, unknown_in, weigh
from pharmakon.model.concepts import kind_of
from pharmakon.model.vocabulary import Tier

NAME = "food"
RELATIONS = ("interacts_with",)


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    for exposure in case.exposures:
        for statement, chain in exposure.rules("interacts_with"):
            if statement.object is None or kind_of(statement.object) != "lifestyle" or statement.negative:
                continue
            if exposure.local and not mentions_route(statement):
                continue
            scene = case.scene(exposure)
            truth = guard_holds(statement.when, scene)
            if truth is None:
                waits = unknown_in(statement.when, scene)
                yield Waiting(statement.risk, statement.tier, (exposure,), statement.object, waits, statement)
            if not truth:
                continue
            weight = weigh(statement, scene)
            habit = next((h for h in case.profile.habits if h.concept == statement.object), None)
            yield Breach(
                type=statement.risk,
                tier=max(weight.tier, Tier.WARNING) if habit else weight.tier,
                exposures=(exposure,),
                problem=statement.object,
                summary=say("food", drug=exposure.name, food=case.names[statement.object]),
                management=weight.management,
                statements=(statement,),
                chains=(chain,),
                inputs=(
                    *((f"note: “{habit.words}”",) if habit else ()),
                    *inputs((*true_in(statement.when, scene), *weight.because), case, exposure),
                ),
            )
