"""How what a question names stands to the person it is about: asked about, taken, had, stopped, denied, an allergen.

The method is ConText's (Harkema et al. 2009, doi:10.1016/j.jbi.2009.05.002), as in `link.context` for notes: a cue
reaches from where it stands to the next cue or the end of its sentence. Cues are data (`roles.toml`) in three languages
and tried in all of them, since people mix. A name that no cue reaches is asked about, unless its sentence asks nothing
and another one does, or the text speaks of somebody: "Asthma, warfarin. Is naproxen ok?"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pharmakon.model.concepts import is_han, kind_of
from pharmakon.model.question import Link
from pharmakon.model.tables import read_table
from pharmakon.retrieve.people import whom

CONDITIONS = frozenset({"disease", "symptom", "process", "effect"})
#: What reaches no further than a comma in Chinese, where a row is joined by 、 and 和.
_TO_A_COMMA = frozenset({"denied", "stopped", "not_allergen"})
_STRONGER = frozenset({"stopped", "denied", "allergen", "not_allergen"})
_ENDS = re.compile(r"[;!?。；！？\n]|\.(?=\s|$)")
#: What may stand between names of one row: "青霉素和阿司匹林过敏".
_JOINED = re.compile(r"\s*(?:,|、|/|\+|\band\b|\bor\b|\ben\b|\bof\b|和|及|与|跟|或)?\s*")


@dataclass(frozen=True, slots=True)
class _Cue:
    start: int
    end: int
    role: str


def with_roles(text: str, links: Sequence[Link]) -> tuple[Link, ...]:
    """`links` (in order of place), each with the role in which the question names it.

    >>> warfarin = Link(7, 15, (), "warfarin")
    >>> [link.role for link in with_roles("I take warfarin. Is that ok?", [warfarin])]
    ['taken']
    """
    told = text.replace("’", "'")
    sentences = list(_sentences(told))
    all_asking = [_asks(told[start:end]) for start, end in sentences]
    told_of = any(all_asking) or bool(whom(told))
    found: list[Link] = []
    for (start, end), asking in zip(sentences, all_asking, strict=True):
        inside = [link for link in links if start <= link.start < end]
        default = "held" if not asking and told_of else "asked"
        cues = _cues(told[start:end], start)
        behind = _behind_each(told[:end], inside)
        for link, after in zip(inside, behind, strict=True):
            said = after or _within(link) or _before(told, link, cues) or default
            found.append(replace(link, role=_role(said, link, told[start:end])))
    return tuple(found)


def asks(text: str) -> bool:
    """Whether a text asks for anything; "I take warfarin." asks nothing."""
    return _asks(text.replace("’", "'"))


def _asks(sentence: str) -> bool:
    return any(p.search(sentence) for p in _patterns("sentence", "asking"))


def _role(said: str, link: Link, sentence: str) -> str:
    condition = bool(link.concepts) and kind_of(link.concepts[0]) in CONDITIONS
    if said == "held":
        return "had" if condition else "taken"
    if said == "not_allergen":
        return "denied"
    if said == "allergen" and any(p.search(sentence) for p in _patterns("sentence", "defining")):
        return "asked"
    return "had" if said == "allergen" and condition else said


def _before(text: str, link: Link, cues: Sequence[_Cue]) -> str:
    """The role that the last cue before a link gives it; "" for none."""
    for cue in reversed(cues):
        if cue.start >= link.start:  # it may end within a name: 能喝 + 喝酒
            continue
        if cue.role == "end":
            return ""
        if cue.role == "held_beside":
            if not text[cue.end : link.start].strip():
                return "held"
            continue
        if cue.role in _TO_A_COMMA and "，" in text[cue.end : link.start]:
            return ""
        if cue.role != "denied_condition":
            return cue.role
        if link.concepts and kind_of(link.concepts[0]) in CONDITIONS:
            return "denied"
    return ""


def _within(link: Link) -> str:
    """The role that a name says itself: "penicillin allergy" is one name of the lexicon."""
    ends = (m.end() for p in _patterns("behind", "allergen") for m in p.finditer(link.words) if m.start())
    return "allergen" if any(end == len(link.words) for end in ends) else ""


def _behind_each(text: str, links: Sequence[Link]) -> list[str]:
    """What is said behind each link, or behind the row that it stands in; "" for nothing."""
    found: list[str] = []
    for place in reversed(range(len(links))):
        link = links[place]
        said = _behind(text, link.end)
        if not said and found and _JOINED.fullmatch(text, link.end, links[place + 1].start):
            said = found[-1]
        found.append(said)
    return found[::-1]


def _behind(text: str, at: int) -> str:
    roles: list[str] = list(_data()["behind"])
    for role in roles:
        if any(p.match(text, at) for p in _patterns("behind", role)):
            return role
    return ""


def _cues(sentence: str, offset: int) -> list[_Cue]:
    """Cues in order of place, none overlapping: the first counts, of those the longest; a denial or a stop before all.

    "My grandfather is" and "is gestopt met" overlap, and the second says more.
    """
    found = [
        _Cue(offset + m.start(), offset + m.end(), role)
        for role in _data()["before"]
        for pattern in _patterns("before", role)
        for m in pattern.finditer(sentence)
    ]
    kept: list[_Cue] = []
    for cue in sorted(found, key=lambda c: (c.start, -c.end)):
        if (
            kept
            and cue.role in _STRONGER
            and kept[-1].role not in _STRONGER
            and kept[-1].start < cue.start < kept[-1].end
        ):
            kept.pop()
        if not kept or cue.start >= kept[-1].end:
            kept.append(cue)
    return kept


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each sentence, its mark included: a question mark says that it asks."""
    start = 0
    for match in _ENDS.finditer(text):
        yield start, match.end()
        start = match.end()
    if start < len(text) or not text:
        yield start, len(text)


@cache
def _patterns(part: str, role: str) -> tuple[re.Pattern[str], ...]:
    return tuple(_compiled(p, whole=part != "behind") for p in _data()[part][role])


def _compiled(pattern: str, *, whole: bool) -> re.Pattern[str]:
    latin = whole and not any(is_han(c) for c in pattern) and any(c.isalpha() for c in pattern)
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)" if latin else pattern, re.IGNORECASE)


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.retrieve", "roles.toml")
