"""The calls of `pharmakon eval …`; what they do is imported when they are called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pharmakon.faces.cli.kb_commands import Home, Json, Verbose

evaluation = typer.Typer(help="Measure it: suites of prescriptions with known truth.", no_args_is_help=False)


@evaluation.command("list")
def list_(as_json: Json = False) -> None:
    """List the suites and what each asks."""
    from pharmakon.faces.cli import evaluation as work

    raise typer.Exit(work.list_suites(as_json))


@evaluation.command("run")
def run(
    suite: Annotated[str, typer.Argument(metavar="SUITE")],
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Another folder of the suite's form.")] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed than the suite's own.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="JSON here; Markdown and cases beside it.")] = None,
    baselines: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Labels that a language model reads for comparison; all where not given."
        ),
    ] = None,
    development: Annotated[bool, typer.Option(help="Leave the held-out part of extract-ddi closed.")] = False,
    as_json: Json = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Run a suite and print its figures."""
    from pharmakon.faces.cli import evaluation as work

    raise typer.Exit(work.run_suite(suite, data, seed, out, baselines, development, home, as_json, verbose))
