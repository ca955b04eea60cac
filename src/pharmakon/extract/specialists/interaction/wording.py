"""What the words of a sentence about interactions say: how strongly it speaks, what happens, what it is about.

The wordings are data (`interaction.toml`); here they are found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, cast

from pharmakon.extract.specialists.wording import words
from pharmakon.model.vocabulary import Tier

_REFERENCE = re.compile(r"[\[(]\s*see\b(?:[^\[\]()]|\([^()]*\))*[\])]?", re.IGNORECASE)
#: The heading of a column before what a cell says.
_HEADING = re.compile(r"(?:\A|(?<= \| ))[^|:]{1,160}: ")
_PLAINLY = re.compile(
    r"\b(?:concomitant|co-?admin|concurren|simultaneous|taking|receiving|interact|together)", re.IGNORECASE
)


#: What may stand before the first letter of a pattern: a look behind, and the opening of a choice.
_BEFORE_LETTER = re.compile(r"\(\?<!.*?\)")
_CHOICE = re.compile(r"\(\?:([^()]*)")
#: The two letters that a match begins with for certain: the second is not left out or repeated.
_TWO_LETTERS = re.compile(r"[a-z]{2}(?![?*+{])")
_WORD = re.compile(r"\b[a-z]\w?")
#: Hours that are a day or more: one of the two is then out of the body before the other is taken.
_A_DAY = re.compile(r"\b(?:2[4-9]|[3-9]\d|\d{3}|twenty[ -]four|forty[ -]eight)[ -]hours?\b")
#: The tones by which a pair is not to be taken as it is.
STRICT = ("contraindicated", "avoid")
_Match = Callable[[str, int], re.Match[str] | None]


class Wordings:
    """Patterns of several kinds, each of which begins where a word does, for texts in lower case.

    They are tried by the first two letters of a word, so that most words cost nothing: a sentence is asked for some two
    hundred patterns.
    """

    def __init__(self, kinds: Mapping[str, Sequence[str]]) -> None:
        """`kinds`: kind → patterns. Of two that match at a place the first counts."""
        self._patterns = {kind: [(p, _beginnings(p)) for p in patterns] for kind, patterns in kinds.items()}
        self._tried: dict[str, tuple[tuple[str, _Match], ...]] = {}

    def _at(self, letters: str) -> tuple[tuple[str, _Match], ...]:
        """What to try where a word begins with these letters: (kind, its patterns)."""
        tried = self._tried.get(letters)
        if tried is None:
            found = []
            for kind, patterns in self._patterns.items():
                fit = [p for p, beginnings in patterns if beginnings & {letters, letters[0]}]
                if fit:
                    found.append((kind, cast("_Match", re.compile("|".join(fit)).match)))
            tried = self._tried[letters] = tuple(found)
        return tried

    def find(self, said: str) -> Iterator[tuple[int, str]]:
        """(where it stands, its kind) of every match; none begins inside another."""
        places = [
            (at, tried) for letters, at_all in _words(said).items() if (tried := self._at(letters)) for at in at_all
        ]
        end = 0
        for at, tried in sorted(places, key=itemgetter(0)):
            for kind, match in tried if at >= end else ():
                if found := match(said, at):
                    yield at, kind
                    end = found.end()
                    break

    def kinds(self, said: str) -> set[str]:
        """Every kind of which a pattern stands in the text, whatever else stands there."""
        found = set[str]()
        for letters, places in _words(said).items():
            for kind, match in self._at(letters):
                if kind not in found and any(match(said, at) for at in places):
                    found.add(kind)
        return found


def _beginnings(pattern: str) -> set[str]:
    """The letters, two where that is certain, that a match of the pattern may begin with."""
    pattern = _BEFORE_LETTER.sub("", pattern, count=1)
    choice = _CHOICE.match(pattern)
    return {b[:2] if _TWO_LETTERS.match(b) else b[0] for b in (choice[1].split("|") if choice else [pattern])}


@lru_cache(maxsize=16)
def _words(said: str) -> dict[str, list[int]]:
    """The two letters that words begin with → where they do."""
    found: dict[str, list[int]] = {}
    for word in _WORD.finditer(said):
        found.setdefault(word.group(), []).append(word.start())
    return found


@dataclass(frozen=True, slots=True)
class Tone:
    """How strongly a sentence speaks; `name` is "" where it gives a fact without advice."""

    name: str
    tier: Tier
    advice: str = ""


def tone_of(text: str, kind: str) -> Tone:
    """How strongly `text` in a section of this kind speaks of what it names."""
    said = text.lower()
    said = _REFERENCE.sub(" ", said) if "see" in said else said
    said, undone = _undone().subn(" ", said)
    if kind == "contraindications" and not undone:
        return tone_named("contraindicated")
    said, unavoidable = _unavoidable().subn(" ", said) if "avoid" in said else (said, 0)
    said = _amount().sub(" not to exceed ", said)
    said, unchanged = _unchanged().subn(" ", said) if "dos" in said else (said, 0)
    spoken = _tones().kinds(said)
    spoken -= {"apart"} if "hour" in said and _A_DAY.search(said) else set()
    name = next((n for n in wordings()["tones"] if n in spoken), "")
    if name == "apart" and "avoid" in spoken and "avoid" in _tones().kinds(_apart().sub(" ", said)):
        name = "avoid"  # of something else, or at any hour
    if name == "dose" and pattern("tones.dose", "perhaps").kinds(said):
        return replace(tone_named(name), advice=wordings()["tones"][name]["perhaps_advice"])
    if name or unavoidable:
        return tone_named(name or "avoid")
    cues = cues_in(said)
    # more or less of a drug is to be looked into, but where the label says that the dose may stay
    exposure = not unchanged and "kinetics" in cues and ("up" in cues or "down" in cues)
    return Tone("", Tier.WARNING if kind == "boxed_warning" or "harms" in cues or exposure else Tier.INFO)


def values_of(text: str) -> str:
    """What the cells of a row say, without the headings of their columns; prose as it is.

    "Serum concentration increased: kelpin" may stand in a table that lost the title of its next part, and "Hypertensive
    reaction (HR) or serotonin syndrome (SS): SS" tells what the letters mean.
    """
    return _HEADING.sub("", text) if " | " in text else text


@lru_cache(maxsize=64)
def outcomes(text: str) -> tuple[str, ...]:
    """What the two do together, in the words of the findings. A sentence of many claims is asked once."""
    found = _outcomes().kinds(values_of(text).lower())
    for effect, circumstances in wordings()["circumstances"].items():
        found -= set(circumstances) if effect in found else set()
    for opposed in wordings()["opposed"]["effects"]:
        found -= set(opposed) if found.issuperset(opposed) else set()
    return tuple(name for name in wordings()["outcomes"] if name in found)


@lru_cache(maxsize=16)
def together(text: str) -> bool:
    """Whether it speaks of taking two things together."""
    return bool(pattern("together").kinds(text.lower()))


@lru_cache(maxsize=16)
def elsewhere(text: str) -> bool:
    """Whether a second drug may stand in it for another reason than an interaction."""
    return bool(pattern("elsewhere").kinds(text.lower()))


def plainly_together(text: str) -> bool:
    """Whether it speaks of taking two things together in so many words."""
    return bool(_PLAINLY.search(text))


def none_together(text: str) -> bool:
    """Whether a sentence says without reserve that drugs do not interact."""
    said = text.lower()
    return bool(pattern("none").kinds(said)) and not pattern("none", "but").kinds(said)


def tone_named(name: str) -> Tone:
    row = wordings()["tones"][name]
    return Tone(name, Tier.parse(row["tier"]), row["advice"])


def cues_in(text: str) -> set[str]:
    """The kinds of cues that stand in `text`."""
    return {cue for _, cue in found_cues(text)}


def found_cues(text: str) -> Iterator[tuple[int, str]]:
    """(where it stands, its kind) of every cue."""
    return _cues().find(text.lower())


@cache
def _cues() -> Wordings:
    return Wordings({kind: [pattern.lower() for pattern in said] for kind, said in wordings()["cues"].items()})


def wordings() -> Mapping[str, Any]:
    """`vocabulary/interaction.toml`."""
    return words("interaction")


@cache
def _undone() -> re.Pattern[str]:
    """Words by which advice is none, in lower case."""
    return re.compile("|".join(wordings()["undone"]["says"]))


@cache
def _amount() -> re.Pattern[str]:
    """Advice against more than an amount, in lower case."""
    return re.compile(wordings()["undone"]["amount"])


@cache
def _unavoidable() -> re.Pattern[str]:
    """Words for what is to be avoided and can't be, in lower case."""
    return re.compile(wordings()["undone"]["unavoidable"])


