"""Sections of labels as rows: a JSON list of `{"drug": …, "section": …, "text": …}`, one document for each drug."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePath

from pharmakon.ingest.formats import about
from pharmakon.ingest.formats.outline import Outline, incoming
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.errors import BadInput

_KEYS = frozenset({"drug", "section", "text"})
_EXPECTED = 'a list of {"drug": …, "section": …, "text": …}'


def read_label_sections(data: bytes, where: str) -> Iterator[Incoming | BadInput]:
    """One `Incoming` for each drug, in the order of their first rows; a row that is none is refused alone.

    The rows name no label, so a document is known by the file's name and the drug, and its version is its hash.
    """
    try:
        rows = json.loads(data)
    except (ValueError, RecursionError) as error:
        yield BadInput(f"no valid JSON ({error})", where=where, expected=_EXPECTED)
        return
    if not isinstance(rows, list):
        yield BadInput("no list of sections", where=where, expected=_EXPECTED)
        return
    drugs: dict[str, Outline] = {}
    names: dict[str, str] = {}
    for i, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not all(isinstance(row.get(k), str) and row[k].strip() for k in _KEYS):
            yield BadInput("no section of a label", where=f"{where}, row {i}", expected=", ".join(sorted(_KEYS)))
            continue
        key = row["drug"].strip().casefold()
        names.setdefault(key, row["drug"].strip())
        outline = drugs.setdefault(key, Outline())
        outline.heading(1, row["section"].strip())
        for line in row["text"].splitlines():
            outline.line(" ".join(line.split()))
    for key, outline in drugs.items():
        product = about.product(names[key])
        set_id = f"{PurePath(where).stem}-{key}"
        yield incoming(outline.sections(), (product,), where, title=names[key], set_id=set_id)
