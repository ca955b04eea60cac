"""Pairs of one label: where their names stand, when two are the same, and how many were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pharmakon.evaluate.extraction.ddi_labels import Corpus, Key, Label, Place, overlap
from pharmakon.evaluate.surveys.survey import share
from pharmakon.model.concepts import ConceptId

Places = dict[Key, list[tuple[Place, Place]]]
"""Pairs of one label, each with where its two names stand in the label's text, wherever it is said."""


@dataclass(slots=True)
class Tally:
    """Pairs of one label or of many: found ones that are gold, found, gold ones that were found, gold."""

    right: int = 0
    found: int = 0
    met: int = 0
    gold: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.right + other.right, self.found + other.found, self.met + other.met, self.gold + other.gold)

    @property
    def precision(self) -> float | None:
        return share(self.right, self.found)

    @property
    def recall(self) -> float | None:
        return share(self.met, self.gold)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two."""
        p, r = self.precision, self.recall
        return None if p is None or r is None else 2 * p * r / (p + r) if p + r else 0.0


def gold_places(corpus: Corpus, label: Label) -> tuple[Places, Places]:
    """The gold's pairs of a label: those whose two names stand in a sentence, and with the unsaid ones."""
    said: Places = {}
    every: Places = {}
    for (at, _), read in zip(label.gold, corpus.reads(label), strict=True):
        places: dict[ConceptId, list[Place]] = {}
        for m in read.sentence.mentions if at >= 0 else ():
            places.setdefault(m.concepts[0], []).append((at + m.start, at + m.end))
        for pair in read.said:
            said.setdefault(pair, []).extend(places_of(pair, places))
            every.setdefault(pair, []).extend(places_of(pair, places))
        for concept in read.unsaid - {label.context.subjects[0]}:
            pair = joined(label.context.subjects[0], concept)
            every.setdefault(pair, []).extend(places_of(pair, places))
    return said, every


def places_of(pair: Key, at: Mapping[ConceptId, Sequence[Place]]) -> list[tuple[Place, Place]]:
    """Where the two stand; the unsaid half stands where the other does."""
    a, b = sorted(pair)
    left, right = at.get(a) or at.get(b, ()), at.get(b) or at.get(a, ())
    return [(x, y) for x in left for y in right]


def matched(found: Places, gold: Places) -> Tally:
    """Pairs match where the concepts are the same or the names stand in one place."""
    right = sum(any(_same(f, places, g, others) for g, others in gold.items()) for f, places in found.items())
    met = sum(any(_same(f, places, g, others) for f, places in found.items()) for g, others in gold.items())
    return Tally(right, len(found), met, len(gold))


def _same(a: Key, at: Sequence[tuple[Place, Place]], b: Key, there: Sequence[tuple[Place, Place]]) -> bool:
    if a == b:
        return True
    return any((overlap(x, u) and overlap(y, v)) or (overlap(x, v) and overlap(y, u)) for x, y in at for u, v in there)


def joined(a: ConceptId, b: ConceptId) -> Key:
    """The pair of two concepts."""
    return frozenset((a, b))
