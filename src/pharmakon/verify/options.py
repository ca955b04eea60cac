"""Names that belong together: options of one choice, names of one thing, and what is taken in place of what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from pharmakon.verify.cues import contains_only, data, says, spots, words_of
from pharmakon.verify.names import Named, just_before, not_had, same_thing, two_packets

#: Words between a negator and "avoid" that it denies.
_NEAR = 3


def had(text: str, named: Iterable[Named]) -> tuple[Named, ...]:
    """The conditions, people and foods of `named` that somebody has or takes; not what a drug treats or causes."""
    return tuple(n for n in named if n.kind != "condition" or not not_had().search(just_before(text, n)))


def grouped(text: str, named: Sequence[Named], first: int = 0) -> tuple[Named, ...]:
    """`named` with its options: names joined by "or", and two names of one thing."""
    found = list(named)
    option = first
    lead = words_of(text[: found[0].start]) if found else ()
    announced = any(end == len(lead) for _, end, _, _ in spots(("lists_options",), lead))
    offered = announced and not says("together", words_of(text))
    for i in range(1, len(found)):
        a, b = found[i - 1], found[i]
        between = text[a.end : b.start]
        if a.kind != b.kind or a.kind not in ("drug", "class"):
            continue
        listed = offered and _list().fullmatch(between)
        if listed or _or().fullmatch(between) or (same_thing().fullmatch(between) and a.words != b.words):
            if not a.option:
                option += 1
                found[i - 1] = replace(a, option=option)
            found[i] = replace(b, option=found[i - 1].option)
    return _as_one(text, found, option)


def _as_one(text: str, found: list[Named], option: int) -> tuple[Named, ...]:
    """`found` with names of one drug as one thing, unless the text joins them or adds one to the other."""
    written = {n.key for n in found}
    if len({concept for concept, _ in written}) == len(written) or says("adds", words_of(text)):
        return tuple(found)
    for i, a in enumerate(found):
        for j in range(i + 1, len(found)):
            b = found[j]
            joined = j == i + 1 and two_packets().fullmatch(text[a.end : b.start])
            if a.kind == "drug" and a.concept == b.concept and a.key != b.key and not joined and not b.option:
                option += not a.option
                a = found[i] = replace(a, option=a.option or option)
                found[j] = replace(b, option=a.option)
    return tuple(found)


def set_aside(text: str, named: tuple[Named, ...]) -> tuple[tuple[Named, ...], tuple[Named, ...]]:
    """(names that stand, names that something else is taken in place of)."""
    gone: list[Named] = []
    for n in named:
        before = words_of(just_before(text, n))
        denials = [end for _, end, _, _ in spots(("negators",), before)]
        for start, end, _, _ in spots(("in_place_of",), before):
            near = contains_only("articles", before[end:])
            if near and not any(denial <= start and start - denial <= _NEAR for denial in denials):
                gone.append(n)
                break
    gone += [n for n in named if n.option and any(g.option == n.option for g in gone) and n not in gone]
    return tuple(n for n in named if n not in gone), tuple(gone)


@cache
def _list() -> re.Pattern[str]:
    return re.compile(r"\s*(?:[,，、]|[,，、]?\s*\b(?:and|or|en|of)\b|[和及或、])\s*", re.IGNORECASE)


@cache
def _or() -> re.Pattern[str]:
    words = sorted({w for words in data()["joins_options"].values() for w in words}, key=len, reverse=True)
    listed = "|".join(re.escape(w) if not w.isascii() else rf"\b{re.escape(w)}\b" for w in words)
    return re.compile(rf"\s*[,，、]?\s*(?:{listed})\s*(?:\w+\s+)?", re.IGNORECASE)
