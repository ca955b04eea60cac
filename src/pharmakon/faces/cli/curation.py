"""What a person decides about documents: doubtful names, and documents to delete."""

from __future__ import annotations

import getpass
from collections.abc import Mapping
from pathlib import Path

from pharmakon.app import api
from pharmakon.faces.cli.output import print_json, print_line, progress
from pharmakon.faces.text import clean
from pharmakon.model.errors import BadInput


def begin(home: Path | None) -> int:
    print_line(clean(f"{api.begin_with_names(home)}: names of classes, diseases and effects, no drug and no knowledge"))
    return 0


def list_doubts(home: Path | None, as_json: bool, verbose: bool) -> int:
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        found = pharmakon.doubts()
    if as_json:
        print_json(
            [
                {"number": d.no, "document": d.doubt.document, "name": d.doubt.name, "taken_as": d.doubt.taken_as,
                 "candidates": list(d.doubt.candidates), "why": d.doubt.why}
                for d in found
            ]
        )  # fmt: skip
        return 0
    for open_ in found:
        d = open_.doubt
        print_line(clean(f"{open_.no}  {d.name} of {d.document} is held as {d.taken_as}, but {d.why}"))
        for candidate in d.candidates:
            print_line("   the same: " + clean(f"pharmakon kb decide {open_.no} --into {candidate}"))
        print_line(f"   another: pharmakon kb decide {open_.no} --apart")
    if not found:
        print_line("nothing is doubtful")
    return 0


def decide(doubt: int, into: str | None, apart: bool, home: Path | None, verbose: bool) -> int:
    if apart == (into is not None):
        raise BadInput("one of two has to be said", expected="--apart, or --into CONCEPT")
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        print_line(clean(pharmakon.decide(doubt, into, actor=actor())))
    return 0


def delete_document(id: str, why: str, anyway: bool, home: Path | None, as_json: bool, verbose: bool) -> int:
    """Exit code 3 where something is left, which would be a fault."""
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        before, left = pharmakon.delete_document(id, actor=actor(), why=why, anyway=anyway)
    if as_json:
        print_json({"document": id, "deleted": dict(before), "left": dict(left)})
    else:
        print_line(clean(f"{id}: deleted {_counted(before)}; left of it: {_counted(left)}"))
    return 3 if any(left.values()) else 0


def show_traces(id: str, home: Path | None, as_json: bool, verbose: bool) -> int:
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        held = pharmakon.traces(id)
    if as_json:
        print_json({"document": id, "held": dict(held)})
    else:
        print_line(clean(f"{id}: {_counted(held)}"))
    return 1 if any(held.values()) else 0


def _counted(held: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {what}" for what, n in held.items() if n) or "nothing"


def actor() -> str:
    """Who asks, as the system knows them; a container may know nobody."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "command line"
