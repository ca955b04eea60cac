"""All cases of the red-team suite for one knowledge base and seed.

A builder proposes, the checker of `oracle` disposes: a violation stands only if its rule is broken, a twin only if it
is not. Whatever else a prescription breaks is written into `also_true`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pharmakon.evaluate.cases import EvalCase, Expectation, Key
from pharmakon.evaluate.redteam.builders import BUILDERS
from pharmakon.evaluate.redteam.builders.plan import Planned, Skipped, Workshop
from pharmakon.evaluate.redteam.oracle import Broken, broken
from pharmakon.evaluate.redteam.ordinary import Ordinary, weight
from pharmakon.evaluate.redteam.sketch import Sketch
from pharmakon.evaluate.redteam.surface import Pen
from pharmakon.evaluate.redteam.world import World
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import Tier, risk_types


@dataclass(frozen=True, slots=True)
class Generated:
    """`skipped` says of each rule without a case why there is none."""

    cases: tuple[EvalCase, ...]
    skipped: tuple[Skipped, ...]


def generate(world: World, seed: int) -> Generated:
    """Every case, in the order of the builders. The same world and seed give the same cases."""
    shop = Workshop(world, Ordinary(world), seed)
    cases: dict[str, EvalCase] = {}
    skipped: dict[str, Skipped] = {}
    for builder in BUILDERS:
        for item in builder(shop):
            made = _cases(shop, item) if isinstance(item, Planned) else item
            if isinstance(made, Skipped):
                skipped.setdefault(made.statement.id, made)
            else:
                for case in made:
                    cases.setdefault(case.id, case)
    tested = {c.statement for c in cases.values()}
    return Generated(tuple(cases.values()), tuple(s for s in skipped.values() if s.statement.id not in tested))


def _cases(shop: Workshop, planned: Planned) -> list[EvalCase] | Skipped:
    """The violation, its twin, and near misses of their own."""
    key: Key = (planned.type, planned.drugs)
    rules = broken(shop.ordinary.complete(planned.violation), shop.world)
    own = [b for b in rules if b.key == key]
    if not own:
        return Skipped(planned.statement, "the prescription made for it does not break it")
    twin = _twin(shop, key, planned.controls) or _twin(shop, key, planned.farther)
    if twin is None:
        return Skipped(planned.statement, "another rule of its type and drugs holds for every twin")
    id = f"{planned.type.lower().replace('_', '-')}/{planned.name}"
    expected = Expectation(planned.type, planned.drugs, max(b.tier for b in own))
    spared = [s for s in planned.spared if _free(shop, key, s) is not None]
    return [
        _case(shop, planned, id, id, planned.violation, expected, None),
        _case(shop, planned, f"{id}/near", id, twin, expected, id),
        *(
            replace(_case(shop, planned, f"{id}/spared-{n}", id, s, expected, id), subset="spared")
            for n, s in enumerate(spared)
        ),
    ]  # fmt: skip


def _free(shop: Workshop, key: Key, sketch: Sketch) -> tuple[int, int] | None:
    """How much a control breaks besides, or None if it breaks the rule itself."""
    rules = broken(shop.ordinary.complete(sketch), shop.world)
    return None if any(b.key == key for b in rules) else weight(rules)


def _twin(shop: Workshop, key: Key, controls: Iterable[Sketch]) -> Sketch | None:
    ranked = [(*free, n, c) for n, c in enumerate(controls) if (free := _free(shop, key, c)) is not None]
    return min(ranked, key=lambda r: r[:3])[-1] if ranked else None


def _case(
    shop: Workshop, planned: Planned, id: str, pair: str, sketch: Sketch, expected: Expectation, twin_of: str | None
) -> EvalCase:
    sketch = shop.ordinary.complete(sketch)
    violation = twin_of is None
    return EvalCase(
        id=id,
        kind="violation" if violation else "near_miss",
        type=planned.type,
        prescription=Pen(shop.world, shop.seed, pair).write(sketch),
        expect=(expected,) if violation else (),
        forbid=() if violation else (expected,),
        also_true=_also(broken(sketch, shop.world), expected.key),
        pair=twin_of,
        why=planned.statement.evidence[0].quote if planned.statement.evidence else "",
        statement=planned.statement.id,
        evidence=_evidence(planned.statement),
    )


def _also(rules: Iterable[Broken], own: Key) -> tuple[Expectation, ...]:
    tiers: dict[Key, Tier] = {}
    for b in rules:
        if b.key != own:
            tiers[b.key] = max(b.tier, tiers.get(b.key, Tier.INFO))
    ordered = sorted(tiers.items(), key=lambda item: (item[0][0], sorted(item[0][1])))
    return tuple(Expectation(type_, drugs, tier) for (type_, drugs), tier in ordered)


def _evidence(statement: Statement) -> dict[str, Any]:
    if not statement.evidence:
        return {}
    e = statement.evidence[0]
    place = {"document": e.document, "version": e.version, "section": e.section, "start": e.start, "end": e.end}
    return {**place, "quote": e.quote, "published": e.citation.title if e.citation else ""}


def coverage(made: Generated, world: World) -> Mapping[str, Mapping[str, int]]:
    """Risk type → stated rules, those with a case, cases; `alone` are violations that break nothing else of weight."""
    stated = Counter(s.risk for rows in world.statements.values() for s in rows if s.risk and not s.negative)
    tested: dict[str, set[str]] = {}
    for case in made.cases:
        tested.setdefault(case.type, set()).add(case.statement or "")
    table: dict[str, Mapping[str, int]] = {}
    for type_ in risk_types():
        own = [c for c in made.cases if c.type == type_]
        violations = [c for c in own if c.kind == "violation"]
        table[type_] = {
            "rules": stated[type_],
            "rules_with_cases": len(tested.get(type_, ())),
            "violations": len(violations),
            "controls": len(own) - len(violations),
            "alone": sum(all(e.tier < Tier.WARNING for e in c.also_true) for c in violations),
        }
    return table


def reasons(made: Generated) -> Mapping[str, int]:
    """Why rules have no case: reason → how many rules."""
    return dict(sorted(Counter(s.why for s in made.skipped).items()))
