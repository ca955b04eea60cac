"""`openfda.toml`: what the reader of records knows besides topics."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from pharmakon.model.tables import read_table


@dataclass(frozen=True, slots=True)
class Field:
    """A field that holds a section. `heading` matches what its text begins with, in any case."""

    name: str
    place: int  #: in the order in which a label prints its sections
    number: str
    precautions: bool
    heading: re.Pattern[str]


@cache
def knowledge() -> dict[str, Any]:
    return read_table(__package__, "openfda.toml")


@cache
def field(name: str) -> Field:
    """What is known of a field; one that is not listed comes after all that are."""
    listed: dict[str, dict[str, Any]] = knowledge()["fields"]
    row = listed.get(name, {})
    words = name.removeprefix("spl_").split("_")
    own = r"\W*".join(r"(?:and|&)" if word == "and" else re.escape(word) for word in words)
    heading = re.compile(rf"(?:\d+(?:\.\d+)*\.? +)?(?:{row.get('heading', own)})(?![\w-])", re.IGNORECASE)
    place = list(listed).index(name) if name in listed else len(listed)
    return Field(name, place, row.get("number", ""), bool(row.get("precautions")), heading)


def is_section(name: str) -> bool:
    """Whether a key of a record holds a section: `route` does (LOINC 60562-6), the routes are in the openfda block."""
    return name not in knowledge()["identity"]["keys"] and not name.endswith("_table")
