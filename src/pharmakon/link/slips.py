"""Spelling slips: the one name a misspelt text can only mean, and names that lie near it.

A slip keeps the first letter, lies one edit (two in a name of nine letters or more that is no brand) from one concept's
name, and stands well apart from every other; look-alikes are offered, never chosen between. Two edits in a short name
reach another drug: Marplan, an MAOI, is two letters from Marevan, and Ritalin from Rifadin.

People who ask write what they hear: "ibuprophen". There a name that sounds the same (`words.toml`, `sounds`) lies half
an edit away, whatever letters it takes. In Chinese, where people type by sound, one character of a name of three
or more may be another that sounds the same; others tell drugs apart (阿扎胞苷 is no slip of 阿糖胞苷).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA, DamerauLevenshtein

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
#: Edits within which a name is a reading; what lies `LEAD` further may be its rival.
_EDITS = max(edits for _, edits in SLIPS)
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
        self._spelt = self._heard_names = _ByLength(())
        self._heard_as: frozenset[str] = frozenset()

    def near(self, text: str) -> Near:
        """What `text` may have meant, with the names that lie near it."""
        written = fold(text)
        if len(written) < 4 or not written.isascii():
            return Near(())
        folded, names = self._all()
        shown: dict[ConceptId, str] = {}
        for _, _, i in process.extract(written, folded, scorer=fuzz.ratio, limit=12, score_cutoff=70):
            shown.setdefault(names[i][0], names[i][1].text)
        return replace(self.meant(text), names=tuple(dict.fromkeys(shown.values()))[:4])

    def meant(self, text: str) -> Near:
        """What `text` can only be a slip of, without the names that lie near it: many times faster."""
        written = fold(text)
        if len(written) < _WRITTEN or not written.isascii() or written in word_list("other_drugs"):
            return Near(())  # another drug's name is no slip for one we know
        if not any(True for _ in self._reached(written, _EDITS)):
            return Near(())
        folded, names = self._all()
        best: dict[ConceptId, tuple[float, int]] = {}
        for i in self._reached(written, _EDITS + LEAD):
            cost = self._cost(written, folded[i], names[i][0])
            if cost < best.get(names[i][0], (_EDITS + LEAD + 1, 0))[0]:
                best[names[i][0]] = cost, i
        cost, concept, i = min((cost, concept, i) for concept, (cost, i) in best.items())
        if not self._is_slip(written, folded[i], *names[i], cost):
            return Near(())
        for other, (further, j) in best.items():
            if other != concept and further - cost < self._lead(written, folded[i], *names[i], folded[j]):
                return Near(())
        if any(self._cost(written, other, concept) <= cost for other in self._elsewhere(written, concept)):
            return Near(())
        return Near((), concept, names[i][1].text)

    def _elsewhere(self, written: str, concept: ConceptId) -> Iterator[str]:
        """Names of drugs that are not known here and may be meant as well; a name of `concept` is none."""
        folded, names = self._all()
        near = set(_other_drugs().within(written, _EDITS))
        if self.by_sound:
            near.update(_other_drugs_heard().within(sound(written), _EDITS - 1))
        own = {folded[i] for i in self._reached(written, _EDITS) if names[i][0] == concept}
        yield from (name for name in (_other_drugs().words[at] for at in near) if name not in own)

    def is_heard(self, written: str) -> bool:
        """Whether a folded word sounds as some name does."""
        self._all()
        return sound(written) in self._heard_as

    def _reached(self, written: str, edits: int) -> Iterator[int]:
        """Places of the names within so many edits, or that sound as near, in their order."""
        self._all()
        found = set(self._spelt.within(written, edits))
        if self.by_sound:
            found.update(self._heard_names.within(sound(written), edits - 1))
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
            self._spelt = _ByLength(self._names[0])
            heard = [sound(folded) for folded in self._names[0]] if self.by_sound else []
            self._heard_names, self._heard_as = _ByLength(heard), frozenset(heard)
        return self._names


class _ByLength:
    """Words by how long they are: what lies a few edits away is a few letters longer or shorter."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._rows: dict[int, tuple[list[str], list[int]]] = {}
        for at, word in enumerate(words):
            texts, places = self._rows.setdefault(len(word), ([], []))
            texts.append(word)
            places.append(at)

    def within(self, word: str, edits: int) -> Iterator[int]:
        """Places of the words within so many edits; the order is by length."""
        for length in range(len(word) - edits, len(word) + edits + 1):
            texts, places = self._rows.get(length, ((), ()))
            # as the cost has it, for all but letters put between swapped ones, and many times faster
            for _, _, at in process.extract_iter(word, texts, scorer=OSA.distance, score_cutoff=edits):
                yield places[at]


@cache
def _other_drugs() -> _ByLength:
    return _ByLength(sorted(word_list("other_drugs")))


@cache
def _other_drugs_heard() -> _ByLength:
    return _ByLength([sound(name) for name in _other_drugs().words])


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
                meant = masked.get((stretch[:at] + stretch[at + 1 :], at), {})
                near.update((c, name) for c, name in meant.items() if _spoken(character) & _spoken(name[at]))
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
def _spoken(character: str) -> frozenset[str]:
    """The syllables that a character may be read as, without tone; what many do not tell apart by ear is one."""
    from pypinyin import Style, pinyin  # half a megabyte of readings that only Chinese questions need

    syllables = pinyin(character, style=Style.NORMAL, heteronym=True)[0]
    return frozenset(re.sub("g$", "", re.sub("^([zcs])h", r"\1", syllable)) for syllable in syllables)


@cache
def _common_characters() -> frozenset[str]:
    return frozenset("".join(words_of("slips", "zh")))
