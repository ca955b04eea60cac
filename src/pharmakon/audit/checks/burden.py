"""CUMULATIVE_BURDEN: effects that add up over drugs, and opioid doses in morphine milligram equivalents (MME)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pharmakon.audit.case import Breach, Case, Looked, Outcome, Waiting
from pharmakon.audit.describe import inputs
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import Truth, guard_holds, true_in, unknown_in
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Statement

NAME = "burden"
RELATIONS = ("has_effect", "burden_limit", "morphine_equivalent")


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    carriers: dict[ConceptId, dict[ConceptId, tuple[Exposure, Statement]]] = {}
    for exposure in case.exposures:
        if exposure.local:
            continue
        for statement, _ in exposure.rules("has_effect"):
            if statement.object is None or statement.negative:
                continue
            if guard_holds(statement.when, case.scene(exposure)) is not False:
                carriers.setdefault(statement.object, {}).setdefault(exposure.ingredient, (exposure, statement))
    for effect, members in sorted(carriers.items()):
        limits = case.limits.get(effect, ())
        counted = [s for s in limits if s.limit and s.limit.unit == "drugs"]
        weighed = [s for s in limits if s.limit and s.limit.unit == "MME"]
        if counted:
            yield from _counted(case, effect, list(members.values()), counted, say)
        if weighed:
            yield from _weighed(case, list(members.values()), weighed, say)


def _counted(
    case: Case, effect: ConceptId, members: list[tuple[Exposure, Statement]], limits: Sequence[Statement], say: Phrases
) -> Iterator[Outcome]:
    reached = [s for s in limits if s.limit and len(members) >= s.limit.value]
    names = tuple(e.name for e, _ in members)
    if not reached:
        yield Looked(NAME, names, "within", case.names[effect])
        return
    exposures = tuple(e for e, _ in members)
    shown = say("burden", count=len(members), effect=case.names[effect], drugs=say.listed(list(names)))
    yield from _decide(case, effect, exposures, [s for _, s in members], reached, shown, (), say)


def _weighed(
    case: Case, members: list[tuple[Exposure, Statement]], limits: Sequence[Statement], say: Phrases
) -> Iterator[Outcome]:
    total = 0.0
    counted: list[Exposure] = []
    evidence: list[Statement] = []
    unknown: list[tuple[Exposure, Statement]] = []
    by_line = [e for e in case.exposures if any(e.ingredient == m.ingredient for m, _ in members)]
    for exposure in by_line:
        scene = case.scene(exposure)
        factors = [s for s, _ in exposure.rules("morphine_equivalent") if guard_holds(s.when, scene)]
        if not factors or factors[0].limit is None:
            continue
        if exposure.daily is None or exposure.unit != "mg":
            unknown.append((exposure, factors[0]))
            continue
        total += exposure.daily.high * factors[0].limit.value
        counted.append(exposure)
        evidence.append(factors[0])
    reached = [s for s in limits if s.limit and total >= s.limit.value]
    names = tuple(dict.fromkeys(e.name for e in by_line))
    if reached:
        shown = say("opioid", amount=f"{total:.4g}", drugs=say.listed(sorted({e.name for e in counted})))
        yield from _decide(
            case, limits[0].subject, tuple(counted), evidence, reached, shown, (f"{total:.4g} MME/day",), say
        )
    elif unknown:
        missing = ", ".join(sorted({e.name for e, _ in unknown}))
        yield Looked(NAME, names, "not_assessable", f"the daily dose of {missing} is not known")
        for exposure, factor in unknown:
            why = exposure.why or f"the order is in {exposure.unit}, not in mg"
            yield Waiting("CUMULATIVE_BURDEN", limits[0].tier, (exposure,), "MME", (), factor, needs=("dose",), why=why)
    elif counted:
        yield Looked(NAME, names, "within", f"{total:.4g} MME/day")


def _decide(
    case: Case, effect: ConceptId, exposures: tuple[Exposure, ...], evidence: Sequence[Statement],
    reached: Sequence[Statement], summary: str, used: tuple[str, ...], say: Phrases,
) -> Iterator[Outcome]:  # fmt: skip
    """The highest threshold that was reached and whose conditions hold; one that a machine read where no other does."""
    scene = case.scene(exposures[0])
    ranked = sorted(reached, key=lambda s: (not s.by_machine, s.tier, s.limit.value if s.limit else 0), reverse=True)
    truths: list[tuple[Statement, Truth]] = [(s, guard_holds(s.when, scene)) for s in ranked]
    true = next((s for s, t in truths if t), None)
    names = tuple(e.name for e in exposures)
    if true is not None:
        yield Looked(NAME, names, "breach", case.names[effect])
        yield Breach(
            type="CUMULATIVE_BURDEN",
            tier=true.tier,
            exposures=exposures,
            problem=effect,
            summary=summary,
            management=true.management or say("manage_burden"),
            statements=(true, *dict.fromkeys(evidence)),
            inputs=(*used, *inputs(true_in(true.when, scene), case, exposures[0])),
        )
    else:
        waiting = [(s, unknown_in(s.when, scene)) for s, t in truths if t is None]
        for statement, waits in waiting[:1]:
            yield Waiting(statement.risk, statement.tier, exposures, effect, waits, statement)
        yield Looked(NAME, names, "not_assessable" if waiting else "within", case.names[effect])
