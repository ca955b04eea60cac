"""Tables of a record: HTML beside the text that holds the same words without rows and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from lxml import etree

from pharmakon.ingest.formats.openfda.values import clean
from pharmakon.ingest.formats.spl.text import read_text
from pharmakon.ingest.formats.spl.xml import words


@dataclass(frozen=True, slots=True)
class Table:
    """`words` are its words without white space, as the text of `field` holds them; `lines` its rows."""

    field: str
    words: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A table, and the stretch of a text that holds its words."""

    start: int
    end: int
    table: Table


def read_tables(value: object, field: str) -> Iterator[Table]:
    """The tables in the strings of a `*_table` field, outer ones only; broken markup is read as far as it goes."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, remove_comments=True)
    for html in value if isinstance(value, list) else [value]:
        if not isinstance(html, str) or "<" not in html:
            continue
        root = etree.fromstring(f"<text>{html}</text>".encode(), parser)
        found = [] if root is None else list(root.iter("{*}table"))
        for table in found:
            if next(table.iterancestors("{*}table"), None) is not None:
                continue
            table.tail = None
            alone = etree.Element("text")
            alone.append(table)
            lines = read_text(alone).text.splitlines()
            if lines:
                yield Table(field, _bare(clean(words(alone))), tuple(lines))


def place(text: str, tables: Mapping[str, Table]) -> list[Placed]:
    """Where the words of `tables` stand in `text`, in order; one that does not stand there is left out."""
    if not tables:
        return []
    bare = _bare(text)
    found: list[Placed] = []
    positions: _Positions | None = None
    after = 0
    for table in tables.values():
        at = bare.find(table.words, after)
        if at < 0:
            at = bare.find(table.words)
        if at < 0:
            continue
        after = at + len(table.words)
        positions = positions or _Positions(text)
        found.append(Placed(positions.of(at), positions.of(after - 1) + 1, table))
    return sorted(found, key=lambda placed: placed.start)


class _Positions:
    """From a place among the characters that are no white space to the place in the text."""

    def __init__(self, text: str) -> None:
        self._starts = [match.start() for match in re.finditer(r"\S+", text)]
        lengths = (len(word) for word in text.split())
        self._before = list(accumulate(lengths, initial=0))  # characters before each word

    def of(self, place: int) -> int:
        word = bisect_right(self._before, place) - 1
        return self._starts[word] + place - self._before[word]


def _bare(text: str) -> str:
    return "".join(text.split())
