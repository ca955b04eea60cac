"""The same drug twice, and effects that add up over drugs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from pharmakon.evaluate.redteam.builders.plan import Planned, Skipped, Workshop, slug
from pharmakon.evaluate.redteam.oracle import broken, morphine
from pharmakon.evaluate.redteam.ordinary import nice, weight
from pharmakon.evaluate.redteam.sketch import Line, Sketch
from pharmakon.evaluate.redteam.solve import fulfil
from pharmakon.model.concepts import ConceptId, Name
from pharmakon.model.statements import Statement

_GROUPS = 24


def duplicates(shop: Workshop) -> Iterator[Planned | Skipped]:
    """Two orders of one ingredient under two names, or one beside a combination that holds it."""
    for drug in shop.world.drugs:
        identity = next(iter(shop.world.about(frozenset({drug}), "belongs_to")), None)
        if identity is None:
            continue
        rng = shop.rng("duplicate", drug)
        single = shop.ordinary.order(drug, rng)
        half = replace(single.lines[0], dose=nice(single.lines[0].dose / 2))
        names = _two_names(shop, drug)
        if len(names) == 2:
            both = Sketch(single.person, (replace(half, brand=names[0].text), replace(half, brand=names[1].text)))
            one = both.without_line(1)
            yield Planned(f"{slug(drug)}/names", "DUPLICATE_THERAPY", shop.name(drug), identity, both, (one,))
        for product, parts in sorted(shop.world.parts.items()):
            if drug not in parts:
                continue
            combined = Line(product, parts, route=half.route, indication=None)
            both = single.adding(combined)
            contains = next(s for s in shop.world.about(frozenset({product}), "has_ingredient") if s.object == drug)
            yield Planned(
                f"{slug(drug)}/{slug(product)}", "DUPLICATE_THERAPY", shop.name(drug), contains, both, (single,)
            )


def _two_names(shop: Workshop, drug: ConceptId) -> tuple[Name, ...]:
    """The generic name and a brand, else nothing."""
    plain = shop.world.plain_names(drug, "drug")
    brands = [n for n in plain if n.kind == "brand" and n.text.isascii()]
    return (plain[0], brands[0]) if plain and brands else ()


def burdens(shop: Workshop) -> Iterator[Planned | Skipped]:
    for statement in shop.world.statements.get("burden_limit", ()):
        if statement.limit is None:
            continue
        made = list(_counted(shop, statement) if statement.limit.unit == "drugs" else _weighed(shop, statement))
        yield from made
        if not made:
            yield Skipped(statement, "no drugs described whose effects add up so far")


def _counted(shop: Workshop, statement: Statement) -> Iterator[Planned]:
    """As many drugs with the effect as the limit names; the twin has one other drug in the last one's place."""
    assert statement.limit is not None
    rng = shop.rng(statement.id)
    have = [d for d in shop.world.drugs if _has(shop, d, statement.subject)]
    others = [d for d in shop.world.drugs if d not in have]
    groups = list(combinations(have, int(statement.limit.value)))
    ranked = []
    for group in rng.sample(groups, min(2 * _GROUPS, len(groups))):
        sketch = _guarded(shop, statement, shop.ordinary.together(group, rng))
        if sketch is not None:
            ranked.append((*weight(broken(shop.ordinary.complete(sketch), shop.world)), group, sketch))
    for *_, group, sketch in sorted(ranked, key=lambda r: r[:3])[:_GROUPS]:
        found = next((b for b in broken(sketch, shop.world) if b.statement is statement), None)
        if found is None:
            continue
        last = len(group) - 1
        kept = tuple(c for c in sketch.person.conditions if c != sketch.lines[last].indication)
        controls = [
            shop.ordinary.dosed(sketch.with_line(last, shop.ordinary.line(d)).of(conditions=kept).justified(), last)
            for d in rng.sample(others, min(5, len(others)))
        ]
        name = f"{'+'.join(map(slug, group))}/{statement.id[3:11]}"
        yield Planned(name, statement.risk, found.drugs, statement, sketch, tuple(controls))


def _guarded(shop: Workshop, statement: Statement, sketch: Sketch) -> Sketch | None:
    if not statement.when:
        return sketch
    taken = [line.drug for line in sketch.lines]
    rng = shop.rng(statement.id, *taken)
    return fulfil(statement.when[0], sketch, shop.world, 0, None, shop.beside(taken, rng), rng)


def _has(shop: Workshop, drug: ConceptId, effect: ConceptId) -> bool:
    return any(s.object == effect and not s.when for s in shop.world.about(shop.world.above[drug], "has_effect"))


def _weighed(shop: Workshop, statement: Statement) -> Iterator[Planned]:
    """One opioid, or two, with as many morphine equivalents as the limit names; the twin has just fewer."""
    assert statement.limit is not None
    rng = shop.rng(statement.id)
    opioids = [d for d in shop.world.drugs if _has(shop, d, statement.subject) and _factor(shop, d)]
    for group in [*((o,) for o in opioids), *combinations(opioids, 2)]:
        for more, less in ((1.2, 0.8), (1.6, 0.9), (1.02, 0.98)):
            sketch = shop.ordinary.together(group, rng)
            over, under = (_with_total(shop, sketch, statement.limit.value * share) for share in (more, less))
            found = next((b for b in broken(over, shop.world) if b.statement is statement), None)
            if found is not None:
                name = f"{'+'.join(map(slug, group))}/{statement.id[3:11]}-{more:g}"
                far = _with_total(shop, sketch, statement.limit.value * 0.3)
                yield Planned(name, statement.risk, found.drugs, statement, over, (under,), (far,))


def _factor(shop: Workshop, drug: ConceptId) -> float:
    sketch = Sketch(shop.ordinary.order(drug, shop.rng("factor", drug)).person, (shop.ordinary.line(drug),))
    line = replace(sketch.lines[0], dose=1.0, unit="mg", times=1.0)
    return morphine(sketch.with_line(0, line), shop.world, 0, drug)


def _with_total(shop: Workshop, sketch: Sketch, wanted: float) -> Sketch:
    """Each opioid gives its share of `wanted` MME a day, in four doses."""
    for at, line in enumerate(sketch.lines):
        daily = wanted / len(sketch.lines) / _factor(shop, line.drug)
        sketch = sketch.with_line(at, replace(line, dose=round(daily / 4, 2), unit="mg", times=4.0))
    return sketch
