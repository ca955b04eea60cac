"""Rules about a single order: routes, indications, food and drink."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pharmakon.evaluate.redteam.builders.plan import Planned, Skipped, Workshop, slug, some
from pharmakon.evaluate.redteam.oracle import broken, related
from pharmakon.evaluate.redteam.ordinary import weight
from pharmakon.evaluate.redteam.solve import fulfil
from pharmakon.model.concepts import ConceptId, kind_of

_WRONG_ROUTES = (
    "oral", "intravenous", "subcutaneous", "intramuscular", "rectal", "ophthalmic", "topical", "nasal", "transdermal",
    "inhalation", "vaginal", "otic",
)  # fmt: skip
_ROUTES = 3
_REASONS = 5
_MEMBERS = 3


def routes(shop: Workshop) -> Iterator[Planned | Skipped]:
    """A route that no rule of the drug allows."""
    for drug in shop.world.drugs:
        rules = list(shop.world.about(shop.world.above[drug], "given_by"))
        if not rules:
            continue
        allowed = {v for s in rules for clause in s.when for c in clause if c.factor == "route" for v in c.values}
        rng = shop.rng("route", drug)
        right = shop.ordinary.order(drug, rng)
        wrong = [r for r in _WRONG_ROUTES if r not in allowed]
        for route in sorted(rng.sample(wrong, min(_ROUTES, len(wrong)))):
            sketch = right.with_line(0, replace(right.lines[0], route=route))
            yield Planned(f"{slug(drug)}/{route}", "ROUTE_ERROR", shop.name(drug), rules[0], sketch, (right,))


def indications(shop: Workshop) -> Iterator[Planned | Skipped]:
    """A reason that other drugs are labelled for, and this one is not."""
    everything = sorted({s.object for s in shop.world.statements.get("treats", ()) if s.object and not s.negative})
    reasons = [r for r in everything if kind_of(r) == "disease"]
    for drug in shop.world.drugs:
        mine = shop.world.above[drug]
        uses = [s for r in ("treats", "used_for") for s in shop.world.about(mine, r)]
        labelled = [s for s in uses if s.relation == "treats"]
        if not labelled:
            continue
        rng = shop.rng("indication", drug)
        right = shop.ordinary.order(drug, rng)
        strange = [r for r in reasons if not any(related(shop.world, s.object, r) for s in uses)]
        rng.shuffle(strange)
        ranked = []
        for reason in strange[: 4 * _REASONS]:
            line = replace(right.lines[0], indication=reason)
            sketch = replace(right, lines=(line,)).of(conditions=()).justified()
            ranked.append((*weight(broken(shop.ordinary.complete(sketch), shop.world)), reason, sketch))
        for *_, reason, sketch in sorted(ranked, key=lambda r: r[:3])[:_REASONS]:
            name = f"{slug(drug)}/{slug(reason)}"
            yield Planned(name, "INDICATION_MISMATCH", shop.name(drug), labelled[0], sketch, (right,))


def food(shop: Workshop) -> Iterator[Planned | Skipped]:
    """Diet is not part of a prescription: the order alone asks for the advice, its twin orders another drug."""
    silent = [
        d
        for d in shop.world.drugs
        if not any(s.risk == "INTERACTION_FOOD" for s in shop.world.about(shop.world.above[d], "interacts_with"))
    ]
    for statement in shop.world.statements.get("interacts_with", ()):
        if statement.object is None or kind_of(statement.object) != "lifestyle" or statement.negative:
            continue
        rng = shop.rng(statement.id)
        members: list[ConceptId] = some(shop.world.members(statement.subject), _MEMBERS, rng)
        for member in members:
            start, clause = shop.ordinary.order(member, rng), (statement.when or ((),))[0]
            sketch = fulfil(clause, start, shop.world, 0, None, shop.beside([member], rng), rng)
            if sketch is None or not any(b.statement is statement for b in broken(sketch, shop.world)):
                yield Skipped(statement, "its conditions can't be brought about in one plausible patient")
                continue
            others = [shop.ordinary.together([d], rng) for d in some(silent, 3, rng)]
            controls = tuple(replace(o, person=replace(sketch.person, conditions=())).justified() for o in others)
            name = f"{slug(member)}/{slug(statement.object)}"
            yield Planned(name, statement.risk, shop.name(member), statement, sketch, controls)
