"""What a question asks for and what a passage tells, besides its subject: symptoms, causes, treatment, dosage, …

Most wrong passages at the first place are about the right subject and the wrong aspect of it. The cues are data
(`aspects.toml`); nothing here is learned, since classifiers that were learned on known wordings fail on others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ahocorasick_rs import AhoCorasick
from rapidfuzz import process
from rapidfuzz.distance import OSA

from pharmakon.model.concepts import is_han
from pharmakon.model.tables import read_table

#: How much a cue that names the aspect counts against one that only tells of it.
_NAMED = 3.0
#: Headings and topic sentences speak loudest: a cue among the first characters of a passage counts so much more.
_OPENING, _LOUDER = 160, 2.0
#: A cue that comes again says less each time, and nothing from here on.
_AGAIN = 3
#: What the kind of its section says of a passage, as many times as a cue that names the aspect.
_OF_KIND = 4.0
#: Letters of a cue's word that may be mistaken: one, from eight letters on two.
_SHORTEST_SLIP, _LONG = 5, 8


@dataclass(frozen=True, slots=True)
class Asked:
    """`aspects`: what a question asks for, their shares adding up to 1; empty where it says nothing of that kind.

    `cues` are the (start, end) in the spaced text of what said so and is no part of the question's subject.
    """

    aspects: Mapping[str, float]
    cues: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Cues:
    """Cues in one automaton; `meaning` says of each which aspects it speaks for and how loudly."""

    automaton: AhoCorasick
    meaning: tuple[tuple[tuple[int, float], ...], ...]


@cache
def names() -> tuple[str, ...]:
    """All aspects, in the order of `told`."""
    return tuple(_table())


def asked(text: str) -> Asked:
    """What a spaced question asks for.

    >>> from pharmakon.retrieve.words import spaced
    >>> [dict(asked(spaced(q)).aspects) for q in ("What is gout?", "what are the symptoms of gout", "痛风怎么治")]
    [{'definition': 1.0}, {'symptoms': 1.0}, {'treatment': 1.0}]
    """
    cues, order = _asking(), names()
    found: Counter[str] = Counter()
    spans: list[tuple[int, int]] = []
    for number, start, end in cues.automaton.find_matches_as_indexes(text, overlapping=True):
        for aspect, _ in cues.meaning[number]:
            found[order[aspect]] += 1
            if not _table()[order[aspect]].get("subject"):
                spans.append((start, end))
    if len(found) > 1:
        for fallback in [a for a in found if _table()[a].get("unless")]:
            del found[fallback]
    total = found.total()
    return Asked({name: n / total for name, n in found.items()}, tuple(spans))


@lru_cache(maxsize=16_384)
def told(text: str, section: str = "") -> tuple[float, ...]:
    """How much a spaced passage tells of each aspect, in the order of `names`, and of all together.

    `section` is the kind of its section.
    """
    cues = _telling()
    values = [0.0] * len(names())
    seen: Counter[int] = Counter()
    for number, start, _ in cues.automaton.find_matches_as_indexes(text, overlapping=True):
        seen[number] += 1
        if (times := seen[number]) <= _AGAIN:
            loud = _LOUDER / times if start < _OPENING else 1.0 / times
            for aspect, weight in cues.meaning[number]:
                values[aspect] += weight * loud
    for aspect in _of_section().get(section, ()):
        values[aspect] += _NAMED * _OF_KIND
    return (*values, sum(values))


def cue_like(word: str) -> str | None:
    """The word of a cue that `word` is a slip of: "symtoms" is symptoms."""
    if len(word) < _SHORTEST_SLIP or not word.isascii():
        return None
    slips = 1 if len(word) < _LONG else 2
    found = process.extractOne(word, _cue_words(), scorer=OSA.distance, score_cutoff=slips)
    return found[0] if found else None


# ── the cues ───────────────────────────────────────────────────────────────────────────────────────


@cache
def _table() -> dict[str, dict[str, Any]]:
    data = read_table("pharmakon.retrieve", "aspects.toml")
    return dict(data["aspects"])


@cache
def _asking() -> _Cues:
    return _cues((cue, n, 1.0) for n, row in enumerate(_table().values()) for cue in _listed(row["asks"]))


@cache
def _telling() -> _Cues:
    return _cues(
        (cue, n, weight)
        for n, row in enumerate(_table().values())
        for key, weight in (("names", _NAMED), ("tells", 1.0))
        for cue in _listed(row[key])
    )


@cache
def _of_section() -> Mapping[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for n, row in enumerate(_table().values()):
        for kind in row["sections"]:
            found[kind] = (*found.get(kind, ()), n)
    return found


@cache
def _cue_words() -> tuple[str, ...]:
    cues = (cue for row in _table().values() for cue in (*_listed(row["asks"]), *row.get("spelt", ())))
    words = (word for cue in cues for word in cue.rstrip("|").split())
    return tuple(dict.fromkeys(w for w in words if len(w) >= _SHORTEST_SLIP and w.isascii()))


def _listed(by_language: Mapping[str, Iterable[str]]) -> Iterator[str]:
    return (cue for cues in by_language.values() for cue in cues)


def _cues(rows: Iterable[tuple[str, int, float]]) -> _Cues:
    meaning: dict[str, dict[int, float]] = {}
    for cue, aspect, weight in rows:
        held = meaning.setdefault(_pattern(cue), {})
        held[aspect] = max(weight, held.get(aspect, 0.0))
    return _Cues(AhoCorasick(list(meaning)), tuple(tuple(m.items()) for m in meaning.values()))


def _pattern(cue: str) -> str:
    """A cue as it stands in a spaced text."""
    if is_han(cue[0]):
        return cue
    return f" {cue[:-1]} " if cue.endswith("|") else f" {cue}"
