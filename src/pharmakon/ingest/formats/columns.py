"""Columns of a printed page: which characters to read first.

A page is taken to have two columns only where prose runs in both: lines that mostly reach the gutter, and few that
cross it. Columns of short entries are a table without rules, whose rows belong together, and are read across.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Char = Mapping[str, Any]
#: Where a gutter may be, as shares of the width of the text.
_MIDDLE = (0.3, 0.7)
#: Lines that each column must have, the share of lines that may cross the gutter, and the share that must reach it.
_LINES, _CROSSING, _REACHING = 8, 0.3, 0.6
#: A line reaches the end of its column where it leaves no more than this share of it free.
_FREE = 0.2
#: A gutter is no wider than this share of the text.
_WIDEST = 0.12
#: How many places are tried for it.
_PLACES = 60


def by_baseline(chars: Sequence[Char]) -> list[list[Char]]:
    """Characters that stand on one line, lines from top to bottom."""
    groups: list[list[Char]] = []
    start = 0.0
    for char in sorted(chars, key=lambda c: (c["bottom"], c["x0"])):
        if not groups or char["bottom"] - start > 0.3 * char["size"]:
            groups.append([])
            start = char["bottom"]
        groups[-1].append(char)
    return groups


def columns(chars: Sequence[Char]) -> Iterator[tuple[int, list[Char]]]:
    """The characters in the order of reading: 1 for a left column, 2 for a right one, 0 for what runs across."""
    rows = by_baseline([c for c in chars if c["text"].strip()])
    stretches = [_stretches(row) for row in rows]
    gutter = _gutter(stretches)
    if gutter is None:
        yield 0, list(chars)
        return
    bands: list[tuple[bool, list[Char]]] = []
    for row, held in zip(rows, stretches, strict=True):
        across = _crosses(held, gutter)
        if not bands or bands[-1][0] != across:
            bands.append((across, []))
        bands[-1][1].extend(row)
    for across, band in bands:
        if across:
            yield 0, band
            continue
        yield 1, [c for c in band if c["x1"] <= gutter]
        yield 2, [c for c in band if c["x1"] > gutter]


#: Left and right ends of text without a gap wider than a blank or two.
Stretch = tuple[float, float]


def _stretches(row: Sequence[Char]) -> list[Stretch]:
    found: list[Stretch] = []
    for char in sorted(row, key=lambda c: c["x0"]):
        if found and char["x0"] - found[-1][1] < char["size"]:
            found[-1] = (found[-1][0], max(found[-1][1], char["x1"]))
        else:
            found.append((char["x0"], char["x1"]))
    return found


def _gutter(rows: Sequence[Sequence[Stretch]]) -> float | None:
    """Where the two columns are parted; None on a page with one."""
    if len(rows) < _LINES:
        return None
    left, right = min(row[0][0] for row in rows), max(row[-1][1] for row in rows)
    width = right - left
    places = [left + (_MIDDLE[0] + (_MIDDLE[1] - _MIDDLE[0]) * n / _PLACES) * width for n in range(_PLACES + 1)]
    crossing = [sum(_crosses(row, x) for row in rows) for x in places]
    fewest = min(crossing)
    if fewest > _CROSSING * len(rows):
        return None
    free = [x for x, n in zip(places, crossing, strict=True) if n == fewest]
    gutter = free[len(free) // 2]
    parted = [row for row in rows if not _crosses(row, gutter)]
    before = [max(end for _, end in row if end <= gutter) for row in parted if row[0][1] <= gutter]
    after = [row[-1][1] for row in parted if row[-1][1] > gutter]
    if not _is_prose(before, left) or not _is_prose(after, gutter):
        return None
    begins = min(start for row in parted for start, _ in row if start >= gutter)
    return gutter if begins - max(before) <= _WIDEST * width else None


def _is_prose(ends: Sequence[float], start: float) -> bool:
    if len(ends) < _LINES:
        return False
    reach = max(ends) - _FREE * (max(ends) - start)
    return sum(end >= reach for end in ends) >= _REACHING * len(ends)


def _crosses(row: Sequence[Stretch], x: float) -> bool:
    return any(start < x < end for start, end in row)
