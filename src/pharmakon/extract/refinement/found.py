"""What passes between a proposer and the loop: sentences go in, gaps come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from pharmakon.extract.claims import Sentence
from pharmakon.model.refinement import Entry
from pharmakon.model.tables import read_table


@dataclass(frozen=True, slots=True)
class Gap:
    """One sentence that the schema can't hold, and the entry that would. `pattern` is the same for the same gap."""

    entry: Entry
    pattern: str
    why: str
    sentence: Sentence
    proposer: str = "pattern"  #: or a model's name


@dataclass(frozen=True, slots=True)
class Found:
    """`refused`: a line for each draft that an engine made and its own checks turned away."""

    gaps: tuple[Gap, ...] = ()
    refused: tuple[str, ...] = ()


class Proposer(Protocol):
    """Reads the sentences of one document that no fact accounts for."""

    def read(self, sentences: Sequence[Sentence]) -> Found: ...


@cache
def words(name: str) -> Mapping[str, Any]:
    """One TOML file of this folder as plain data."""
    return read_table(__package__, f"{name}.toml")


def unaccounted(sentences: Iterable[Sentence], quoted: Iterable[tuple[int, int, int]]) -> list[Sentence]:
    """The sentences of clinicians' sections that none of the quotations (section, start, end) touches."""
    read = frozenset(words("gaps")["sections"]["read"])
    spans: dict[int, list[tuple[int, int]]] = {}
    for ord, start, end in quoted:
        spans.setdefault(ord, []).append((start, end))
    return [
        s
        for s in sentences
        if s.kind in read and not any(start < s.end and s.start < end for start, end in spans.get(s.ord, ()))
    ]
