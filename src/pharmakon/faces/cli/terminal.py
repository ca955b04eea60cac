"""The report in a terminal: first what must not be missed, last what was found clean.

Colour is never the only carrier: every tier has its word and its sign, so a pipe, a log and NO_COLOR lose nothing.
All text goes in as `Text`, never as markup: a note that says `[red]` stays a note.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.style import Style
from rich.table import Table
from rich.text import Text

from pharmakon.faces.text import clean
from pharmakon.faces.view import Item, Row, View
from pharmakon.faces.words import Words
from pharmakon.model.finding import Explanation

_WIDEST = 110  #: columns; a label's web address still fits on its line
_STYLE = {"critical": "bold red", "warning": "bold yellow", "info": "bold cyan"}
_SIGN = {"critical": "✖", "warning": "▲", "info": "•"}


def console_for(stream: TextIO, width: int | None = None) -> Console:
    """A console over `stream`: as wide as the terminal but no wider than reads well; all of that in a pipe."""
    found = Console(file=stream, highlight=False, markup=False, emoji=False)
    wide = width or (found.width if found.is_terminal or "COLUMNS" in os.environ else _WIDEST)
    return Console(file=stream, highlight=False, markup=False, emoji=False, width=max(40, min(wide, _WIDEST)))


def show(view: View, words: Words, console: Console, *, everything: bool = False) -> None:
    """Print `view`; infos take one line each unless `everything`."""
    for part in _parts(view, words, everything):
        put(console, part)


def put(console: Console, part: RenderableType) -> None:
    """Print `part`; in a pipe without the blanks that fill a table up."""
    if console.is_terminal:
        console.print(part)
        return
    with console.capture() as captured:
        console.print(part)
    console.file.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _parts(view: View, words: Words, everything: bool) -> Iterator[RenderableType]:
    yield from _head(view, words)
    for tier, items in view.tiers:
        if tier == "info" and view.gaps_first:
            yield from _gaps(view, words)
        if not items:
            continue
        yield Text()
        yield _title(f"{words.tier(tier)} · {words('meaning_' + tier)}", _STYLE[tier])
        if tier == "info" and not everything:
            yield from (_brief(item, _SIGN[tier]) for item in items)
            yield Text(f"  {words('more_infos')}", style="dim")
        else:
            for place, item in enumerate(items):
                yield from [Text()] if place else []
                yield _finding(item, words, _SIGN[tier])
    if not view.gaps_first:
        yield from _gaps(view, words)
    yield from _rows(words("unresolved"), view.unresolved, "? ")
    yield from _rows(words("open_title"), view.open_rows, "? ")
    yield from _rows(words("assumptions"), view.assumptions, "~ ")
    yield from _rows(words("patient"), view.patient)
    yield from _rows(words("clean"), view.clean)
    if view.explain is not None:
        yield from _explain(view.explain, words)
    yield Text()
    yield Rule(style="dim")
    yield Text(words("footer"), style="dim")


def _gaps(view: View, words: Words) -> Iterator[RenderableType]:
    if view.gaps:
        yield from _section(words("gaps"))
        for gap in view.gaps:
            yield _hanging(Text.assemble("? ", (gap.needs, "bold")), [gap.because, gap.touches])


def _head(view: View, words: Words) -> Iterator[Text]:
    yield Text(" · ".join(t for t in (words("title"), view.name, view.as_of, view.knowledge) if t), style="dim")
    line = Text(view.verdict, style="bold")
    for place, (tier, tally) in enumerate(view.tallies):
        line.append(": " if place == 0 else ", ")
        line.append(f"{_SIGN[tier]} {tally}", style=_STYLE[tier])
    yield line
    if view.open:
        yield Text(f"? {view.open}", style="bold magenta")
    yield Text(view.scope)
    if view.unrecognised:
        yield Text(f"! {view.unrecognised}", style="bold")
    yield from (Text(f"! {notice}", style="bold") for notice in view.notices)
    if view.comparison:
        yield Text(f"{view.comparison.title}: {view.comparison.counts}")
        yield from (Text(f"  {words('gone')}: {gone}") for gone in view.comparison.gone)


def _title(text: str, style: str = "bold") -> Rule:
    return Rule(Text(text, style=style), align="left", style="dim")


def _section(title: str) -> Iterator[RenderableType]:
    yield Text()
    yield _title(title)


def _rows(title: str, rows: Sequence[Row], sign: str = "") -> Iterator[RenderableType]:
    if not rows:
        return
    yield from _section(title)
    for row in rows:
        yield _hang(Text.assemble(sign, (row.label, "bold"), ": " if row.text else "", row.text))


def _hang(text: Text) -> Table:
    """Text that stands indented, its sign left of it."""
    sign = text.plain[:2] if text.plain[:2] in ("? ", "~ ") else ""
    grid = Table.grid(padding=0, expand=True)
    grid.add_column(width=2)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(sign, text[len(sign) :])
    return grid


def _hanging(head: Text, lines: Iterable[str]) -> Group:
    return Group(head, *(Padding(Text(line), (0, 0, 0, 2)) for line in lines if line))


def _brief(item: Item, sign: str) -> Table:
    line = Text.assemble((item.tier_word, _STYLE["info"]), f" {item.type} · ", (item.summary, ""))
    if item.management:
        line.append(f" → {item.management}")
    if item.change:
        line.append(f" [{item.change}]", style="bold")
    return _signed(sign, _STYLE["info"], line)


def _signed(sign: str, style: str, *content: RenderableType) -> Table:
    grid = Table.grid(padding=0, expand=True)
    grid.add_column(width=3)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(Text(sign, style=style), Group(*content))
    return grid


def _finding(item: Item, words: Words, sign: str) -> RenderableType:
    head = Text.assemble((item.tier_word, _STYLE[item.tier]), f" {item.type} · ", (item.drugs, "bold"))
    if item.orders:
        head.append(f"  ({item.orders})", style="dim")
    if item.change:
        head.append(f"  [{item.change}]", style="bold")
    body: list[RenderableType] = [head, Text(item.summary)]
    if item.management:
        body.append(Text(f"→ {item.management}", style="bold"))
    body.append(_facts(item, words))
    return _signed(sign, _STYLE[item.tier], *body)


def _facts(item: Item, words: Words) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    if item.used:
        grid.add_row(words("used"), "; ".join(item.used))
    if item.chain:
        grid.add_row(words("chain"), item.chain)
    for change in item.changes:
        grid.add_row(words("changes"), change)
    for quotation in item.quotations:
        for place, text in enumerate(quotation.texts):
            grid.add_row("" if place else quotation.owner, Text.assemble("“", (text, "italic"), "”"))
        if not quotation.ours:
            grid.add_row("", Text(quotation.place, style="dim"))
        for source in quotation.sources:
            read = words("source_read" if source.read else "source_not_read")
            cited = Text.assemble(f"{source.title}, {source.section} ", (f"({read})", "dim"))
            grid.add_row(words("published"), cited)
            if source.url:
                grid.add_row("", Text(source.url, style=Style(dim=True, link=source.url)))
        if not quotation.sources and quotation.ours:
            grid.add_row("", Text(words("no_citation"), style="dim"))
    return grid


def _explain(e: Explanation, words: Words) -> Iterator[RenderableType]:
    yield from _section(words("explain"))
    yield Text(words("explain_plan", n=len(e.plan)), style="bold")
    for (check, relations), drugs in _tasks(e.plan).items():
        yield _hang(Text(f"{words.task(check)}: {words.listed(drugs)} [{relations}]"))
    yield Text(words("explain_queries", n=len(e.queries)), style="bold")
    for query in e.queries:
        about = f"{len(query.get('concepts', ()))} concepts, {words.listed(query.get('relations', ()))}"
        rows = words("rows", n=int(query.get("rows", 0)))
        yield _hang(Text(clean(f"{query.get('query')} ({query.get('store')}): {about} → {rows}")))
    yield Text(words("explain_raw", n=len(e.raw)), style="bold")
    counts: dict[str, int] = {}
    for row in e.raw:
        counts[str(row["relation"])] = counts.get(str(row["relation"]), 0) + 1
    yield _hang(Text(words.listed(f"{relation} {n}" for relation, n in sorted(counts.items()))))
    yield Text(words("explain_curated", n=len(e.curated)), style="bold")
    for row in e.curated:
        kept = f" ← {words('kept')}" if row.get("kept") else ""
        yield _hang(Text(clean(f"{row.get('drug')}: {row.get('rule')} = {row.get('truth')}, {row.get('limit')}{kept}")))


def _tasks(plan: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], list[str]]:
    grouped: dict[tuple[str, str], list[str]] = {}
    for task in plan:
        key = (str(task["check"]), ", ".join(task["relations"]))
        grouped.setdefault(key, []).append(" + ".join(task["drugs"]))
    return grouped
