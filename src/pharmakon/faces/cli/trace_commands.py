"""`pharmakon trace …`: how answers came about."""

from __future__ import annotations

from typing import Annotated

import typer

from pharmakon.faces.cli.kb_commands import Home, Json

trace = typer.Typer(help="How answers came about: kept by `ask --trace`.", no_args_is_help=False)
_Id = Annotated[str, typer.Argument(metavar="ID", help="As `trace list` shows it, or its beginning.")]


@trace.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="The newest N.")] = 20,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """List the newest traces."""
    from pharmakon.faces.cli import trace as work

    raise typer.Exit(work.list_traces(limit, home, as_json))


@trace.command("show")
def show(id: _Id, as_json: Json = False, home: Home = None) -> None:
    """Show every step of one, and the answer."""
    from pharmakon.faces.cli import trace as work

    raise typer.Exit(work.show_trace(id, home, as_json))


@trace.command("export")
def export(
    id: _Id,
    form: Annotated[str, typer.Option("--as", metavar="FORM", help="json, mermaid or dot.")] = "mermaid",
    home: Home = None,
) -> None:
    """Print one as data, or as a graph to be drawn."""
    from pharmakon.faces.cli import trace as work

    raise typer.Exit(work.export_trace(id, form, home))


@trace.command("replay")
def replay(id: _Id, as_json: Json = False, home: Home = None) -> None:
    """Ask the same again; exit 1 when the answer is another now. Needs a trace that holds its question."""
    from pharmakon.faces.cli import trace as work

    raise typer.Exit(work.replay_trace(id, home, as_json))
