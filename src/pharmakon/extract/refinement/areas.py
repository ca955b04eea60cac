"""The stratified sample: labels evenly over five therapeutic areas, the same for the same seed (PG-3)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest

from pharmakon.extract.refinement.found import words
from pharmakon.model.concepts import ConceptId


def areas() -> tuple[str, ...]:
    return tuple(words("areas"))


def area_of(atc: Collection[str], classes: Collection[ConceptId], treated: Collection[ConceptId]) -> str:
    """The area of an ingredient with these ATC codes, above it these classes, for these diseases; "" for none of five.

    >>> area_of(["C07AB02"], [], [])
    'cardiovascular'
    """
    for area, row in words("areas").items():
        if any(code.startswith(tuple(row["atc"])) for code in atc):
            return str(area)
    if atc:
        return ""
    hits = {
        area: len({f"class:{c}" for c in row["classes"]}.intersection(classes))
        + len({f"disease:{d}" for d in row["diseases"]}.intersection(treated))
        for area, row in words("areas").items()
    }
    best = max(hits, key=lambda area: hits[area])
    return str(best) if hits[best] else ""


def rank(document: str, seed: int) -> str:
    """Where a document stands in the draw; depends on nothing but its id and the seed."""
    return hashlib.sha256(f"{seed} {document}".encode()).hexdigest()


def sample(documents: Mapping[str, str], per_area: int, seed: int) -> tuple[str, ...]:
    """At most `per_area` of the documents (id → area) of each area, drawn by `seed`, the areas taking turns."""
    drawn = [_drawn((d for d, its in documents.items() if its == area), per_area, seed) for area in areas()]
    return tuple(d for turn in zip_longest(*drawn) for d in turn if d is not None)


def _drawn(documents: Iterable[str], most: int, seed: int) -> Sequence[str]:
    return sorted(documents, key=lambda d: rank(d, seed))[:most]
