"""Spelling slips: the one name a misspelt text can only mean, and names that lie near it.

A slip keeps the first letter, lies one edit (two in a name of nine letters or more that is no brand) from one concept's
name, and stands well apart from every other; look-alikes are offered, never chosen between. Two edits in a short name
reach another drug: Marplan, an MAOI, is two letters from Marevan, and Ritalin from Rifadin.

People who ask write what they hear: "ibuprophen". There a name that sounds the same (`words.toml`, `sounds`) lies half
an edit away, whatever letters it takes. In Chinese, where a wrong character is one of the same sound, one character of
a name of three or more may be another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import DamerauLevenshtein

from pharmakon.link.names import Finder
from pharmakon.link.words import sounds, word_list, words_of
from pharmakon.model.concepts import ConceptId, Name, fold, is_han, kind_of

#: (letters of the name from which on, edit distance allowed); swapped neighbours are one edit
SLIPS = ((9, 2), (5, 1))
#: Made-up names lie closer together than generic ones: one edit, and from seven letters on (Essure is not Ensure).
BRAND_SLIP = 1
_BRAND_LETTERS = 7
#: Letters that must have been written.
_WRITTEN = 5
#: How much further away the next concept's name must lie; where the consonants are those of one name, and not of the
#: other, one edit tells them apart.
LEAD = 2
_LEAD_BY_SOUND = 1
#: Kinds whose names were made to be told apart, brands aside.
_GENERIC = frozenset({"ingredient", "drug"})
#: What a spelling costs that sounds as the name does.
_SOUNDS_SAME = 0.5
#: A name with another first letter is no reading, and so less of a rival by this.
_OTHER_FIRST = 1
#: Edits within which a name is looked at as a reading or as its rival.
_REACH = max(edits for _, edits in SLIPS) + LEAD
#: Characters of a Chinese name of which one may be another.
_HAN_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Near:
    """`concept` where the text can only be a slip of `name`; `names` are what lies near, best first."""

    names: tuple[str, ...]
    concept: ConceptId | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class HanSlip:
    """`text[start:end]` is one character away from `name`, and from no other concept's name."""

    start: int
    end: int
    concept: ConceptId
    name: str


class Speller:
    """Finds near names among some kinds of concepts; names are loaded when they are first needed."""

    def __init__(self, finder: Finder, kinds: Collection[str], *, by_sound: bool = False) -> None:
        """`by_sound`: what sounds the same lies near."""
        self.finder, self.kinds, self.by_sound = finder, sorted(kinds), by_sound
        self._names: tuple[list[str], list[tuple[ConceptId, Name]]] | None = None
        self._sounds: list[str] = []

    def near(self, text: str) -> Near:
        """What `text` may have meant."""
        written = fold(text)
        if len(written) < 4 or not written.isascii():
            return Near(())
        folded, names = self._all()
        shown: dict[ConceptId, str] = {}
        for _, _, i in process.extract(written, folded, scorer=fuzz.ratio, limit=12, score_cutoff=70):
            shown.setdefault(names[i][0], names[i][1].text)
        offered = tuple(dict.fromkeys(shown.values()))[:4]
        if written in word_list("other_drugs"):  # another drug's name is no slip for one we know
            return Near(offered)
        best: dict[ConceptId, tuple[float, int]] = {}
        for i in self._reached(written):
            cost = self._cost(written, folded[i], names[i][0])
            if cost < best.get(names[i][0], (_REACH + 1, 0))[0]:
                best[names[i][0]] = cost, i
        apart = sorted((cost, concept, i) for concept, (cost, i) in best.items())
        if not apart:
            return Near(offered)
        cost, _, i = apart[0]
        if not self._is_slip(written, folded[i], *names[i], cost):
            return Near(offered)
        for other, _, j in apart[1:]:
            if other - cost < self._lead(written, folded[i], *names[i], folded[j]):
                return Near(offered)
        own = {name for name, (concept, _) in zip(folded, names, strict=True) if concept == names[i][0]}
        if any(self._cost(written, other, names[i][0]) <= cost for other in word_list("other_drugs") - own):
            return Near(offered)
        return Near(offered, names[i][0], names[i][1].text)

    def _reached(self, written: str) -> Iterator[int]:
        """Places of the names that may be a reading or a rival."""
        folded, _ = self._all()
        scorer = DamerauLevenshtein.distance
        found = {i for _, _, i in process.extract(written, folded, scorer=scorer, limit=None, score_cutoff=_REACH)}
        if self.by_sound:
            heard = process.extract(sound(written), self._sounds, scorer=scorer, limit=None, score_cutoff=_REACH - 1)
            found |= {i for _, _, i in heard}
        yield from sorted(found)

    def _cost(self, written: str, folded: str, concept: ConceptId) -> float:
        cost: float = DamerauLevenshtein.distance(written, folded)
        if cost and self._heard(concept):
            cost = min(cost, _SOUNDS_SAME + DamerauLevenshtein.distance(sound(written), sound(folded)))
        return cost

    def _heard(self, concept: ConceptId) -> bool:
        """Whether a name is taken for what it sounds like: words of diseases sound like others of every day."""
        return self.by_sound and kind_of(concept) in _GENERIC

    def _begins_alike(self, written: str, folded: str) -> bool:
        return written[0] == folded[0] or (self.by_sound and sound(written)[:1] == sound(folded)[:1])

    def _lead(self, written: str, folded: str, concept: ConceptId, name: Name, rival: str) -> float:
        """How much further than the name `folded` another concept's name must lie."""
        if not self._heard(concept) or name.kind == "brand":
            return LEAD
        heard = _consonants(written)
        lead = _LEAD_BY_SOUND if heard == _consonants(folded) != _consonants(rival) else LEAD
        return lead if self._begins_alike(written, rival) else lead - _OTHER_FIRST

    def _is_slip(self, written: str, folded: str, concept: ConceptId, name: Name, cost: float) -> bool:
        allowed = next((edits for letters, edits in SLIPS if len(folded) >= letters), 0)
        if name.kind == "brand":
            allowed = min(allowed, BRAND_SLIP) if len(folded) >= _BRAND_LETTERS else 0
        same = self._begins_alike(written, folded) if self._heard(concept) else written[0] == folded[0]
        return same and 0 < allowed >= cost and len(written) >= _WRITTEN

    def _all(self) -> tuple[list[str], list[tuple[ConceptId, Name]]]:
        """Folded names, and at the same places what they are names of."""
        if self._names is None:
            rows = [row for row in self.finder.lexicon.names(self.kinds) if row[0].isascii()]
            self._names = [folded for folded, _, _ in rows], [(concept, name) for _, concept, name in rows]
            self._sounds = [sound(folded) for folded, _, _ in rows] if self.by_sound else []
        return self._names


