"""The calls of `pharmakon schema …`; what they do is imported when they are called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pharmakon.faces.cli.kb_commands import Home, Json, Verbose

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="As `schema review` lists it.")]
Words = Annotated[str, typer.Option(metavar="A,B", help="Separated by commas.")]

schema = typer.Typer(
    help="How the schema grows: gaps that labels show, and what is decided of them.", no_args_is_help=False
)


@schema.command("propose")
def propose(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH…]", help="Labels to read and not store; else the stored ones.")
    ] = None,
    per_area: Annotated[int, typer.Option(min=1, metavar="N", help="Labels of each of the five areas.")] = 20,
    seed: Annotated[int, typer.Option(help="Of the draw; the same seed draws the same labels.")] = 1,
    stable: Annotated[
        int, typer.Option(min=0, metavar="N", help="Stop after so many labels without a new proposal; 0 reads all.")
    ] = 10,
    least: Annotated[int, typer.Option(min=1, metavar="N", help="Labels that must show a gap.")] = 2,
    model: Annotated[
        bool, typer.Option("--model", help="Let the language model at PHARMAKON_LM_URL propose too.")
    ] = False,
    as_json: Json = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Read a stratified sample of labels and propose what the schema can't hold."""
    from pharmakon.faces.cli import schema as work

    raise typer.Exit(work.propose(paths or [], per_area, seed, stable, least, model, home, as_json, verbose))


@schema.command("review")
def review(
    number: Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="One in full, with its quotations.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Decided ones too.")] = False,
    as_json: Json = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """List the proposals that wait, the ones most labels show first."""
    from pharmakon.faces.cli import schema as work

    raise typer.Exit(work.review(number, everything, home, as_json, verbose))


@schema.command("accept")
def accept(
    number: Number,
    why: Annotated[str, typer.Option(metavar="TEXT", help="Kept with the decision.")] = "",
    anyway: Annotated[bool, typer.Option("--anyway", help="Although it repeats what the schema says already.")] = False,
    as_json: Json = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Make a proposal part of the schema: R or G can hold it from now on."""
    from pharmakon.faces.cli import schema as work

    raise typer.Exit(work.accept(number, why, anyway, home, as_json, verbose))


@schema.command("revise")
def revise(
    number: Number,
    key: Annotated[str, typer.Option(metavar="NAME")] = "",
    kind: Annotated[str, typer.Option(metavar="factor|relation")] = "",
    label: Annotated[str, typer.Option(metavar="TEXT", help="Of a factor, for people.")] = "",
    unit: Annotated[str, typer.Option(metavar="UNIT", help="Of a number, such as mg/min.")] = "",
    shape: Annotated[str, typer.Option(metavar="number|ordinal|flag|choice|concept")] = "",
    of: Annotated[str, typer.Option(metavar="patient|order|pair", help="Whose the factor is.")] = "",
    levels: Words = "",
    kinds: Words = "",
    domain: Words = "",
    range_: Annotated[str, typer.Option("--range", metavar="A,B", help="Separated by commas.")] = "",
    stratum: Annotated[str, typer.Option(metavar="G|R")] = "",
    as_json: Json = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Change a proposal before it is decided: make it more general, give it another name or unit."""
    from pharmakon.faces.cli import schema as work

    plain = {"label": label, "unit": unit, "shape": shape, "of": of, "stratum": stratum}
    lists = {"levels": levels, "kinds": kinds, "domain": domain, "range": range_}
    raise typer.Exit(work.revise(number, key, kind, plain, lists, home, as_json, verbose))


@schema.command("reject")
def reject(
    number: Number,
    why: Annotated[str, typer.Option(metavar="TEXT", help="Kept with the decision.")],
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Decide against a proposal; the same gap is not proposed again."""
    from pharmakon.faces.cli import schema as work

    raise typer.Exit(work.reject(number, why, home, verbose))


@schema.command("history")
def history(as_json: Json = False, home: Home = None, verbose: Verbose = False) -> None:
    """Show the schema's version, and who accepted what and when."""
    from pharmakon.faces.cli import schema as work

    raise typer.Exit(work.history(home, as_json, verbose))
