"""Results in the shape other programs rely on (`eval` in DESIGN.md), and as Markdown for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pharmakon.evaluate.metrics import METRICS
from pharmakon.evaluate.runner import Run, by_type, failures, measure
from pharmakon.evaluate.spec import Spec
from pharmakon.evaluate.surveys.survey import MEASURES, Survey

#: Columns of a table of risk types.
COLUMNS = ("precision", "precision_strict", "recall", "f1", "tier_accuracy", "near_miss_specificity")


def result(
    spec: Spec, run: Run, *, seed: int, knowledge_version: str, ablations: Mapping[str, Run], notes: Mapping[str, Any]
) -> dict[str, Any]:
    """The result of a suite. Metrics nobody could count are left out; `notes` become tables of their own."""
    names = (*spec.metrics, *spec.also_reported)
    metrics = {k: v for k, v in measure(run.scores, names).items() if v is not None}
    tables: dict[str, Any] = {"by_type": by_type(run.scores, COLUMNS)}
    subsets = sorted({s.subset for s in run.scores} - {""})
    for subset in subsets:
        tables.setdefault("subsets", {})[subset] = _subset(run, subset, names)
    for system, other in ablations.items():
        measured = measure(other.scores, names)
        metrics |= {f"{k}_{system}": v for k, v in measured.items() if v is not None and k in spec.metrics}
        tables.setdefault("ablations", {"default": _row(run, names)})[system] = _row(other, names)
        for subset in subsets:
            tables["subsets"][f"{subset}, {system}"] = _subset(other, subset, names)
        tables[f"by_type_{system}"] = by_type(other.scores, COLUMNS)
    return {
        "suite": spec.suite,
        "version": spec.version,
        "seed": seed,
        "n": len(run.outcomes),
        "seconds": round(run.seconds, 3),
        "metrics": metrics,
        "tables": {**tables, **notes},
        "failures": failures(run.outcomes),
        "knowledge_version": knowledge_version,
    }


def survey_result(spec: Spec, survey: Survey, *, knowledge_version: str) -> dict[str, Any]:
    """The result of a survey, in the same shape."""
    return {
        "suite": spec.suite,
        "version": spec.version,
        "seed": spec.seed,
        "n": survey.n,
        "seconds": round(survey.seconds, 3),
        "metrics": {k: v for k in (*spec.metrics, *spec.also_reported) if (v := survey.metrics.get(k)) is not None},
        "tables": dict(survey.tables),
        "failures": list(survey.failures),
        "knowledge_version": knowledge_version,
    }


def _row(run: Run, names: Sequence[str]) -> dict[str, float | None]:
    return {**measure(run.scores, names), "seconds": round(run.seconds, 3)}


def _subset(run: Run, subset: str, names: Sequence[str]) -> dict[str, float | int | None]:
    own = [s for s in run.scores if s.subset == subset]
    return {"n": len(own), **measure(own, names)}


def as_markdown(result: Mapping[str, Any], spec: Spec) -> str:
    """The result as a page: figures first, then tables, then one line for each failure."""
    lines = [
        f"# {result['suite']} {result['version']}",
        "",
        spec.question,
        "",
        f"{result['n']} cases, seed {result['seed']}, knowledge {result['knowledge_version']}, {result['seconds']} s.",
        "",
        *_metrics(result["metrics"], MEASURES[spec.survey] if spec.survey else {k: m.what for k, m in METRICS.items()}),
    ]
    for name, table in result["tables"].items():
        lines += ["", f"## {name.replace('_', ' ')}", "", *_table(table)]
    lines += ["", f"## failures ({len(result['failures'])})", ""]
    lines += [_line(failure) for failure in result["failures"]]
    return "\n".join(lines) + "\n"


def _metrics(metrics: Mapping[str, float], what: Mapping[str, str]) -> list[str]:
    rows = ["| metric | value | what it is |", "|---|---|---|"]
    own = [(name, value) for name, value in metrics.items() if name in what]
    return rows + [f"| {name} | {value:.4f} | {what[name]} |" for name, value in own]


def _table(table: Mapping[str, Any]) -> list[str]:
    columns: list[str] = []
    for row in table.values():
        columns += [c for c in (row if isinstance(row, Mapping) else {"n": row}) if c not in columns]
    head = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    shaped = ((name, row if isinstance(row, Mapping) else {"n": row}) for name, row in table.items())
    return head + [f"| {name} | " + " | ".join(_cell(row.get(c)) for c in columns) + " |" for name, row in shaped]


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


def _line(failure: Mapping[str, Any]) -> str:
    if "line" in failure:
        return f"- `{failure['id']}`: {failure['line']}"
    wanted = "; ".join(f"{e['type']} {', '.join(e['drugs'])} ({e['tier_at_least']})" for e in failure["expected"])
    forbidden = "; ".join(f"{e['type']} {', '.join(e['drugs'])}" for e in failure["forbidden"])
    got = "; ".join(
        f"{g['type']} {', '.join(g['drugs'])} ({g['tier']})" if "type" in g else f"unresolved {g['unresolved']}"
        for g in failure["got"]
        if "gap" not in g
    )
    asked = f"expected {wanted}" if wanted else f"forbidden {forbidden}" if forbidden else "gap"
    return f"- `{failure['id']}`: {asked}; got {failure.get('error') or got or 'nothing'}"
