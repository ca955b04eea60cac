"""Names in text: which stretches of words are names the lexicon knows.

One look-up serves a whole prescription: every stretch of up to eight words is a candidate, the longest known one wins.
Chinese has no word bounds, so stretches of up to fourteen characters are candidates there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pharmakon.model.concepts import ConceptId, Name, fold, is_han, kind_of
from pharmakon.ports.knowledge import Lexicon

_WORDS = 8
_CHARACTERS = 14


@dataclass(frozen=True, slots=True)
class Match:
    """Words `start` to `end` (exclusive) of the folded text name `concepts`; in Chinese text they are characters."""

    start: int
    end: int
    text: str
    concepts: tuple[tuple[ConceptId, Name], ...]


def pieces(folded: str) -> list[str]:
    """The units a stretch is made of: words, and single characters where the text is Chinese.

    >>> pieces("华法林 5 mg"), pieces("warfarin 5 mg")
    (['华', '法', '林', '5', 'mg'], ['warfarin', '5', 'mg'])
    """
    if folded.isascii():
        return folded.split()
    found: list[str] = []
    for word in folded.split():
        found += list(_split_chinese(word))
    return found


def _split_chinese(word: str) -> Iterator[str]:
    run = ""
    for character in word:
        if is_han(character):
            if run:
                yield run
                run = ""
            yield character
        else:
            run += character
    if run:
        yield run


def join(parts: Sequence[str]) -> str:
    """The folded text of a stretch; nothing parts a Chinese character from what stands beside it.

    >>> join(["维", "c", "银", "翘", "片"]), join(["warfarin", "sodium"])
    ('维c银翘片', 'warfarin sodium')
    """
    text = ""
    for part in parts:
        glued = not text or is_han(text[-1]) or is_han(part[0])
        text += part if glued else f" {part}"
    return text


def stretches(parts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Every candidate (start, end, text)."""
    if all(map(str.isascii, parts)):  # no Chinese: plain joining will do
        for start in range(len(parts)):
            text = parts[start]
            yield start, start + 1, text
            for end in range(start + 2, min(start + _WORDS, len(parts)) + 1):
                text = f"{text} {parts[end - 1]}"
                yield start, end, text
        return
    for start in range(len(parts)):
        chinese = len(parts[start]) == 1 and is_han(parts[start])
        for end in range(start + 1, min(start + (_CHARACTERS if chinese else _WORDS), len(parts)) + 1):
            yield start, end, join(parts[start:end])


class Finder:
    """Finds names, remembering what the lexicon said. One for each state of the knowledge base."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._known: dict[str, tuple[tuple[ConceptId, Name], ...]] = {}
        self._prepared: set[str] = set()

    def prepare(self, texts: Iterable[str]) -> None:
        """Look up everything that `find` may need for `texts` at once."""
        new = [text for text in texts if text not in self._prepared]
        if new:
            self._look_up({s for text in new for _, _, s in stretches(pieces(fold(text)))})
            self._prepared.update(new)

    def exact(self, text: str, kinds: Collection[str]) -> tuple[tuple[ConceptId, Name], ...]:
        """The concepts of these kinds that `text` as a whole names."""
        folded = join(pieces(fold(text)))
        self._look_up([folded])
        return tuple(c for c in self._known[folded] if kind_of(c[0]) in kinds)

    def find(self, text: str, kinds: Collection[str]) -> list[Match]:
        """Names of these kinds in `text`, longest first, no two overlapping; in order of their place."""
        return choose(self.named(pieces(fold(text))), kinds)

    def named(self, parts: Sequence[str]) -> list[Match]:
        """Every stretch of `parts` that the lexicon knows, of whatever kind, overlapping ones too."""
        candidates = list(stretches(parts))
        self._look_up([s for _, _, s in candidates])
        known = self._known
        return [Match(start, end, s, known[s]) for start, end, s in candidates if known[s]]

    def _look_up(self, folded: Collection[str]) -> None:
        missing = [s for s in folded if s not in self._known]
        missing += [t for s in missing if (t := _singular(s)) and t not in self._known]
        if not missing:
            return
        if len(self._known) > 200_000:  # a server must not remember every text it ever saw
            self._known.clear()
            self._prepared.clear()
            missing = [*folded, *filter(None, map(_singular, folded))]
        found: Mapping[str, Sequence[tuple[ConceptId, Name]]] = self.lexicon.by_name(missing)
        for stretch in missing:
            self._known[stretch] = tuple(found.get(stretch, ()))
        for stretch in missing:
            if not self._known[stretch]:
                self._known[stretch] = self._known.get(_singular(stretch), ())


def choose(hits: Sequence[Match], kinds: Collection[str]) -> list[Match]:
    """The hits of these kinds, longest first, no two overlapping; in order of their place."""
    wanted: list[Match] = []
    for hit in hits:
        concepts = tuple(c for c in hit.concepts if kind_of(c[0]) in kinds)
        if concepts:
            wanted.append(Match(hit.start, hit.end, hit.text, concepts))
    wanted.sort(key=lambda m: (m.start - m.end, m.start))
    taken: set[int] = set()
    chosen: list[Match] = []
    for hit in wanted:
        span = range(hit.start, hit.end)
        if taken.isdisjoint(span):
            taken.update(span)
            chosen.append(hit)
    return sorted(chosen, key=lambda m: m.start)


def _singular(stretch: str) -> str:
    """`penicillins` → `penicillin`; empty where there is nothing to take off."""
    return (
        stretch[:-1] if len(stretch) > 5 and stretch.endswith("s") and not stretch.endswith(("ss", "is", "us")) else ""
    )


def concept_ids(match: Match) -> list[ConceptId]:
    """The distinct concepts of a match, in order."""
    return list(dict.fromkeys(c for c, _ in match.concepts))
