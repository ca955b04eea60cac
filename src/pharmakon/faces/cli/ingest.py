"""`pharmakon ingest`: documents into the knowledge base, with progress while it runs and an account at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from pharmakon.app import api
from pharmakon.app.summary import Summary
from pharmakon.faces.cli.output import print_json, progress, warn, write_file
from pharmakon.faces.cli.refusals import refusals
from pharmakon.faces.cli.stopping import INTERRUPTED, TERMINATED, Terminated, stopped_by_sigterm
from pharmakon.faces.cli.terminal import console_for
from pharmakon.faces.text import clean
from pharmakon.model.errors import BadInput

_EVERY = 100  #: documents between two lines of progress where there is no terminal to draw on
_SHOWN = 12  #: lines of a kind before the rest is counted; --json has them all


def run_ingest(
    written: Sequence[str],
    again: bool,
    with_model: bool,
    jobs: int,
    refused: Path | None,
    home: Path | None,
    as_json: bool,
    verbose: bool,
) -> int:
    """Exit code 2 where all there was is refused; raises `BadInput` where a path is not there."""
    if "" in written:
        raise BadInput("a path is empty", expected="a label or a folder of labels")
    paths = [Path(path) for path in written]
    for path in paths:
        if not path.exists():
            raise BadInput("there is no such file or folder", where=str(path), expected="a label or a folder of labels")
    model = api.language_model() if with_model else None
    try:
        with stopped_by_sigterm(), api.Pharmakon(home, progress=progress(verbose)) as pharmakon, shown(verbose) as show:
            summary = pharmakon.ingest(paths, progress=show, again=again, model=model, jobs=jobs)
    except KeyboardInterrupt as stop:
        warn("stopped; what was stored stays, and the next run goes on from there")
        return TERMINATED if isinstance(stop, Terminated) else INTERRUPTED
    if as_json:
        print_json(summary.as_dict())
    else:
        for line in _lines(summary):
            indent = line[: len(line) - len(line.lstrip())]  # `clean` takes it off
            console_for(sys.stdout).print(Text(indent + clean(line)), soft_wrap=True)
        for line in refusals(summary.refused):
            warn(line)
    if refused is not None:
        write_file(refused, "".join(f"{clean(one)}\n" for one in summary.refused))
    return 2 if summary.refused and not (summary.stored or summary.unchanged or summary.copies) else 0


@contextmanager
def shown(verbose: bool) -> Iterator[Callable[[int, int | None, str], object]]:
    """A bar with count and time left on a terminal, now and then a line where asked for, else nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        tell = progress(verbose)

        def line(done: int, total: int | None, what: str) -> None:
            if done % _EVERY == 0 or done == total:
                tell(f"{what}: {done}{f' of {total}' if total else ''}")

        yield line
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console_for(sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, what: bar.update(task, completed=done, total=total, description=what)


def _lines(summary: Summary) -> Iterator[str]:
    documents = f"{summary.stored} documents stored"
    parts = [
        f"{n} {what}"
        for n, what in (
            (summary.unchanged, "unchanged"),
            (len(summary.copies), "with the text of another"),
            (len(summary.refused), "refused"),
        )
        if n
    ]
    yield ", ".join([documents, *parts])
    yield (
        f"{summary.statements} new statements, {summary.retired} retired, {len(summary.concepts)} new concepts"
        if summary.statements or summary.retired or summary.concepts
        else "nothing new"
    )
    counts = summary.as_dict()["statements"]["claims"]
    if counts:
        yield "said: " + ", ".join(f"{relation} {n}" for relation, n in counts.items())
    if summary.accounted is not None:
        read = sum(summary.sentences.values())
        yield f"{read} sentences; {summary.accounted:.1%} of those that clinicians are told are accounted for"
    yield from _most("could not be read with certainty", summary.unread.most_common())
    yield from _most("claims refused by the gate", summary.claims_refused.most_common())
    yield from _most("remarks", summary.remarks.most_common())
    if summary.doubts:
        yield f"{len(summary.doubts)} names are doubtful: `pharmakon kb doubts` lists them"


def _most(title: str, counted: Sequence[tuple[str, int]]) -> Iterator[str]:
    if not counted:
        return
    yield f"{title}:"
    yield from (f"  {n:>6}  {what}" for what, n in counted[:_SHOWN])
    if rest := sum(n for _, n in counted[_SHOWN:]):
        yield f"  {rest:>6}  others"
