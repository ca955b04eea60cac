"""Code systems by their short names, and the codes that mean "nothing known"."""

from __future__ import annotations

from functools import cache
from typing import Any

from pharmakon.model.concepts import Code, fold
from pharmakon.model.prescription import Text
from pharmakon.model.tables import read_table


@cache
def _table() -> dict[str, Any]:
    return read_table(__package__, "codes.toml")


def code(system: str, value: str) -> Code:
    """A code under the system's short name; an unknown system keeps the name it came with.

    No-break and zero-width spaces are stripped, because they ride along in published code lists.

    >>> code("http://loinc.org", "2823-3\\u00a0")
    Code(system='loinc', value='2823-3', prefix=False)
    """
    cleaned = value.translate({0x200B: None, 0x2060: None, 0xFEFF: None}).strip()
    name = system.strip()
    return Code(_table()["systems"].get(name.casefold().rstrip("/"), name), cleaned)


def word_list(table: str, key: str = "texts") -> frozenset[str]:
    """A list of folded phrases of `codes.toml`."""
    return _lists()[table][key]


@cache
def _lists() -> dict[str, dict[str, frozenset[str]]]:
    return {
        table: {key: frozenset(fold(text) for text in texts) for key, texts in rows.items() if key != "snomed"}
        for table, rows in _table().items()
        if table != "systems"
    }


def says_no_allergy(substance: Text) -> bool:
    """Whether an allergy entry says that there are none."""
    if any(c.system == "snomed" and c.value in _table()["no_known_allergy"]["snomed"] for c in substance.codes):
        return True
    return fold(substance.text) in word_list("no_known_allergy")
