"""Hospital stays, audited day by day as a ward pharmacist would see them.

On each day the orders that have begun are audited as of that day; the last day of an order counts. A finding counts
once for a stay: by its type and drugs, however many days it stands (the burden of alerts is distinct findings over
orders).

A gold problem: `{"stay", "weight": "warning" | "note", "drugs": [display names], "types": [risk types], "why"}`; it is
found where on some day a finding of one of these types is about all of these drugs. An interaction that is reported
as a burden of which both drugs are part is the same problem.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from pharmakon.evaluate.runner import System
from pharmakon.evaluate.surveys.survey import Survey, share
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Finding, Report
from pharmakon.model.prescription import Prescription
from pharmakon.model.vocabulary import Tier, risk_types
from pharmakon.ports.knowledge import KnowledgeBase

Key = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Problem:
    stay: str
    weight: str
    drugs: frozenset[str]
    types: frozenset[str]
    why: str


def read_problems(text: str, name: str) -> list[Problem]:
    """Every line of the gold; raises `BadInput` with the line."""
    found: list[Problem] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line)
            drugs, types = frozenset(row["drugs"]), frozenset(row["types"])
            problem = Problem(str(row["stay"]), row["weight"], drugs, types, row["why"])
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise BadInput(
                f"no problem ({error})", where=f"{name}, line {number}", expected="stay, weight, drugs, types, why"
            ) from None
        if unknown := sorted(problem.types - set(risk_types())):
            raise BadInput(f"type {unknown[0]!r}", where=f"{name}, line {number}", expected="risk types")
        found.append(problem)
    return found


def day_by_day(stay: Prescription) -> Iterator[Prescription]:
    """One prescription for each day of the stay on which an order runs; orders without dates run on every day."""
    begun = [o.start for o in stay.orders if o.start]
    last = max([*begun, *(o.end for o in stay.orders if o.end)], default=stay.as_of)
    day = min(begun, default=stay.as_of)
    while day <= last:
        orders = tuple(o for o in stay.orders if o.start is None or o.start <= day)
        if any(o.end is None or o.end >= day for o in orders):
            yield replace(stay, orders=orders, as_of=day)
        day += timedelta(days=1)


def survey(
    stays: Iterable[tuple[str, Prescription]], problems: Sequence[Problem], system: System, knowledge: KnowledgeBase
) -> Survey:
    """Every day of every stay."""
    counts: Counter[str] = Counter()
    types: dict[str, Counter[str]] = {}
    failures: list[Mapping[str, Any]] = []
    listed: list[Mapping[str, Any]] = []
    unknown: Counter[str] = Counter()
    seconds, days = 0.0, 0
    for stay, prescription in stays:
        distinct: dict[Key, Finding] = {}
        lost: set[int] = set()
        mismatched: set[tuple[int, str]] = set()
        for day in day_by_day(prescription):
            start = time.perf_counter()
            report = system(day)
            seconds += time.perf_counter() - start
            days += 1
            for finding in report.findings:
                key = (finding.type, finding.drugs)
                if key not in distinct or finding.tier > distinct[key].tier:
                    distinct[key] = finding
                if finding.type == "INDICATION_MISMATCH":
                    mismatched.update((line, drug) for line in finding.lines for drug in finding.drugs)
            lost |= {u.line for u in report.unresolved if u.what == "drug" and u.line is not None}
            counts.update(gap_days=1, gaps_once=_asks_once(report))
        carriers = _carriers(system(prescription), knowledge)
        counts.update(orders=len(prescription.orders), lost=len(lost), carriers=len(carriers))
        counts["carriers_loud"] += len(carriers & mismatched)
        unknown.update(o.drug.text for o in prescription.orders if o.line in lost)
        for finding in distinct.values():
            counts[str(finding.tier)] += 1
            types.setdefault(finding.type, Counter())[str(finding.tier)] += 1
            if finding.tier >= Tier.CRITICAL:
                listed.append({"stay": stay, "type": finding.type, "drugs": finding.drugs, "summary": finding.summary})
        for problem in (p for p in problems if p.stay == stay):
            found = any(type_ in _same(problem.types) and problem.drugs <= set(drugs) for type_, drugs in distinct)
            counts.update({f"{problem.weight}s_listed": 1, f"{problem.weight}s_listed_found": found})
            if not found:
                about = [f"{t} {', '.join(d)}" for t, d in distinct if problem.drugs & set(d)]
                said = f"{problem.weight}: {', '.join(sorted(problem.drugs))}: {problem.why}"
                line = f"{said}; got {'; '.join(about) or 'nothing'}"
                failures.append({"id": f"stay {stay}", "line": line})
    per = counts["orders"] / 100
    return Survey(
        n=counts["orders"],
        seconds=seconds,
        metrics={
            "resolved": share(counts["orders"] - counts["lost"], counts["orders"]),
            "critical_per_100": counts["critical"] / per if per else None,
            "warning_per_100": counts["warning"] / per if per else None,
            "gaps_once": share(counts["gaps_once"], counts["gap_days"]),
            "carriers_quiet": share(counts["carriers"] - counts["carriers_loud"], counts["carriers"]),
            "problems_found": share(counts["warnings_listed_found"], counts["warnings_listed"]),
            "notes_found": share(counts["notes_listed_found"], counts["notes_listed"]),
        },
        tables={
            "counts": {k: {"n": v} for k, v in (*counts.items(), ("days", days))},
            "by_type": {t: dict(types[t]) for t in risk_types() if t in types},
            "not_recognised": {text: {"orders": n} for text, n in unknown.most_common(30)},
            "critical": {
                f"{i}": {"stay": row["stay"], "finding": f"{row['type']}: {row['summary']}"}
                for i, row in enumerate(listed, 1)
            },
        },
        failures=failures,
    )


def _same(types: frozenset[str]) -> frozenset[str]:
    return types | {"CUMULATIVE_BURDEN"} if "INTERACTION_DRUG_DRUG" in types else types


def _asks_once(report: Report) -> bool:
    asked = Counter(gap.needs for gap in report.gaps)
    return all(n == 1 for n in asked.values())


def _carriers(report: Report, knowledge: KnowledgeBase) -> frozenset[tuple[int, str]]:
    """Lines whose drug is a carrier, with its name."""
    known = knowledge.concepts({concept for _, concept, _ in report.drugs})
    return frozenset(
        (line, name) for line, concept, name in report.drugs if concept in known and known[concept].covered == "carrier"
    )