class HanSpeller:
    """Finds Chinese names in which one character is another; its first is as it should be."""

    def __init__(self, finder: Finder, kinds: Collection[str], others: Collection[str]) -> None:
        """`others`: kinds whose names are no slips of the ones sought."""
        self._finder, self._kinds, self._others = finder, frozenset(kinds), sorted({*kinds, *others})
        self._masked: dict[tuple[str, int], dict[ConceptId, str]] | None = None
        self._known: frozenset[str] = frozenset()
        self._lengths: tuple[int, ...] = ()

    def find(self, text: str, taken: Collection[tuple[int, int]] = ()) -> list[HanSlip]:
        """Slips in `text` outside of the stretches that are `taken`; of overlapping ones the longest."""
        masked = self._all()
        found: list[HanSlip] = []
        for length in self._lengths:
            for start in range(len(text) - length + 1):
                end = start + length
                stretch = text[start:end]
                if not all(map(is_han, stretch)) or any(a < end and start < b for a, b in taken):
                    continue
                if any(slip.start < end and start < slip.end for slip in found):
                    continue
                slip = self._slip(stretch, masked)
                if slip is not None:
                    found.append(HanSlip(start, end, *slip))
        return sorted(found, key=lambda slip: slip.start)

    def _slip(self, stretch: str, masked: dict[tuple[str, int], dict[ConceptId, str]]) -> tuple[ConceptId, str] | None:
        """The only concept that has a name one character away, if no other reading is as near."""
        if stretch in self._known or stretch in word_list("other_drugs"):
            return None
        near: dict[ConceptId, str] = {}
        for at, character in enumerate(stretch):
            if character not in _common_characters():
                near.update(masked.get((stretch[:at] + stretch[at + 1 :], at), {}))
        if len(near) != 1:
            return None
        ((concept, name),) = near.items()
        return (concept, name) if name[0] == stretch[0] and kind_of(concept) in self._kinds else None

    def _all(self) -> dict[tuple[str, int], dict[ConceptId, str]]:
        """(name without one character, where it is missing) → whose name it is, and the name."""
        if self._masked is None:
            self._masked = {}
            names = [(f, c) for f, c, _ in self._finder.lexicon.names(self._others) if all(map(is_han, f))]
            self._known = frozenset(f for f, _ in names)
            for folded, concept in names:
                if len(folded) >= _HAN_SHORTEST:
                    for at in range(len(folded)):
                        self._masked.setdefault((folded[:at] + folded[at + 1 :], at), {})[concept] = folded
            self._lengths = tuple(sorted({len(f) for f in self._known if len(f) >= _HAN_SHORTEST}, reverse=True))
        return self._masked


@cache
def sound(folded: str) -> str:
    """A name as it is heard: `ibuprophen` and `ibuprofen` are one.

    >>> sound("ibuprophen") == sound("ibuprofen"), sound("lisinoprill") == sound("lisinopril")
    (True, True)
    """
    for pattern, heard in sounds():
        folded = pattern.sub(heard, folded)
    return folded


def _consonants(folded: str) -> str:
    return "".join(letter for letter in sound(folded) if letter not in "aeiou")


@cache
def _common_characters() -> frozenset[str]:
    return frozenset("".join(words_of("slips", "zh")))
