"""The chain of verification laid open: plan, queries, raw and curated evidence (`--explain`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pharmakon.audit.case import Case
from pharmakon.audit.curate import rules_of
from pharmakon.audit.plan import Task
from pharmakon.audit.query import Raw
from pharmakon.model.finding import Explanation
from pharmakon.model.statements import Statement

_TRUTH = {True: "true", False: "false", None: "unknown"}


def explain(tasks: Sequence[Task], raw: Raw, case: Case) -> Explanation:
    """Plan, queries, every statement they brought, and the dose rules that were kept with their truth."""
    return Explanation(
        plan=tuple(asdict(task) for task in tasks),
        queries=tuple({**asdict(a), "concepts": sorted(a.concepts), "relations": list(a.relations)} for a in raw.asked),
        raw=tuple(_raw(s) for s in statements(raw)),
        curated=tuple(_curated(case)),
    )


def statements(raw: Raw) -> Iterator[Statement]:
    """Every statement of the raw evidence, pairs first."""
    yield from raw.pairs
    for by_subject in raw.rules.values():
        for rows in by_subject.values():
            yield from rows


def _raw(statement: Statement) -> Mapping[str, Any]:
    quote = statement.evidence[0].quote if statement.evidence else ""
    said = {"subject": statement.subject, "relation": statement.relation, "object": statement.object}
    return {"statement": statement.id, **said, "quote": quote}


def _curated(case: Case) -> Iterator[Mapping[str, Any]]:
    for exposure in case.exposures:
        scene = case.scene(exposure)
        rules = [r for s, chain in case.about(exposure, "dose_limit") for r in rules_of(s, scene, chain)]
        kept = case.select(rules)
        for rule in rules:
            words = " and ".join(c.text for c in rule.clause) or "standard adult rule"
            truth = {"truth": _TRUTH[rule.truth], "kept": rule in kept, "limit": str(rule.statement.limit)}
            yield {"drug": exposure.name, "statement": rule.statement.id, "rule": words, **truth}
