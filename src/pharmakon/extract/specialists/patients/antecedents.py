"""Whom a sentence means that names nobody: "in these patients", "Therefore, ...", or what follows "Renal impairment:".

The patients are those of a sentence shortly before, in the same section. A claim then quotes both sentences, so that
what it says can be read in its quotation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from pharmakon.extract.claims import Claim, Mention, Read, Sentence
from pharmakon.extract.specialists.patients.group import PREGNANCY, Group
from pharmakon.extract.specialists.wording import cue, hints, pattern, words

#: Letters of the longest line that may be a heading within a section.
SHORT = 90
#: Letters that may stand between the beginnings of two sentences that are quoted together.
_FAR = 700
#: For how many sentences a heading speaks for what follows, and how many groups a sentence may point back at.
_LASTS, _MOST = 3, 3
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Spoken:
    """The patients that an earlier sentence named, and the place in a later one that means them."""

    sentence: Sentence
    groups: tuple[Group, ...]
    back: tuple[int, int] = (0, 0)
    lasts: int = 0  #: for how many more sentences they are meant

    def later(self) -> Spoken | None:
        return replace(self, lasts=self.lasts - 1) if self.lasts > 0 else None

    def placed(self) -> tuple[Group, ...]:
        """The groups, where the later sentence means them."""
        return tuple(replace(g, start=self.back[0], end=self.back[1]) for g in self.groups)


def heading(sentence: Sentence, text: str, named: Sequence[Group]) -> Spoken | None:
    """The patients of a line that does no more than name them: "In patients with severe renal impairment"."""
    if not named or len(text) > SHORT or any(not g.known or g.risk == PREGNANCY for g in named):
        return None
    rest = text
    for group in sorted(named, key=lambda g: -g.start):
        rest = rest[: group.start] + " " + rest[group.end :]
    small = words("cues")["antecedents"]["heading"]
    return (
        Spoken(sentence, tuple(named), lasts=_LASTS) if all(w.lower() in small for w in _WORD.findall(rest)) else None
    )


def pointing(text: str) -> tuple[int, int] | None:
    """Where a sentence that names nobody points back: at "these patients", or at the "Therefore" it begins with."""
    if "antecedents.pointing" in hints(text):
        back = cue("cues", "antecedents.pointing").search(text)
        if back and not cue("cues", "antecedents.own").search(text, 0, back.start()):
            return back.span()
    follows = _therefore().match(text)
    return follows.span() if follows else None


def spoken(sentence: Sentence, meant: Sequence[Group], back: tuple[int, int]) -> Spoken | None:
    """What a sentence points back at that does so at `back`; None where nobody, or too many, may be meant."""
    if not meant or len(meant) > _MOST or any(not g.known for g in meant):
        return None
    return Spoken(sentence, tuple(meant), back)


def across(read: Read, earlier: Spoken) -> Read:
    """The same claims, each quoting the sentence too that names the patients."""
    near = [c for c in read.claims if c.start - earlier.sentence.start < _FAR]
    return replace(read, claims=tuple(_with(c, earlier) for c in near))


def _with(claim: Claim, earlier: Spoken) -> Claim:
    first = earlier.sentence
    named = [
        Mention(first.start + g.start, first.start + g.end, first.text[g.start : g.end], (g.concept,))
        for g in earlier.groups
        if g.concept is not None
    ]
    return replace(claim, start=first.start, spoken=tuple(named))


@cache
def _therefore() -> re.Pattern[str]:
    return pattern(rf"\s*{cue('cues', 'antecedents.therefore').pattern}")
