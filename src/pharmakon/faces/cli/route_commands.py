"""`pharmakon route calibrate`: where the router's thresholds belong for a sample of questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pharmakon.faces.cli.kb_commands import Home, Json

route = typer.Typer(help="The router of questions.", no_args_is_help=False)


@route.callback()
def _route() -> None:
    """The router of questions."""


@route.command("calibrate")
def calibrate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A sample of questions, one a line.")],
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Show how the routing score z is distributed over a sample, and propose thresholds; nothing is changed."""
    from pharmakon.faces.cli import route as work

    raise typer.Exit(work.calibrate(file, home, as_json))
