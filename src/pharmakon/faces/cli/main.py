"""`pharmakon`: parses the call, hands it on, and turns every expected error into one line and an exit code.

Exit codes: 0 done; 1 something was found that the caller asked to fail on; 2 the input or the call is wrong, or the
output can't be written; 3 the knowledge base is missing or broken, or a process that worked for this one was killed;
130 and 143 stopped by Ctrl-C or SIGTERM; 141 the reader of the output has gone. What a command needs is imported inside
it, so that `--help` stays quick.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import pharmakon.faces.text  # noqa: F401  names the way in which characters are lost
from pharmakon.faces.cli.eval_commands import evaluation
from pharmakon.faces.cli.kb_commands import Home, Json, Verbose, doc, kb
from pharmakon.faces.cli.route_commands import route
from pharmakon.faces.cli.schema_commands import schema
from pharmakon.faces.cli.stopping import INTERRUPTED
from pharmakon.faces.cli.trace_commands import trace as trace_
from pharmakon.model.errors import BadInput, PharmakonError

#: Typer brings its own Click in newer releases and uses the installed one in older; both have this class.
_UsageError: type[BaseException] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "UsageError")
_CLOSED_PIPE = 141  #: as a shell reports a program that wrote to a closed pipe; 1 would say that something was found

app = typer.Typer(
    name="pharmakon",
    help="Medication safety: audits prescriptions and shows the sentence behind every finding.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(kb, name="kb")
app.add_typer(doc, name="doc")
app.add_typer(evaluation, name="eval")
app.add_typer(schema, name="schema")
app.add_typer(trace_, name="trace")
app.add_typer(route, name="route")


@app.callback()
def _top(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Medication safety: audits prescriptions and shows the sentence behind every finding.

    For health professionals, who decide. The absence of a finding is no proof of safety.
    """
    if version:
        from pharmakon import __version__

        print(f"pharmakon {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def audit(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Plain JSON, FHIR R4, CDS Hooks, or CSV by a mapping.")],
    as_json: Json = False,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write a page that can be printed; - for standard output.")
    ] = None,
    fhir: Annotated[bool, typer.Option("--fhir", help="Print a FHIR Bundle of DetectedIssue.")] = False,
    lang: Annotated[str, typer.Option(metavar="en|nl|zh", help="Language of our words.")] = "en",
    everything: Annotated[bool, typer.Option("--all", help="Infos in full, not one line each.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show plan, queries and the rules weighed.")] = False,
    phrase_for: Annotated[
        str | None,
        typer.Option(metavar="pharmacist|patient", help="Let the language model at PHARMAKON_LM_URL phrase findings."),
    ] = None,
    against: Annotated[
        Path | None, typer.Option(metavar="REPORT", help="Compare with an earlier --json report.")
    ] = None,
    batch: Annotated[bool, typer.Option("--batch", help="NDJSON in, NDJSON out, line by line and in order.")] = False,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Processes for a batch.")] = 1,
    mapping: Annotated[Path | None, typer.Option(metavar="FILE", help="FILE is CSV with the columns named here.")] = (
        None
    ),
    fail_on: Annotated[
        str | None, typer.Option(metavar="TIER", help="Exit 1 from this tier up: info, warning, critical.")
    ] = None,
    as_of: Annotated[str | None, typer.Option(metavar="DATE", help="Audit as of this day, such as 2026-03-01.")] = None,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Audit a prescription, or many with --batch."""
    from pharmakon.faces.cli.audit import Options, run_audit

    options = Options(
        file=file, as_json=as_json, html=html, fhir=fhir, lang=lang, everything=everything, explain=explain,
        against=against, batch=batch, jobs=jobs, mapping=mapping, fail_on=fail_on, as_of=as_of, home=home,
        verbose=verbose, phrase_for=phrase_for,
    )  # fmt: skip
    raise typer.Exit(run_audit(options))


@app.command()
def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen: this machine alone.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N")] = 8484,
    processes: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="That audit and answer.")] = 2,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Audit and answer over HTTP, on this machine."""
    from pharmakon.faces.cli.serve import Options, run_serve

    raise typer.Exit(run_serve(Options(host, port, processes, home, verbose)))


