"""Conditions and values in words people read; and the statements that say what a drug is."""

from __future__ import annotations

from collections.abc import Iterable

from pharmakon.audit.case import Case
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.patient.show import shown, straddles
from pharmakon.model.concepts import ConceptId
from pharmakon.model.profile import Interval
from pharmakon.model.statements import Condition, Statement
from pharmakon.model.vocabulary import factors


def reasons(conditions: Iterable[Condition], case: Case, exposure: Exposure) -> str:
    """The conditions that hold, each with the patient's value: `eGFR 24.1 mL/min/1.73m2 (< 30)`, `age 82 (>= 65)`.

    Two bounds of one factor stand in one pair of brackets: `eGFR 38 mL/min/1.73m2 (>= 30, < 45)`.
    """
    listed = list(conditions)
    said: list[str] = []
    for condition in listed:
        if factors()[condition.factor].shape != "number" or factors()[condition.factor].of != "patient":
            said.append(_reason(condition, case, exposure))
            continue
        bounds = [f"{c.op} {c.number:g}" for c in listed if c.factor == condition.factor]
        known = case.profile.factors.get(condition.factor)
        label = factors()[condition.factor].label
        said.append(f"{label} {shown(known) if known else '?'} ({', '.join(dict.fromkeys(bounds))})")
    return "; ".join(filter(None, dict.fromkeys(said)))


def _reason(condition: Condition, case: Case, exposure: Exposure) -> str:
    factor = factors()[condition.factor]
    if factor.shape == "concept":
        names = " or ".join(case.names[ConceptId(v)] for v in condition.values)
        if condition.factor == "with":
            return f"without {names}" if condition.negated else f"with {names}"
        return f"no known {names}" if condition.negated else names
    if factor.of == "patient":
        known = case.profile.factors.get(condition.factor)
        value = shown(known) if known else "?"
        if factor.shape == "flag":
            return factor.label if ("true" in condition.values) != condition.negated else f"no {factor.label}"
        return f"{factor.label} {value}"
    if factor.shape == "choice":  # a route that is not known is taken as systemic: nothing is to be said of it
        value = (getattr(exposure, condition.factor) or "").replace("_", " ")
        return f"{factor.label} {value}" if value else ""
    return condition.text


def inputs(
    conditions: Iterable[Condition], case: Case, exposure: Exposure, other: Exposure | None = None
) -> tuple[str, ...]:
    """Every value that was used, with its unit and where it came from."""
    used: list[str] = []
    for condition in conditions:
        factor = factors()[condition.factor]
        if factor.of == "patient" and factor.shape != "concept":
            known = case.profile.factors.get(condition.factor)
            if known:
                stale = ", older than its look-back" if known.stale else ""
                used.append(f"{factor.label}: {shown(known)} ({known.source}{stale})")
                note = straddles(case.profile.factors, condition.number, condition.factor)
                if note:
                    used.append(note)
        elif condition.factor in ("has", "had"):
            used += [
                f"{factor.label}: {h.source}"
                for h in case.profile.conditions or ()
                if h.ancestors & set(condition.values)
            ]
        elif condition.factor == "with":
            used += [f"alongside: {e.name}" for e in co_medication((condition,), case, exposure)]
        elif factor.of in ("order", "pair") and factor.shape == "number":
            side = other if condition.of == "object" and other else exposure
            value = side.number(condition.factor)
            if value is not None:
                used.append(f"{side.name}, {factor.label}: {_range(value)} {factor.unit}")
        elif condition.factor == "route":
            side = other if condition.of == "object" and other else exposure
            if side.route:
                used.append(f"{side.name}, route: {side.route.replace('_', ' ')}")
    return tuple(dict.fromkeys(used))


def _range(value: Interval) -> str:
    return f"{value.low:.4g}" if value.low == value.high else f"{value.low:.4g} to {value.high:.4g}"


def co_medication(conditions: Iterable[Condition], case: Case, exposure: Exposure) -> tuple[Exposure, ...]:
    """The drugs that make a `with` condition true."""
    wanted = {v for c in conditions if c.factor == "with" and not c.negated for v in c.values}
    taken = (e for e in case.exposures if e.ingredient != exposure.ingredient and not e.local)
    return tuple(e for e in taken if wanted & e.ancestors.keys())


def identity(*exposures: Exposure) -> tuple[Statement, ...]:
    """What supports that a drug is what it is: its composition, else its class, for findings about the drug as such."""
    found: list[Statement] = []
    for exposure in exposures:
        composition = [s for s, _ in exposure.rules("has_ingredient") if s.object == exposure.ingredient]
        classes = [s for s, _ in exposure.rules("belongs_to") if s.subject == exposure.ingredient]
        uses = [s for s, _ in exposure.rules("treats") if s.subject == exposure.ingredient]
        found += (composition or classes or uses or _anything(exposure))[:1]
    return tuple(dict.fromkeys(found))


def _anything(exposure: Exposure) -> list[Statement]:
    """Any statement about the ingredient, where none says what it is: no finding stands without evidence."""
    rows = (s for _, found in sorted(exposure.bundle.rules.items()) for s, _ in found)
    return [s for s in rows if s.subject == exposure.ingredient][:1]
