"""The cues of `cues.toml`, and where they stand in a text.

Words are compared folded (`model.concepts.fold`); Chinese characters are words of their own (`link.names.pieces`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pharmakon.link.names import pieces
from pharmakon.model.concepts import fold, is_han
from pharmakon.model.tables import read_table

Words = tuple[str, ...]

#: Words of a gap (characters of Chinese).
_GAP, _HAN_GAP = 5, 8
#: What parts the items of a list; within a figure it does not.
COMMA = re.compile(r"(?<!\d)[,，、]|[,，](?!\d)")
#: "能不能" and "可不可以" ask, and deny nothing.
_A_NOT_A = re.compile(r"(.)不\1")


def words_of(text: str) -> Words:
    """`text` as cues are looked for in it; a comma is a word that no negator reaches across.

    >>> words_of("Don't, 能不能 ok")
    ('don', 't', ',', '能', 'ok')
    """
    parts = [pieces(fold(part)) for part in COMMA.split(_A_NOT_A.sub(r"\1", text))]
    return tuple(word for i, part in enumerate(parts) for word in ((",", *part) if i else part))


def says(category: str, words: Words) -> bool:
    """Whether a cue of `category` stands in `words`."""
    return next(spots((category,), words), None) is not None


def is_answer(category: str, clause: str) -> bool:
    """Whether `clause` is a bare answer of `category` ("yes", "no") and nothing else but an interjection."""
    words = words_of(clause)
    start = next((end for at, end, _, _ in spots(("interjections",), words) if at == 0), 0)
    return _answers(category).issuperset([words]) or (start > 0 and words[start:] in _answers(category))


def spots(categories: tuple[str, ...], words: Words) -> Iterator[tuple[int, int, str, Words]]:
    """(start, end, category, cue) of the cues in `words`, left to right, the longest of those that begin together."""
    table, at = _by_first(categories), 0
    while at < len(words):
        for category, cue, first, last in table.get(words[at], ()):
            end = _match(words, at, cue) if not first or _opens(words, at) else None
            if end is not None and (not last or end == len(words)):
                yield at, end, category, cue
                at = end - 1
                break
        at += 1


def _opens(words: Words, at: int) -> bool:
    """Whether an order to the reader may begin here."""
    return at == 0 or (at == 1 and contains("openers", words[:1]))


def _match(words: Words, at: int, cue: Words) -> int | None:
    """Where `cue` ends that begins at word `at`; None where it does not stand there."""
    last, gap = len(words), False
    for part in cue:
        if part == "*":
            gap = True
            continue
        stop = min(at + ((_HAN_GAP if is_han(part[0]) else _GAP) if gap else 0) + 1, last)
        open_ended = part[-1] == "~"
        while at < stop and not (words[at].startswith(part[:-1]) if open_ended else words[at] == part):
            at += 1
        if at >= stop:
            return None
        at, gap = at + 1, False
    return at


# ── the cues ──────────────────────────────────────────────────────────────────────────────────────


@cache
def data() -> dict[str, dict[str, list[str]]]:
    return read_table("pharmakon.verify", "cues.toml")


@cache
def _by_first(categories: tuple[str, ...]) -> dict[str, list[tuple[str, Words, bool, bool]]]:
    """First word → (category, cue, whether at the beginning only, whether at the end), the longest first."""
    found: dict[str, list[tuple[str, Words, bool, bool]]] = {}
    for category in categories:
        for cue in {c for cues in data()[category].values() for c in cues}:
            parts = _parts(cue.strip("^$"))
            found.setdefault(parts[0], []).append((category, parts, cue.startswith("^"), cue.endswith("$")))
    for rows in found.values():
        rows.sort(key=lambda row: (row[1].count("*") - len(row[1]), not row[3], categories.index(row[0]), row[1]))
    return found


def _parts(cue: str) -> Words:
    """A cue as folded words, with its signs.

    >>> _parts("only * benefit~"), _parts("可与*相互作用")
    (('only', '*', 'benefit~'), ('可', '与', '*', '相', '互', '作', '用'))
    """
    found: list[str] = []
    for part in re.split(r"(\*)|\s+", cue):
        if part == "*":
            found.append(part)
        elif part:
            found += pieces(fold(part))
            if part.endswith("~"):
                found[-1] += "~"
    return tuple(found)


@cache
def _answers(category: str) -> frozenset[Words]:
    return frozenset(_parts(cue) for cues in data()[category].values() for cue in cues)


@cache
def _listed(category: str) -> frozenset[str]:
    return frozenset(word for words in data()[category].values() for word in words)


def contains(category: str, words: Sequence[str]) -> bool:
    """Whether one of `words` is in a list of single words."""
    return not _listed(category).isdisjoint(words)


def contains_only(category: str, words: Sequence[str]) -> bool:
    """Whether each of `words` is in a list of single words."""
    return _listed(category).issuperset(words)