@cache
def _apart() -> re.Pattern[str]:
    """Advice to take two things at different hours, in lower case."""
    at_a_time = r"(?:avoid|not)\b[^.;:|]{0,80}?\b(?:at the same time|simultaneous(?:ly)?)"
    return re.compile(r"\b(?:" + "|".join([*wordings()["tones"]["apart"]["says"], at_a_time]) + ")")


def undone(text: str) -> bool:
    """Whether a sentence takes back what sounds like advice: "need not be avoided"."""
    return bool(_undone().search(text.lower()))


def permits(text: str) -> bool:
    """Whether the words above a list permit its items, or may deny what they seem to say of them."""
    said = text.lower()
    if pattern("permits", "denies").kinds(said):
        return True
    return bool(pattern("permits").kinds(said)) and not pattern("permits", "but").kinds(said)


@cache
def _unchanged() -> re.Pattern[str]:
    """Words by which the dose stays as it is, in lower case."""
    return re.compile("|".join(wordings()["unchanged"]["says"]))


@cache
def _tones() -> Wordings:
    return Wordings({name: row["says"] for name, row in wordings()["tones"].items()})


@cache
def _outcomes() -> Wordings:
    return Wordings(wordings()["outcomes"])


@cache
def pattern(name: str, key: str = "says") -> Wordings:
    """The wordings of a table of `interaction.toml` ("none", "tones.dose"), for texts in lower case."""
    table: Any = wordings()
    for part in name.split("."):
        table = table[part]
    return Wordings({"said": table[key]})
