"""`pharmakon kb …` and `pharmakon doc …`: what the knowledge base holds, and whether it is sound."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from pharmakon.app import api
from pharmakon.faces.cli.files import check_file
from pharmakon.faces.cli.output import print_json, progress, warn
from pharmakon.faces.cli.terminal import console_for, put
from pharmakon.faces.text import clean
from pharmakon.model.vocabulary import read_schema


def _open(home: Path | None, verbose: bool = False) -> api.Pharmakon:
    return api.Pharmakon(home, progress=progress(verbose))


def stats(home: Path | None, as_json: bool, verbose: bool) -> int:
    with _open(home, verbose) as pharmakon:
        found = pharmakon.stats()
    kinds = read_schema("vocabulary.toml")["concept_kinds"]  # in this order on every home and in every run
    found["concepts"] = {kind: found["concepts"][kind] for kind in kinds if kind in found["concepts"]}
    if as_json:
        print_json(found)
        return 0
    console = console_for(sys.stdout)
    console.print(Text(f"knowledge {found['knowledge_version']} in {clean(found['home'])}", style="bold"))
    for title in ("concepts", "coverage", "statements", "texts", "capabilities"):
        put(console, _counts(title, found[title]))
    return 0


def _counts(title: str, rows: Mapping[str, Any]) -> Table:
    total = sum(n for n in rows.values() if isinstance(n, int))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=24)
    grid.add_column(overflow="fold")
    grid.add_row(Text(title, style="bold"), str(total) if total and title not in ("texts", "coverage") else "")
    for name, value in rows.items():
        grid.add_row(f"  {name}", clean(value))
    return grid


def check(home: Path | None, as_json: bool, verbose: bool) -> int:
    """Exit code 3 when anything is inconsistent."""
    with _open(home, verbose) as pharmakon:
        found = list(pharmakon.check())
        version = pharmakon.knowledge.version()
    if as_json:
        print_json({"knowledge_version": version, "inconsistencies": found})
    elif not found:
        print(f"knowledge {version}: nothing is inconsistent")
    else:
        for line in found:
            print(clean(line))
    return 3 if found else 0


def rebuild(home: Path | None, verbose: bool) -> int:
    with _open(home, verbose) as pharmakon:
        pharmakon.rebuild()
        print(f"knowledge {pharmakon.knowledge.version()}: closure, word index and graph are worked out anew")
    return 0


def embed(home: Path | None, verbose: bool) -> int:
    say = progress(verbose)

    def show(done: int, total: int) -> None:
        say(f"{done} of {total} passages have a vector")

    with _open(home, verbose) as pharmakon:
        made, total = pharmakon.embed(show)
    print(f"{made} vectors made; all {total} passages have one")
    return 0


def lint(paths: Sequence[Path], as_json: bool) -> int:
    """Exit code 2 when any monograph breaks a rule; every complaint has its line."""
    for path in paths:
        check_file(str(path), "a monograph file")
    complaints = list(api.lint(paths))
    if as_json:
        print_json({"complaints": [api.error_as_dict(c)["error"] for c in complaints]})
    else:
        for complaint in complaints:
            warn(str(complaint))
        if not complaints:
            print(f"{len(paths)} file{'s' if len(paths) != 1 else ''}: nothing to complain about")
    return 2 if complaints else 0


def cypher(text: str, home: Path | None, as_json: bool, verbose: bool) -> int:
    with _open(home, verbose) as pharmakon:
        columns, rows = pharmakon.cypher(text)
    if as_json:
        print_json({"columns": list(columns), "rows": [[_plain(v) for v in row] for row in rows]})
        return 0
    _table([Text(clean(c)) for c in columns], rows)
    return 0


def _plain(value: object) -> object:
    return value if isinstance(value, (str, int, float, bool, list, dict)) or value is None else str(value)


def list_documents(home: Path | None, as_json: bool, verbose: bool) -> int:
    with _open(home, verbose) as pharmakon:
        found = pharmakon.documents()
    if as_json:
        print_json([{"document": id, "version": version, "title": title} for id, version, title in found])
        return 0
    _table([Text("document"), Text("version"), Text("title")], found)
    return 0


def _table(columns: Sequence[Text], rows: Sequence[Sequence[object]]) -> None:
    """Aligned on a terminal; tab-separated in a pipe, where nothing may be cut off."""
    console = console_for(sys.stdout)
    if not console.is_terminal:
        for row in (columns, *rows):
            print("\t".join(clean(cell) for cell in row))
        return
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    console.print(table)


def show_document(id: str, home: Path | None, as_json: bool, verbose: bool) -> int:
    with _open(home, verbose) as pharmakon:
        document = pharmakon.document(id)
    if as_json:
        print_json(asdict(document))
        return 0
    console = console_for(sys.stdout)
    console.print(Text(clean(document.title), style="bold"))
    console.print(Text(clean(f"{document.id} {document.version} · {document.kind} · {document.lang}"), style="dim"))
    for section in document.sections:
        console.print()
        console.print(Text(clean(f"{section.ord} {section.heading or section.kind} [{section.kind}]"), style="bold"))
        for line in section.text.splitlines():
            console.print(Text(clean(line)), soft_wrap=not console.is_terminal)
    return 0
