"""Doses, frequencies and durations against their limits, the most specific rule first (P-EST).

Types follow the rule that decides: DOSAGE_ERROR, FREQUENCY_ERROR, RENAL_IMPAIRMENT, HEPATIC_IMPAIRMENT,
AGE_RESTRICTION, PREGNANCY_LACTATION or DOSE_ADJUSTMENT_MISSED. Amounts in mg, units or mEq per dose, day or week.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pharmakon.audit import formulas
from pharmakon.audit.case import Breach, Case, Looked, Outcome, Waiting
from pharmakon.audit.curate import Rule, rules_of, undecided
from pharmakon.audit.describe import inputs, reasons
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import Scene, mentions_route
from pharmakon.model.profile import Interval
from pharmakon.model.statements import Condition, Limit, Statement
from pharmakon.model.vocabulary import Tier

NAME = "dose"
RELATIONS = ("dose_limit",)
#: Rounding of doses and of computed weights must not make a breach.
SLACK = 1.001
_BY_THE_DAY = ("oral", "sublingual")
#: So far above the widest of its limits a dose is a mistake by whatever route: micrograms written as milligrams.
_WHICHEVER = 10.0


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    for exposure in (*case.exposures, *case.totals):
        yield from _exposure(case, exposure, say)


def _exposure(case: Case, exposure: Exposure, say: Phrases) -> Iterator[Outcome]:
    scene = case.scene(exposure)
    total = len(exposure.lines) > 1
    unknown: dict[str, str] = {}
    looked = breached = waiting = False
    assessed: set[str] = set()
    for dimension, prepared in exposure.bundle.doses.items():
        per, unit = dimension
        if total and (per not in ("day", "week") or unit in ("times", "days")):
            continue
        rows = [r for r in prepared if mentions_route(r.statement)] if exposure.local else prepared
        rules = rules_of(rows, scene)
        if not rules:
            continue
        looked = True
        for outcome in _dimension_of(case, exposure, scene, rules, say):
            if isinstance(outcome, Looked):
                unknown.setdefault(per if unit not in ("times", "days") else unit, outcome.why)
                continue
            breached = breached or isinstance(outcome, Breach)
            waiting = waiting or isinstance(outcome, Waiting)
            yield outcome
        if per not in unknown:
            assessed.add(per)
    # a limit in mEq beside one in mmol: what one of them could assess is assessed
    missing = [why for per, why in unknown.items() if per not in assessed]
    if looked and missing:
        first = next(iter(exposure.bundle.doses.values()))[0].statement
        yield Waiting(first.risk, first.tier, (exposure,), "dose", (), first, needs=("dose",), why=missing[0])
    if not looked and not total and case.covered.get(exposure.ingredient) == "deep":
        yield Looked(NAME, (exposure.name,), "not_assessable", "no dose limit is held for it as it is given here")
    if looked and not total:
        result = "breach" if breached else "not_assessable" if missing or waiting else "within"
        yield Looked(NAME, (exposure.name,), result, missing[0] if missing else "")


def _dimension_of(case: Case, exposure: Exposure, scene: Scene, rules: list[Rule], say: Phrases) -> Iterator[Outcome]:
    """One dimension, such as mg per day. What machines read is asked only where nothing written by hand is broken.

    A stricter limit, or a wider one, that was read from a label would else take the place of what a person weighed.
    """
    by_hand = [r for r in rules if not r.statement.by_machine]
    by_machine = [r for r in rules if r.statement.by_machine and not _guessed(r, exposure)]
    broken = False
    if by_hand:
        for outcome in _limits_of(case, exposure, scene, by_hand, case.select(by_hand), say):
            broken = broken or isinstance(outcome, Breach)
            yield outcome
    if by_machine and not broken:
        chosen = [r for r in case.select([*by_hand, *by_machine]) if r.statement.by_machine]
        yield from _limits_of(case, exposure, scene, by_machine, chosen, say)


def _guessed(rule: Rule, exposure: Exposure) -> bool:
    """Whether a limit is for a use that the order does not state, though the patient has the disease.

    A person who writes such a limit knows what else the drug is given for; a label's sentence may be about one of many.
    """
    return exposure.indication is None and any(c.factor == "indication" for c in rule.clause)


def _limits_of(
    case: Case, exposure: Exposure, scene: Scene, rules: list[Rule], chosen: Sequence[Rule], say: Phrases
) -> Iterator[Outcome]:
    """The deciding rules, `chosen` of `rules`, against what is ordered."""
    first = rules[0].statement
    assert first.limit is not None
    ordered, why = _ordered(exposure, first.limit)
    least = _at_least(exposure, first.limit) if ordered is None else None
    if least is not None and why:
        yield Looked(NAME, (exposure.name,), "not_assessable", why)
    ordered = ordered or least
    if ordered is None:
        if why and first.limit.unit != "days":
            yield Looked(NAME, (exposure.name,), "not_assessable", why)
        return
    limits = [(r, _value(r.statement.limit, case)) for r in chosen]
    for rule, value in limits:
        if value is None and rule.statement.limit is not None:
            needs = ("weight",) if rule.statement.limit.unit.endswith("/kg") else ("weight", "height")
            yield Waiting(
                rule.statement.risk, rule.statement.tier, (exposure,), "dose", (), rule.statement, needs=needs
            )
    known = [(r, v) for r, v in limits if v is not None]
    strictest = min((v for _, v in known), default=None)
    breach = strictest is not None and ordered.high > strictest * SLACK
    if breach and strictest is not None:
        deciding = [r for r, v in known if v == strictest]
        true = [(v, r.statement) for r in rules if r.truth and (v := _value(r.statement.limit, case)) is not None]
        widest = max(v for v, _ in true)
        # what is read may be a wider rule than the one that decides: a reduced dose for age beside the label's maximum
        # what a machine read may be the limit of another product or use: it makes no finding critical
        read = [s for _, s in sorted(true, key=lambda t: t[0]) if s.read and not s.by_machine]
        doubled = read[:1] if ordered.high >= 2 * widest else []
        chosen_statements = [r.statement for r, _ in known]
        found = _breach(
            case, exposure, ordered, deciding, strictest, doubled, chosen_statements, say, at_least=least is not None
        )
        yield replace(found, tier=Tier.INFO) if _disputed(ordered, deciding, known) else found
    open_rules = undecided(rules, chosen, scene) if least is None else []
    by_route = [(v, r) for r, waits in open_rules if (v := _route_limit(r, waits, case)) is not None]
    if by_route and len(by_route) == len(open_rules) and not known:
        widest, rule = max(by_route, key=lambda one: one[0])
        if ordered.low >= _WHICHEVER * widest:
            yield _breach(case, exposure, ordered, [rule], widest, [], [], say, at_least=False, whichever=True)
    for rule, waits in open_rules:
        value = _value(rule.statement.limit, case)
        if value is None:
            continue
        above = ordered.high > value * SLACK
        if above and not breach:
            yield Waiting(rule.statement.risk, rule.statement.tier, (exposure,), "dose", waits, rule.statement)
        elif breach and not above and any(rule.overrules(r) for r in chosen):
            # a wider limit that may hold: it would take the finding away, so the gap stands beside it
            wanted = tuple("conditions" if c.factor in ("has", "had") else c.factor for c in waits)
            yield Waiting(
                rule.statement.risk, rule.statement.tier, (exposure,), "dose", (), rule.statement, needs=wanted
            )


def _disputed(ordered: Interval, deciding: Sequence[Rule], known: Sequence[tuple[Rule, float]]) -> bool:
    """Whether another label lets the same patients have what is ordered, and only machines have read either.

    Labels of one ingredient are of different products and uses (doxepin for sleep, doxepin for depression), and which
    of them is meant their sentences leave unsaid. Both are shown.
    """
    if not all(rule.statement.by_machine for rule in deciding):
        return False
    patients = {frozenset(rule.clause) for rule in deciding}
    allowed = (v for r, v in known if r.statement.by_machine and frozenset(r.clause) in patients)
    return ordered.high <= max(allowed) * SLACK


def _route_limit(rule: Rule, waits: Sequence[Condition], case: Case) -> float | None:
    """The limit of a rule that waits for nothing but the route."""
    return _value(rule.statement.limit, case) if all(c.factor == "route" for c in waits) else None


def _breach(
    case: Case, exposure: Exposure, ordered: Interval, rules: Sequence[Rule], limit: float,
    doubled: Sequence[Statement], chosen: Sequence[Statement], say: Phrases, *, at_least: bool, whichever: bool = False,
) -> Breach:  # fmt: skip
    """`limit` is the one that decides; `doubled` what was read for it where every limit that holds is passed twice.

    `whichever`: the route is not known, and `limit` is the widest of those by any route. It is no critical finding: the
    amount may be that of an infusion bag.
    """
    statement = max((r.statement for r in rules), key=lambda s: s.tier)
    assert statement.limit is not None
    clause = next(r.clause for r in rules if r.statement is statement)
    conditions = [] if whichever else [c for c in clause if c.factor != "indication"]
    kind = statement.limit.unit if statement.limit.unit in ("times", "days") else "dose"
    key = "dose_total" if len(exposure.lines) > 1 else kind
    unit = exposure.unit if kind == "dose" else ""
    where = say("where", conditions=reasons(conditions, case, exposure)) if conditions else ""
    where = say("whichever") if whichever else where
    amount = f"{ordered.high:,.6g}"
    summary = say(
        key, drug=exposure.name, lines=len(exposure.lines), unit=unit,
        amount=say("at_least", amount=amount) if at_least else amount,
        per=say.per(statement.limit.per), limit=f"{limit:,.6g}", limit_unit=unit, where=where,
    )  # fmt: skip
    doubled = doubled if kind == "dose" else ()
    others = tuple(e for c in conditions if c.factor == "with" for e in _matching(case, exposure, c.values))
    return Breach(
        type=statement.risk,
        tier=Tier.CRITICAL if doubled else statement.tier,
        exposures=(exposure, *others),
        problem="dose",
        summary=summary,
        management=statement.management or say(f"manage_{kind}"),
        # `tier_of` looks at the first: for a doubled dose that is the one that was read
        statements=tuple(dict.fromkeys([*doubled, *(r.statement for r in rules), *chosen])),
        chains=tuple(r.chain for r in rules),
        inputs=inputs(conditions, case, exposure),
        engine="double_dose" if doubled else "",
    )


def _matching(case: Case, exposure: Exposure, concepts: Sequence[str]) -> list[Exposure]:
    taken = (e for e in case.exposures if e.ingredient != exposure.ingredient and not e.local)
    return [e for e in taken if any(c in e.ancestors for c in concepts)]


def _ordered(exposure: Exposure, limit: Limit) -> tuple[Interval | None, str]:
    """What is ordered, in the limit's terms, or why it can't be known."""
    if limit.unit == "times":
        factor = 7.0 if limit.per == "week" else 1.0
        times = exposure.times
        return (Interval(times.low * factor, times.high * factor) if times else None), "" if times else "no frequency"
    if limit.unit == "days":
        return exposure.duration, ""
    amount = {"dose": exposure.single, "day": exposure.daily, "week": exposure.weekly}.get(limit.per)
    base = limit.unit.partition("/")[0]
    if amount is None:
        return None, exposure.why if limit.per in ("dose", "day", "week") else ""
    if exposure.unit != base:
        return None, f"the order is in {exposure.unit}, the limit in {base}"
    return amount, ""


def _at_least(exposure: Exposure, limit: Limit) -> Interval | None:
    """What a day amounts to where it is not known how often the drug is taken: one dose, if it is taken at all.

    Not where one dose may be meant for longer than a day (weekly drugs, depots) or for several doses (infusions).
    """
    if limit.per != "day" or exposure.times is not None or exposure.single is None:
        return None
    if exposure.route not in _BY_THE_DAY or any(per == "week" for per, _ in exposure.bundle.doses):
        return None
    if exposure.unit != limit.unit.partition("/")[0]:
        return None
    return Interval(exposure.single.low, exposure.single.low)


def _value(limit: Limit | None, case: Case) -> float | None:
    """A limit in absolute terms; None where the weight or height it needs is not known."""
    assert limit is not None
    basis = limit.unit.partition("/")[2]
    if not basis:
        return limit.value
    weight = case.profile.factors.get("weight")
    if weight is None or not isinstance(weight.value, Interval):
        return None
    if basis == "kg":
        return limit.value * weight.value.high
    height = case.profile.factors.get("height")
    if height is None or not isinstance(height.value, Interval):
        return None
    return limit.value * formulas.bsa_mosteller(height.value.high, weight.value.high)
