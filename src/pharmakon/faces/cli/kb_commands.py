"""The calls of `pharmakon kb …` and `pharmakon doc …`; what they do is imported when they are called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Home = Annotated[Path | None, typer.Option(metavar="DIR", help="Where the knowledge base lives (else PHARMAKON_HOME).")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show progress even where nobody is watching.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, errors too.")]

kb = typer.Typer(help="The knowledge base: counts, checks, monographs, Cypher.", no_args_is_help=False)
doc = typer.Typer(help="The documents that statements are quoted from.", no_args_is_help=False)


@kb.command("stats")
def stats(as_json: Json = False, home: Home = None, verbose: Verbose = False) -> None:
    """Count concepts, statements and documents, and say what this installation can do."""
    from pharmakon.faces.cli import kb as work

    raise typer.Exit(work.stats(home, as_json, verbose))


@kb.command("check")
def check(as_json: Json = False, home: Home = None, verbose: Verbose = False) -> None:
    """Print every inconsistency; exit 3 when there is one."""
    from pharmakon.faces.cli import kb as work

    raise typer.Exit(work.check(home, as_json, verbose))


@kb.command("rebuild")
def rebuild(home: Home = None, verbose: Verbose = False) -> None:
    """Work out closure, word index and graph anew."""
    from pharmakon.faces.cli import kb as work

    raise typer.Exit(work.rebuild(home, verbose))


@kb.command("embed")
def embed(home: Home = None, verbose: Verbose = False) -> None:
    """Make the vectors that passages lack, so that questions are not answered by words alone."""
    from pharmakon.faces.cli import kb as work

    raise typer.Exit(work.embed(home, verbose))


@kb.command("lint")
def lint(files: Annotated[list[Path], typer.Argument(metavar="FILE…")], as_json: Json = False) -> None:
    """Check monographs against the format and the vocabulary; exit 2 when one breaks a rule."""
    from pharmakon.faces.cli import kb as work

    raise typer.Exit(work.lint(files, as_json))


@kb.command("cypher")
def cypher(
    query: Annotated[str, typer.Argument(metavar="QUERY")],
    as_json: Json = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Ask the graph, reading only: kb cypher "MATCH (c:Concept) RETURN c.kind, count(*)"."""
    from pharmakon.faces.cli import kb as work

    raise typer.Exit(work.cypher(query, home, as_json, verbose))


@kb.command("begin")
def begin(home: Home = None) -> None:
    """Begin a knowledge base for labels of your own: with names of classes and conditions, without a drug.

    Which drugs it knows, and all that it says of them, comes from the labels that are brought in.
    """
    from pharmakon.faces.cli import curation as work

    raise typer.Exit(work.begin(home))


@kb.command("doubts")
def doubts(as_json: Json = False, home: Home = None, verbose: Verbose = False) -> None:
    """List the names that documents brought and nobody could place with certainty."""
    from pharmakon.faces.cli import curation as work

    raise typer.Exit(work.list_doubts(home, as_json, verbose))


@kb.command("decide")
def decide(
    doubt: Annotated[int, typer.Argument(metavar="NUMBER", help="As `kb doubts` lists it.")],
    into: Annotated[str | None, typer.Option(metavar="CONCEPT", help="The two are one: merge into this.")] = None,
    apart: Annotated[bool, typer.Option("--apart", help="They are different: keep both.")] = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Decide a doubt: merge the concept into another, or keep it apart."""
    from pharmakon.faces.cli import curation as work

    raise typer.Exit(work.decide(doubt, into, apart, home, verbose))


@doc.command("delete")
def delete(
    id: Annotated[str, typer.Argument(metavar="ID")],
    why: Annotated[str, typer.Option(metavar="TEXT", help="Kept with the change.")] = "asked for",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Though it is a monograph, or other labels repeat its text.")
    ] = False,
    as_json: Json = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Delete a document and all that only it says; show that nothing of it is left.

    A monograph, or a label whose text others repeat, goes with --anyway; the list of the formulary does not go.
    """
    from pharmakon.faces.cli import curation as work

    raise typer.Exit(work.delete_document(id, why, anyway, home, as_json, verbose))


@doc.command("traces")
def traces(
    id: Annotated[str, typer.Argument(metavar="ID")], as_json: Json = False, home: Home = None, verbose: Verbose = False
) -> None:
    """Count what is held of a document, deleted ones too; exit 1 while there is something."""
    from pharmakon.faces.cli import curation as work

    raise typer.Exit(work.show_traces(id, home, as_json, verbose))


@doc.command("list")
def list_(as_json: Json = False, home: Home = None, verbose: Verbose = False) -> None:
    """List the live documents."""
    from pharmakon.faces.cli import kb as work

    raise typer.Exit(work.list_documents(home, as_json, verbose))


@doc.command("show")
def show(
    id: Annotated[str, typer.Argument(metavar="ID")], as_json: Json = False, home: Home = None, verbose: Verbose = False
) -> None:
    """Show a document with its sections."""
    from pharmakon.faces.cli import kb as work

    raise typer.Exit(work.show_document(id, home, as_json, verbose))
