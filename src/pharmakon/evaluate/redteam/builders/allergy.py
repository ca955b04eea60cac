"""Allergies: to the drug itself, to a class it belongs to, and to what cross-reacts with it."""

from __future__ import annotations

from collections.abc import Iterator

from pharmakon.evaluate.redteam.builders.plan import Planned, Skipped, Workshop, slug, some
from pharmakon.evaluate.redteam.oracle import broken
from pharmakon.evaluate.redteam.sketch import Sketch
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Statement

_MEMBERS = 4


def build(shop: Workshop) -> Iterator[Planned | Skipped]:
    for drug in shop.world.drugs:
        identity = next(iter(shop.world.about(frozenset({drug}), "belongs_to")), None)
        if identity is not None:
            yield from _allergic(shop, drug, drug, identity)
    for statement in shop.world.statements.get("cross_reacts_with", ()):
        if statement.object is None or statement.negative:
            continue
        rng = shop.rng(statement.id)
        made = False
        for allergen, target in dict.fromkeys(
            ((statement.subject, statement.object), (statement.object, statement.subject))
        ):
            for drug in some(shop.world.members(target), _MEMBERS, rng):
                for planned in _allergic(shop, drug, allergen, statement):
                    made = True
                    yield planned
        if not made:
            yield Skipped(statement, "no ingredient described in depth on either side")


def _allergic(shop: Workshop, drug: ConceptId, allergen: ConceptId, statement: Statement) -> Iterator[Planned]:
    rng = shop.rng("allergy", drug, allergen)
    sketch = shop.ordinary.order(drug, rng)
    if allergen not in shop.world.concepts:
        return
    harmless = [c for c in sorted(shop.world.concepts) if kind_of(c) in ("allergen", "ingredient") and c != drug]
    rng.shuffle(harmless)
    others = [o for o in harmless if not _conflicts(shop, sketch.of(allergies=(o,)))]
    if not _conflicts(shop, sketch.of(allergies=(allergen,))) or not others:
        return
    yield Planned(
        f"{slug(drug)}/{allergen.replace(':', '-')}",
        "ALLERGY_CONFLICT",
        shop.name(drug),
        statement,
        sketch.of(allergies=(allergen,)),
        tuple(sketch.of(allergies=(o,)) for o in others[:1]),
    )


def _conflicts(shop: Workshop, sketch: Sketch) -> bool:
    return any(b.type == "ALLERGY_CONFLICT" for b in broken(sketch, shop.world))
