"""`pharmakon eval`: suites listed, and one of them run and shown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pharmakon.app import evaluation
from pharmakon.faces.cli.output import print_json, print_line, progress


def list_suites(as_json: bool) -> int:
    suites = evaluation.list_suites()
    if as_json:
        print_json([{"suite": s.name, "version": s.version, "question": s.question} for s in suites])
    else:
        for suite in suites:
            print_line(f"{suite.name}  {suite.question}")
    return 0


def run_suite(
    name: str, data: Path | None, seed: int | None, out: Path | None, baselines: int | None, development: bool,
    home: Path | None, as_json: bool, verbose: bool,
) -> int:  # fmt: skip
    result = evaluation.run_suite(
        name, home=home, data=data, seed=seed, out=out, baselines=baselines, development=development,
        progress=progress(verbose),
    )  # fmt: skip
    if as_json:
        print_json(result)
        return 0
    said = f"{result['suite']} {result['version']}: {result['n']} cases, seed {result['seed']}"
    print_line(f"{said}, knowledge {result['knowledge_version']}, {result['seconds']} s")
    for metric, value in result["metrics"].items():
        print_line(f"  {metric:<28} {value:.4f}")
    for table, rows in result["tables"].items():
        _table(table.replace("_", " "), rows)
    failures = result["failures"]
    print_line(
        f"\n{len(failures)} cases did not come out as expected" + (": --json or --out lists them" if failures else "")
    )
    return 0


def _table(title: str, rows: Any) -> None:
    """A table of the result: rows by name, columns as they come."""
    if not isinstance(rows, Mapping) or not rows:
        return
    columns = list(dict.fromkeys(c for row in rows.values() if isinstance(row, Mapping) for c in row))
    print_line(f"\n{title}")
    print_line(f"  {'':<30}" + "".join(f"{c[:18]:>19}" for c in columns))
    for name, row in rows.items():
        cells = (
            "".join(f"{_cell(row.get(c)):>19}" for c in columns) if isinstance(row, Mapping) else f"{_cell(row):>19}"
        )
        print_line(f"  {name:<30}{cells}")


def _cell(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "-" if value is None else str(value)
