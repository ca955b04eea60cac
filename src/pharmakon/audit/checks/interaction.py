"""INTERACTION_DRUG_DRUG, INCOMPATIBILITY and DUPLICATE_THERAPY by class: every pair, up both hierarchies.

A statement about classes reaches their members; the closest statement of a source speaks for it, exclusions and
negative statements silence it. Stopped drugs count only where a statement says for how many days (washouts).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pharmakon.audit.case import Breach, Case, Looked, Outcome, Waiting
from pharmakon.audit.describe import inputs
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.truth import guard_holds, mentions_route, true_in, unknown_in, weigh
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Statement

NAME = "interaction"
RELATIONS = ("interacts_with", "incompatible_with")
Found = tuple[Statement, Exposure, Exposure]
"""A statement with the exposure on its subject's side and the one on its object's."""

#: Routes by which two drugs can meet in one line or syringe.
PARENTERAL = frozenset({"intravenous", "intravenous_push", "intramuscular", "subcutaneous", "epidural", "intrathecal"})


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    everyone = (*case.exposures, *case.past)
    members: dict[ConceptId, list[Exposure]] = {}
    for exposure in everyone:
        for concept in exposure.ancestors:
            members.setdefault(concept, []).append(exposure)
    by_pair: dict[tuple[int, int], list[Found]] = {}
    place = {id(e): i for i, e in enumerate(everyone)}
    for statement in case.pairs:
        if statement.relation not in RELATIONS or statement.object is None:
            continue
        for a in members.get(statement.subject, ()):
            for b in members.get(statement.object, ()):
                if _applies(statement, a, b):
                    i, j = sorted((place[id(a)], place[id(b)]))
                    by_pair.setdefault((i, j), []).append((statement, a, b))
    results: dict[tuple[str, str], str] = {}
    for a, b in combinations(case.exposures, 2):
        if a.ingredient != b.ingredient and a.lines != b.lines:
            covered = all(case.covered.get(e.ingredient, "") not in ("", "thin") for e in (a, b))
            results.setdefault(_names(a, b), "within" if covered else "not_covered")
    for found in by_pair.values():
        for outcome in _pair(case, found, say):
            yield outcome
            if isinstance(outcome, Breach | Waiting):
                pair = _names(*outcome.exposures[:2])
                worse = "breach" if isinstance(outcome, Breach) else "not_assessable"
                results[pair] = "breach" if "breach" in (worse, results.get(pair)) else worse
    for pair, result in results.items():
        yield Looked(NAME, pair, result)


def _names(a: Exposure, b: Exposure) -> tuple[str, str]:
    return (a.name, b.name) if a.name <= b.name else (b.name, a.name)


def _applies(statement: Statement, a: Exposure, b: Exposure) -> bool:
    if a is b or a.ingredient == b.ingredient or a.lines == b.lines:
        return False
    if not (a.current or b.current):
        return False
    if not (a.current and b.current) and not any(c.factor == "gap" for clause in statement.when for c in clause):
        return False
    if statement.relation == "incompatible_with":  # a diluent has no effect of its own, and meets the drug all the same
        if not (a.route in PARENTERAL and b.route in PARENTERAL) or a.apart or b.apart:
            return False  # what is swallowed shares no line
    elif (a.local or b.local) and not mentions_route(statement):
        return False
    return statement.excluded.isdisjoint(a.ancestors) and statement.excluded.isdisjoint(b.ancestors)


def _closest(found: Sequence[Found]) -> list[Found]:
    """Statements that neither a negative one nor a closer one of the same source speaks for instead."""
    negative = [f for f in found if f[0].negative]
    positive = [f for f in found if not f[0].negative and not any(_silences(n, f) for n in negative)]
    return [f for f in positive if not any(o is not f and _speaks_for(o, f) for o in positive)]


def _silences(negative: Found, positive: Found) -> bool:
    """What a machine took for a denial silences nothing that a person has written."""
    return _within(negative, positive) and (positive[0].by_machine or not negative[0].by_machine)


def _within(x: Found, y: Found) -> bool:
    """Whether both sides of `x` are what `y` speaks of, or kinds of it: "warfarin, ibuprofen" within "VKA, NSAID"."""
    (s, a, b), (t, c, _) = x, y
    mine, theirs = (s.subject, s.object), (t.subject, t.object) if a is c else (t.object, t.subject)
    return all(
        one is not None and other in exposure.bundle.order[one]
        for one, other, exposure in zip(mine, theirs, (a, b), strict=True)
    )


def _speaks_for(x: Found, y: Found) -> bool:
    """What a machine read speaks for nothing that a person has written, though both quote one label."""
    if x[0].by_machine and not y[0].by_machine:
        return False
    same_kind = x[0].relation == y[0].relation and x[0].risk == y[0].risk
    return same_kind and bool(_sources(x[0]) & _sources(y[0])) and _within(x, y) and not _within(y, x)


def _sources(statement: Statement) -> set[str]:
    return {e.citation.reference if e.citation else e.document for e in statement.evidence}


def _pair(case: Case, found: Sequence[Found], say: Phrases) -> Iterator[Outcome]:
    open_ones = [(f, t) for f in found if (t := guard_holds(f[0].when, case.scene(f[1], f[2]))) is not False]
    speaking = _closest([f for f, _ in open_ones])
    for (statement, a, b), truth in open_ones:
        if (statement, a, b) not in speaking:
            continue
        scene = case.scene(a, b)
        if truth is None:
            yield Waiting(statement.risk, statement.tier, (a, b), "pair", unknown_in(statement.when, scene), statement)
            continue
        weight = weigh(statement, scene)
        yield Breach(
            type=statement.risk,
            tier=weight.tier,
            exposures=(a, b),
            problem="pair",
            summary=_summary(statement, a, b, case, say),
            management=weight.management,
            statements=(statement,),
            chains=(a.ancestors[statement.subject], b.ancestors[statement.object or statement.subject]),
            undecided=tuple((m.tier, waits) for m, waits in weight.undecided),
            inputs=inputs((*true_in(statement.when, scene), *weight.because), case, a, b),
        )


def _summary(statement: Statement, a: Exposure, b: Exposure, case: Case, say: Phrases) -> str:
    if statement.relation == "incompatible_with":
        return say("incompatible", a=a.name, b=b.name)
    if statement.risk == "DUPLICATE_THERAPY":
        return say("duplicate_class", a=a.name, b=b.name, via=case.names[statement.subject])
    reached = [
        f"{e.name} → {case.names[concept]}"
        for e, concept in ((a, statement.subject), (b, statement.object))
        if concept is not None and e.ancestors[concept]
    ]
    effect = statement.effect or (f"{'; '.join(reached)}" if reached else "")
    return say("interaction", a=a.name, b=b.name, via=say("via", chains=effect) if effect else "")
