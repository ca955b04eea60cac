"""Spelling slips: the one name a misspelt text can only mean, and names that lie near it.

A slip keeps the first letter, lies one edit (two in a name of nine letters or more that is no brand) from one concept's
name, and stands well apart from every other; look-alikes are offered, never chosen between. Two edits in a short name
reach another drug: Marplan, an MAOI, is two letters from Marevan, and Ritalin from Rifadin.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rapidfuzz import fuzz, process
from rapidfuzz.distance import DamerauLevenshtein

from pharmakon.link.names import Finder
from pharmakon.link.words import word_list
from pharmakon.model.concepts import ConceptId, Name, fold

#: (letters of the name from which on, edit distance allowed); swapped neighbours are one edit
SLIPS = ((9, 2), (5, 1))
#: Made-up names lie closer together than generic ones: one edit, and from seven letters on (Essure is not Ensure).
BRAND_SLIP = 1
_BRAND_LETTERS = 7
#: Letters that must have been written.
_WRITTEN = 5
#: How much further away the next concept's name must lie.
LEAD = 2


@dataclass(frozen=True, slots=True)
class Near:
    """`concept` where the text can only be a slip of `name`; `names` are what lies near, best first."""

    names: tuple[str, ...]
    concept: ConceptId | None = None
    name: str = ""


class Speller:
    """Finds near names among some kinds of concepts; names are loaded when they are first needed."""

    def __init__(self, finder: Finder, kinds: Collection[str]) -> None:
        self.finder, self.kinds = finder, sorted(kinds)
        self._names: tuple[list[str], list[tuple[ConceptId, Name]]] | None = None

    def near(self, text: str) -> Near:
        """What `text` may have meant."""
        written = fold(text)
        if len(written) < 4 or not written.isascii():
            return Near(())
        known_elsewhere = written in word_list("other_drugs")  # another drug's name is no slip for one we know
        folded, names = self._all()
        ranked = process.extract(written, folded, scorer=fuzz.ratio, limit=12, score_cutoff=70)
        best: dict[ConceptId, tuple[str, Name]] = {}
        for name, _, i in ranked:
            concept, whole = names[i]
            best.setdefault(concept, (name, whole))
        shown = tuple(dict.fromkeys(w.text for _, w in best.values()))[:4]
        apart = sorted((DamerauLevenshtein.distance(written, n), c, w.text) for c, (n, w) in best.items())
        if known_elsewhere or not apart or not _is_slip(written, *best[apart[0][1]]):
            return Near(shown)
        if len(apart) > 1 and apart[1][0] - apart[0][0] < LEAD:
            return Near(shown)
        return Near(shown, apart[0][1], apart[0][2])

    def _all(self) -> tuple[list[str], list[tuple[ConceptId, Name]]]:
        """Folded names, and at the same places what they are names of."""
        if self._names is None:
            rows = [row for row in self.finder.lexicon.names(self.kinds) if row[0].isascii()]
            self._names = [folded for folded, _, _ in rows], [(concept, name) for _, concept, name in rows]
        return self._names


def _is_slip(written: str, folded: str, name: Name) -> bool:
    allowed = next((d for letters, d in SLIPS if len(folded) >= letters), 0)
    if name.kind == "brand":
        allowed = min(allowed, BRAND_SLIP) if len(folded) >= _BRAND_LETTERS else 0
    close = DamerauLevenshtein.distance(written, folded) <= allowed
    return bool(allowed) and len(written) >= _WRITTEN and written[0] == folded[0] and close
