"""Word lists of `link`, as data."""

from __future__ import annotations

import re
from functools import cache

from pharmakon.model.tables import read_table


@cache
def _lists() -> dict[str, dict[str, list[str]]]:
    return read_table("pharmakon.link", "words.toml")


@cache
def word_list(name: str) -> frozenset[str]:
    """All words of one list, folded."""
    return frozenset(word for words in _lists()[name].values() for word in words)


@cache
def words_of(name: str, part: str) -> frozenset[str]:
    """The words of one part of a list, folded."""
    return frozenset(_lists()[name][part])


@cache
def sounds() -> tuple[tuple[re.Pattern[str], str], ...]:
    """(letters, what is heard), to be put in one after the other."""
    rows = (row.split(" = ") for row in _lists()["sounds"]["en"])
    return tuple((re.compile(letters), heard) for letters, heard in rows)
