"""`pharmakon audit`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import date
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from pharmakon.app import api
from pharmakon.faces.cli.files import check_file, guarded, reading
from pharmakon.faces.cli.output import print_json, print_line, progress, write_file
from pharmakon.faces.words import Words
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Report
from pharmakon.model.prescription import Prescription
from pharmakon.model.vocabulary import Tier

_STDIN = "standard input"
_INPUT = "a file, or - for standard input"


@dataclass(frozen=True, slots=True)
class Options:
    """The call as it was typed."""

    file: str
    as_json: bool
    html: str | None
    fhir: bool
    lang: str
    everything: bool
    explain: bool
    against: Path | None
    batch: bool
    jobs: int
    mapping: Path | None
    fail_on: str | None
    as_of: str | None
    home: Path | None
    verbose: bool
    phrase_for: str | None = None

    @property
    def name(self) -> str:
        return _STDIN if self.file == "-" else self.file


def run_audit(options: Options) -> int:
    """The exit code; raises `BadInput` and `KnowledgeError`."""
    words, fail_on, as_of = _checked(options)
    against = _earlier(options.against)
    mapping = _mapping(options)
    with _input(options) as stream:
        if options.batch or mapping is not None:
            results = api.read_batch(stream, name=options.name, today=date.today(), mapping=mapping)
            first = [] if options.batch else list(islice(results, 2))
            if len(first) != 1:
                return _batch(options, chain(first, results), fail_on, as_of)
            given = first[0].value
            if isinstance(given, BadInput):
                raise given
            name = f"{options.name}, {first[0].key}" if first[0].key else options.name
        else:
            data, name = api.read_input(stream, name=options.name), options.name
            given = api.read_prescription(data, name=name, today=date.today())
    report = _report(options, given, name, as_of)
    _show(report, given, options, words, against)
    return int(fail_on is not None and any(f.tier >= fail_on for f in report.findings))


def _checked(options: Options) -> tuple[Words, Tier | None, date | None]:
    if options.as_json and options.fhir:
        raise BadInput("--json and --fhir exclude each other", expected="one of them")
    if options.jobs > 1 and not options.batch and options.mapping is None:
        raise BadInput("--jobs is for many prescriptions", expected="--batch")
    try:
        fail_on = Tier.parse(options.fail_on) if options.fail_on is not None else None
        as_of = date.fromisoformat(options.as_of) if options.as_of is not None else None
    except BadInput as error:
        raise error.within("--fail-on") from None
    except ValueError:
        raise BadInput(f"{options.as_of!r} is no date", where="--as-of", expected="a date such as 2026-03-01") from None
    return Words(options.lang), fail_on, as_of


def _only_one(options: Options) -> None:
    """Refuse what makes sense for one report alone."""
    for option, given in (
        ("--html", options.html),
        ("--against", options.against),
        ("--all", options.everything),
        ("--phrase-for", options.phrase_for),
    ):
        if given:
            raise BadInput(f"{option} is for one prescription", where=options.name, expected=f"no {option} in a batch")


def _batch(options: Options, results: Iterator[api.Result], fail_on: Tier | None, as_of: date | None) -> int:
    from pharmakon.faces.cli.batch import Plan, run

    _only_one(options)
    plan = Plan(
        home=options.home, name=options.name, as_of=as_of, lang=options.lang, explain=options.explain,
        fhir=options.fhir, fail_on=fail_on, jobs=options.jobs,
    )  # fmt: skip
    return run(plan, results, progress(options.verbose))


def _input(options: Options) -> AbstractContextManager[BinaryIO]:
    if options.file == "-":
        if sys.stdin is None:
            raise BadInput("there is none", where=_STDIN, expected="a prescription")
        return nullcontext(guarded(sys.stdin.buffer, _STDIN, "a prescription"))
    return reading(options.file, _INPUT)


def _earlier(path: Path | None) -> Mapping[str, Any] | None:
    if path is None:
        return None
    with reading(str(path), "a report from audit --json") as stream:
        return api.earlier_report(api.read_input(stream, name=str(path)), name=str(path))


def _mapping(options: Options) -> api.CsvMapping | None:
    if options.mapping is None:
        return None
    check_file(str(options.mapping), "a mapping file")
    beside = None if options.file == "-" else Path(options.file).parent
    return api.read_mapping(options.mapping, beside=beside)


def _report(options: Options, given: Prescription, name: str, as_of: date | None) -> Report:
    with api.Pharmakon(options.home, progress=progress(options.verbose)) as pharmakon:
        report = pharmakon.audit(given, name=name, as_of=as_of, lang=options.lang, explain=options.explain)
        return pharmakon.phrase(report, options.phrase_for, lang=options.lang) if options.phrase_for else report


def _show(
    report: Report, given: Prescription, options: Options, words: Words, earlier: Mapping[str, Any] | None
) -> None:  # fmt: skip
    shaped = api.as_dict(report, against=earlier)
    from pharmakon.faces.view import view_of

    view = view_of(report, words, name=options.name, against=shaped.get("against"))
    if options.html:
        from pharmakon.faces.html import page

        html = page(view, words)
        if options.html == "-":
            print_line(html)
            return
        write_file(Path(options.html), html)
    if options.as_json:
        print_json(shaped)
    elif options.fhir:
        print_json(api.as_fhir(report, given))
    else:
        from pharmakon.faces.cli.terminal import console_for, show

        show(view, words, console_for(sys.stdout), everything=options.everything)
