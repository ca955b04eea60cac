"""The chain of verification laid open: plan, queries, raw and curated evidence (`--explain`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pharmakon.audit.case import Case
from pharmakon.audit.curate import rules_of
from pharmakon.audit.plan import Task
from pharmakon.audit.query import asked
from pharmakon.model.finding import Explanation
from pharmakon.model.statements import Statement

_TRUTH = {True: "true", False: "false", None: "unknown"}


def explain(tasks: Sequence[Task], case: Case) -> Explanation:
    """Plan, queries, every statement they brought, and the dose rules that were kept with their truth."""
    bundles = list({e.bundle.key: e.bundle for e in (*case.exposures, *case.past)}.values())
    about = (s for b in bundles for rows in b.rules.values() for s, _ in rows)
    return Explanation(
        plan=tuple(asdict(task) for task in tasks),
        queries=tuple(
            {**asdict(a), "concepts": sorted(a.concepts), "relations": list(a.relations)}
            for a in asked(bundles, case.pairs)
        ),
        raw=tuple(_raw(s) for s in dict.fromkeys((*case.pairs, *about))),
        curated=tuple(_curated(case)),
    )


def _raw(statement: Statement) -> Mapping[str, Any]:
    quote = statement.evidence[0].quote if statement.evidence else ""
    said = {"subject": statement.subject, "relation": statement.relation, "object": statement.object}
    return {"statement": statement.id, **said, "quote": quote}


def _curated(case: Case) -> Iterator[Mapping[str, Any]]:
    for exposure in case.exposures:
        scene = case.scene(exposure)
        rules = [r for rows in exposure.bundle.doses.values() for r in rules_of(rows, scene)]
        kept = case.select(rules)
        for rule in rules:
            words = " and ".join(c.text for c in rule.clause) or "standard adult rule"
            truth = {"truth": _TRUTH[rule.truth], "kept": rule in kept, "limit": str(rule.statement.limit)}
            yield {"drug": exposure.name, "statement": rule.statement.id, "rule": words, **truth}
