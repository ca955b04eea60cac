"""Cases through a system under test: a callable from prescription to report. Same cases and system, same result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pharmakon.evaluate.cases import EvalCase
from pharmakon.evaluate.matching import Score, score
from pharmakon.evaluate.metrics import METRICS
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Report
from pharmakon.model.prescription import Prescription
from pharmakon.model.vocabulary import risk_types

System = Callable[[Prescription], Report]
Reader = Callable[[Mapping[str, Any]], Prescription]
"""The plain form → prescription; raises `BadInput`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case with what came of it. `error` is why there is no report: the case then counts as found nothing."""

    case: EvalCase
    score: Score
    got: tuple[Mapping[str, Any], ...]
    error: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """All outcomes of one system, in the order of the cases; `seconds` are those spent in the system."""

    outcomes: tuple[Outcome, ...]
    seconds: float

    @property
    def scores(self) -> tuple[Score, ...]:
        return tuple(o.score for o in self.outcomes)


def run(cases: Iterable[EvalCase], system: System, read: Reader) -> Run:
    """Every case through `system`. A case that can't be read or audited is an outcome too, never left out."""
    outcomes: list[Outcome] = []
    seconds = 0.0
    for case in cases:
        start = time.perf_counter()
        try:
            report = system(read(case.prescription))
        except BadInput as error:
            seconds += time.perf_counter() - start
            outcomes.append(Outcome(case, _nothing(case), (), str(error)))
            continue
        seconds += time.perf_counter() - start
        outcomes.append(Outcome(case, score(case, report), _predicted(case, report)))
    return Run(tuple(outcomes), seconds)


def measure(scores: Sequence[Score], names: Iterable[str]) -> dict[str, float | None]:
    """Metrics by name; None where there was nothing to count."""
    return {name: METRICS[name].of(scores) for name in names}


def by_type(scores: Sequence[Score], names: Sequence[str]) -> dict[str, dict[str, float | int | None]]:
    """Risk type → number of violations and near misses, and the metrics over the cases of that type."""
    table: dict[str, dict[str, float | int | None]] = {}
    for type_ in risk_types():
        own = [s for s in scores if s.type == type_]
        if own:
            counts = {kind: sum(s.kind == kind for s in own) for kind in ("violation", "near_miss")}
            table[type_] = {**counts, **measure(own, names)}
    return table


def failures(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """What went wrong, one entry a case: what was expected or forbidden, and everything that came."""
    return [_failure(o) for o in outcomes if o.error or o.score.failed]


def _failure(outcome: Outcome) -> dict[str, Any]:
    case = outcome.case
    entry: dict[str, Any] = {
        "id": case.id,
        "kind": case.kind,
        "expected": [e.as_dict() for e in case.expect],
        "forbidden": [{"type": e.type, "drugs": sorted(e.drugs)} for e in case.forbid],
        "expected_gaps": list(case.expect_gap),
        "got": list(outcome.got),
        "why": case.why,
        "prescription": case.prescription,
    }
    return {**entry, "error": outcome.error} if outcome.error else entry


def _predicted(case: EvalCase, report: Report) -> tuple[Mapping[str, Any], ...]:
    found: list[Mapping[str, Any]] = [
        {"type": f.type, "tier": str(f.tier), "drugs": list(f.drugs), "summary": f.summary} for f in report.findings
    ]
    if case.kind != "near_miss":
        found += [{"gap": g.needs, "drugs": list(g.drugs)} for g in report.gaps]
    return (*found, *({"unresolved": u.text, "line": u.line} for u in report.unresolved))


def _nothing(case: EvalCase) -> Score:
    strong = sum(e.tier >= 2 for e in case.expect)
    missed = int(case.kind == "near_miss")
    return Score(
        case.id, case.type, case.kind, expected=len(case.expect), expected_warning=strong, near_miss=missed,
        gaps=len(case.expect_gap),
    )  # fmt: skip
