"""Refused documents for a person: a few of each kind, and how many more; a folder may hold ten thousand of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pharmakon.faces.text import clean
from pharmakon.model.errors import BadInput

_EACH = 5  #: lines of one kind
_KINDS = 20
_LONGEST = 600  #: characters of a line
_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|\([^)]*\)|\d[\d.,]*")
_ALL = "--json and --refused FILE list all"


def refusals(refused: Sequence[BadInput]) -> Iterator[str]:
    """The first of each kind in their order, and a line that counts the others of it."""
    kinds: dict[str, list[BadInput]] = {}
    for one in refused:
        kinds.setdefault(_kind(one), []).append(one)
    for alike in list(kinds.values())[:_KINDS]:
        yield from (_cut(clean(one)) for one in alike[:_EACH])
        if len(alike) > _EACH:
            yield f"{len(alike) - _EACH:,} more like these ({_ALL})"
    if others := sum(len(alike) for alike in list(kinds.values())[_KINDS:]):
        yield f"{others:,} more, refused for {len(kinds) - _KINDS} other reasons ({_ALL})"


def _kind(refused: BadInput) -> str:
    """What is wrong, without what is different in every file: names, numbers, a parser's own words."""
    return _PARTICULAR.sub("…", refused.what)


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
