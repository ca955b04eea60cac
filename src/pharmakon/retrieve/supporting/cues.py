"""What a sentence says beside names and figures, as data: groups of things that exclude one another (`cues.toml`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pharmakon.model.tables import read_table


@dataclass(frozen=True, slots=True)
class Group:
    """`dropped`: members that may not be left out; `near`: not where what they stand before is spoken of.

    `weaker`: members that may be added, for they say less. `agent`: verbs from what acts to what is acted on; `advice`:
    verbs that name the latter alone. `implies`: member → what it says as well.
    """

    name: str
    members: tuple[str, ...]
    dropped: frozenset[str]
    near: frozenset[str]
    weaker: frozenset[str]
    agent: bool
    advice: bool
    implies: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Cue:
    """`text[start:end]` says `member` of `group`."""

    group: str
    member: str
    start: int
    end: int


def cues(text: str, lang: str) -> list[Cue]:
    """The cues of `text` (in lower case) in order; of two of one group that overlap the first in the file."""
    found: list[Cue] = []
    for group in groups().values():
        kept: list[Cue] = []
        for member in group.members:
            pattern = _patterns(lang).get((group.name, member))
            for match in pattern.finditer(text) if pattern else ():
                cue = Cue(group.name, member, match.start(), match.end())
                if not any(cue.start < o.end and o.start < cue.end and o.member != member for o in kept):
                    kept.append(cue)
        found += kept
    return sorted(found, key=lambda c: (c.start, c.end))


def terms(text: str) -> Iterator[tuple[str, int, int]]:
    """(key, start, end) of words that mean the same, in any of the languages."""
    for key, pattern in _terms().items():
        for match in pattern.finditer(text):
            yield key, match.start(), match.end()


@cache
def groups() -> Mapping[str, Group]:
    found = {}
    for name, row in data("cues")["group"].items():
        members = tuple(key for key, value in row.items() if isinstance(value, dict) and key != "implies")
        found[name] = Group(
            name,
            members,
            frozenset(row.get("dropped", ())),
            frozenset(members if "*" in row.get("dropped_near", ()) else row.get("dropped_near", ())),
            frozenset(row.get("weaker", ())),
            row.get("agent", False),
            row.get("advice", False),
            {key: tuple(value) for key, value in row.get("implies", {}).items()},
        )
    return found


def compiled(patterns: list[str], lang: str) -> re.Pattern[str]:
    """Any of `patterns`; whole words where the language parts words by blanks."""
    joined = "|".join(patterns)
    return re.compile(rf"(?:{joined})" if lang == "zh" else rf"(?<!\w)(?:{joined})(?!\w)")


@cache
def _patterns(lang: str) -> Mapping[tuple[str, str], re.Pattern[str]]:
    return {
        (name, member): compiled(row[lang], lang)
        for name, group in data("cues")["group"].items()
        for member, row in group.items()
        if isinstance(row, dict) and lang in row
    }


@cache
def _terms() -> Mapping[str, re.Pattern[str]]:
    found = {}
    for key, patterns in data("terms")["terms"].items():
        latin = [p for p in patterns if ord(p.lstrip("(?<!")[0]) < 0x3400]
        han = [p for p in patterns if p not in latin]
        either = [compiled(latin, "en").pattern] if latin else []
        found[key] = re.compile("|".join([*either, *han]))
    return found


@cache
def data(name: str) -> Mapping[str, Any]:
    """One TOML file beside this module."""
    return read_table("pharmakon.retrieve.supporting", f"{name}.toml")
