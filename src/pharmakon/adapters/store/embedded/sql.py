"""Named SQL and Cypher: `queries/<file>` holds one or more queries, each under a line `-- name: …` (`// name: …`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

_NAME = re.compile(r"^(?:--|//) name: (\w+).*$", re.MULTILINE)
_HERE = "pharmakon.adapters.store.embedded"


@cache
def queries(file: str) -> dict[str, str]:
    """Query name → text for one file of `queries/`."""
    text = resources.files(_HERE).joinpath("queries", file).read_text("utf-8")
    parts = _NAME.split(text)[1:]
    return {name: body.strip().rstrip(";") for name, body in zip(parts[::2], parts[1::2], strict=True)}


@cache
def migrations() -> tuple[tuple[int, str], ...]:
    """(number, script) of every migration, in order."""
    folder = resources.files(_HERE).joinpath("migrations")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return tuple((int(f.name.partition("_")[0]), f.read_text("utf-8")) for f in files)


def as_json(values: Iterable[object]) -> str:
    """A set as the one parameter that `json_each` unfolds."""
    return json.dumps(list(values), ensure_ascii=False)
