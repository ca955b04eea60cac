"""Route text and codes → a key of the route vocabulary."""

from __future__ import annotations

from functools import cache

from pharmakon.model.concepts import fold
from pharmakon.model.vocabulary import routes


@cache
def _index() -> dict[str, str]:
    found: dict[str, str] = {}
    for key, route in routes().items():
        for name in (key, key.replace("_", " "), *route.names, *route.snomed, *route.nci):
            found.setdefault(fold(name), key)
    return found


def read_route(text: str) -> str | None:
    """The route that `text` names (a word, an abbreviation, a SNOMED or NCIt code), or None.

    >>> read_route("PO"), read_route("IV push"), read_route("Oral route"), read_route("by owl")
    ('oral', 'intravenous_push', 'oral', None)
    """
    folded = fold(text)
    known = _index()
    if folded in known:
        return known[folded]
    shorter = folded.removesuffix(" route").removesuffix(" use").removesuffix(" toediening").removeprefix("via ")
    return known.get(shorter)