@app.command()
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION|-", help="In English, Dutch or Chinese; - reads lines.")],
    agent: Annotated[
        str, typer.Option(metavar="NAME", help="naive, dual_granularity, deep_search or question_graph.")
    ] = "",
    lang: Annotated[str, typer.Option(metavar="en|nl|zh", help="Language of our words, else the question's.")] = "",
    professional: Annotated[bool, typer.Option("--professional", help="Leave out what is said to patients.")] = False,
    model: Annotated[bool, typer.Option("--model", help="Let the language model at PHARMAKON_LM_URL write.")] = False,
    explain_route: Annotated[bool, typer.Option("--explain-route", help="Show why this agent was chosen.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Keep how the answer came about, without the question.")] = (
        False
    ),
    trace_text: Annotated[bool, typer.Option("--trace-text", help="Keep it with the question.")] = False,
    as_json: Json = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Answer a question from the sources, each sentence with its place, or say that they do not say.

    With - every line of standard input is a turn of one conversation.
    """
    from pharmakon.faces.cli.ask import Options, run_ask

    options = Options(
        question=question, agent=agent, lang=lang, professional=professional, model=model, explain_route=explain_route,
        trace=trace, trace_text=trace_text, as_json=as_json, home=home, verbose=verbose,
    )  # fmt: skip
    raise typer.Exit(run_ask(options))


@app.command()
def ingest(
    paths: Annotated[list[str], typer.Argument(metavar="PATH…", help="Labels, archives of labels, or folders.")],
    again: Annotated[bool, typer.Option("--again", help="Read anew what is stored already.")] = False,
    model: Annotated[
        bool, typer.Option("--model", help="Let the language model at PHARMAKON_LM_URL read too.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that read many labels.", show_default="one a core")] = (
        os.cpu_count() or 1
    ),
    refused: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every refusal to FILE, one a line.")
    ] = None,
    as_json: Json = False,
    home: Home = None,
    verbose: Verbose = False,
) -> None:
    """Bring labels in: SPL XML, DailyMed zips, openFDA JSON, SmPC (PDF, HTML), Markdown, plain text.

    What is no label is refused and the others come in. Exit 0 when anything came in or was there already, or nothing
    was refused; 2 when all there was is refused; 3 when a process that reads was killed; 130 or 143 when stopped by
    Ctrl-C or SIGTERM. What is stored by then stays, and the next run goes on from there.
    """
    from pharmakon.faces.cli.ingest import run_ingest

    raise typer.Exit(run_ingest(paths, again, model, jobs, refused, home, as_json, verbose))


@app.command("schema-of")
def schema_of_(shape: Annotated[str, typer.Argument(metavar="audit|ask|prescription|error")]) -> None:
    """Print the JSON Schema of what goes in or comes out."""
    from pharmakon.app.api import schema_of
    from pharmakon.faces.cli.output import print_json

    print_json(schema_of(shape))


def run(args: Sequence[str]) -> int:
    """The exit code of `pharmakon ARGS`; prints, and raises nothing that a caller could have brought about."""
    as_json = "--json" in args
    if sys.stdout is None:
        return _lost("it is closed")
    try:
        code = app(args=list(args), prog_name="pharmakon", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except typer.Exit as done:
        return done.exit_code
    except BadInput as error:
        return _complain(error, 2, as_json)
    except PharmakonError as error:
        return _complain(BadInput(str(error)), 3, as_json)
    except _UsageError as error:
        return _complain(_usage(error), 2, as_json)
    except (BrokenPipeError, SystemExit):  # Typer turns the first into the second, with an exit code that is taken
        _let_go()
        return _CLOSED_PIPE
    except UnicodeEncodeError:  # an argument whose bytes are no text, where no file is meant
        return _complain(BadInput("an argument is not UTF-8", expected="a call as in: pharmakon --help"), 2, as_json)
    except OSError as error:  # a full disk, a device that fails: nothing a trace would explain
        if error.filename is None:  # inputs complain by themselves
            return _lost(error.strerror or str(error))
        return _complain(BadInput(error.strerror or str(error), where=str(error.filename)), 2, as_json)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED


def _complain(error: BadInput, code: int, as_json: bool) -> int:
    from pharmakon.faces.cli.output import complain

    try:
        complain(error, as_json=as_json)
    except BrokenPipeError:
        _let_go()
    except OSError as full:
        _lost(full.strerror or str(full))
    return code


def _lost(why: str) -> int:
    from pharmakon.faces.cli.output import warn

    warn(f"standard output: the output could not be written ({why})")
    _let_go()
    return 2


def _let_go() -> None:
    """What is still to be written goes nowhere; without this Python complains once more when it flushes at exit."""
    if sys.__stdout__ is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())


def _usage(error: BaseException) -> BadInput:
    context = getattr(error, "ctx", None)
    message = str(getattr(error, "format_message", error.__str__)()).strip().rstrip(".")
    path = str(context.command_path) if context else "pharmakon"
    return BadInput(message[:1].lower() + message[1:], expected=f"a call as in: {path} --help")


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plainer")
    sys.exit(run(sys.argv[1:]))
