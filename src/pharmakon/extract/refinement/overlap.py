"""Fragmentation: a proposal that repeats in other words what the schema says already (PG-3).

The remedy against `RenalAdjustment` beside `HepaticAdjustment` is one generic constraint: a statement with a condition
on a factor. So an entry for one organ or one population, a synonym or another unit of a factor, and an inverse or
near-synonym of a relation are told with what there is to use instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pharmakon.extract.refinement.found import words
from pharmakon.extract.specialists.wording import any_of, pattern
from pharmakon.model.refinement import Entry
from pharmakon.model.vocabulary import Factor, Relation, factors, relations

_STEM = 5  #: letters that "treats", "treated" and "treatment" share
_LITTLE = frozenset(
    {"by", "with", "of", "in", "for", "to", "from", "is", "has", "be", "on", "a", "the", "not", "requires"}
)


@dataclass(frozen=True, slots=True)
class Overlap:
    """`existing`: the entries that say it; `why`: in which way, for people."""

    existing: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        return f"{self.why}: use {' or '.join(self.existing)}"


def overlap(entry: Entry) -> Overlap | None:
    """What `entry` would fragment; None where it says something of its own."""
    return _same(entry) or _generic(entry)


def said_already(entry: Entry) -> bool:
    """Whether the schema has this entry, under its own name or another."""
    return entry.name in factors() or entry.name in relations() or _same(entry) is not None


def _same(entry: Entry) -> Overlap | None:
    return _same_factor(entry) if isinstance(entry, Factor) else _same_relation(entry)


def _same_factor(entry: Factor) -> Overlap | None:
    asked = {_bare(text) for text in (entry.name, entry.label)} - {()}
    for known in factors().values():
        if known.name != entry.name and not asked.isdisjoint(_factor_names(known.name, known.label)):
            if known.unit != entry.unit:
                return Overlap((known.name,), f"another unit of a factor, which is in {known.unit or 'no unit'}")
            return Overlap((known.name,), "another name of a factor")
    return None


def _same_relation(entry: Relation) -> Overlap | None:
    own = _stems(entry.name)
    for known in relations().values():
        if known.name == entry.name:
            continue
        names = (known.name, *words("overlap")["relations"].get(known.name, ()))
        if any(own == _stems(name) for name in names):
            turned = bool(entry.domain & known.range) and not entry.domain & known.domain
            return Overlap((known.name,), f"{'the inverse' if turned else 'another name'} of a relation")
    return None


def _generic(entry: Entry) -> Overlap | None:
    """One organ's or one population's own table."""
    for row, cue in _constraints():
        if cue.search(_spaced(entry.name)) or (isinstance(entry, Factor) and cue.search(entry.label)):
            return Overlap(tuple(words("overlap")["generic"][row]["instead"]), "a condition on a statement says it")
    return None


@cache
def _constraints() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = words("overlap")["generic"].items()
    return tuple((name, pattern(rf"(?<![A-Za-z]){any_of(row['words'])}(?![A-Za-z])")) for name, row in rows)


@cache
def _factor_names(name: str, label: str) -> frozenset[tuple[str, ...]]:
    return frozenset(_bare(text) for text in (name, label, *words("overlap")["factors"].get(name, ()))) - {()}


def _bare(text: str) -> tuple[str, ...]:
    """The words of a name in order, without plurals and what makes no difference: figures, units, "serum … level"."""
    plain = frozenset(words("overlap")["plain"]["words"])
    every = tuple(w if w.endswith("ss") else w.removesuffix("s") for w in _split(text))
    return tuple(w for w in every if w not in plain and not w.isdigit()) or every


@cache
def _stems(text: str) -> frozenset[str]:
    every = [w for w in _split(text) if w not in _LITTLE]
    return frozenset(w[:_STEM] for w in every)


def _split(text: str) -> Iterator[str]:
    return (w for w in re.split(r"[^a-z0-9]+", text.casefold()) if w)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
