"""A text folded for searching, with the way back: which character of the text stands behind each of the folded one.

`model.concepts.fold` compares names and forgets where they stood. Here the same folding keeps places: most characters
become one character, so only the exceptions (runs of blanks, ß, combining marks) are written down, as shifts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from operator import sub

from pharmakon.model.concepts import fold

#: What no name reaches across: the end of a line, a comma of a list.
BARRIER = "\n"
_BARRIERS = "\n\r,;:|"
#: Stands for a character that folds to none or to several until its place is written down; no name holds it.
_ODD = "\ue000"
#: What changes the length: runs of blanks, and odd characters. "\n " is as it should be, and most runs of a label are
#: that: passing them over here halves the time.
_RUN = re.compile(rf"(\n(?! (?![ \n]))[ \n]*| [ \n]+|{_ODD})")


class Folded:
    """`text` begins and ends with a blank; a barrier is followed by a blank, and no two blanks stand together."""

    __slots__ = ("_at", "_shift", "text")

    def __init__(self, original: str) -> None:
        parts = _RUN.split(original.translate(_CHARACTERS))  # text, run, text, run, …, text
        ends = list(accumulate(map(len, parts), initial=0))
        odd = [place for place, part in enumerate(parts[1::2]) if part == _ODD]
        parts[1::2] = [f"{BARRIER} " if BARRIER in run else " " for run in parts[1::2]]
        for place in odd:
            parts[2 * place + 1] = _folded(original[ends[2 * place + 1]])
        folded_ends = list(accumulate(map(len, parts), initial=1))  # behind the blank in front
        self._at = [0, *folded_ends[2::2]]
        self._shift: list[int] = [-1, *map(sub, ends[2::2], folded_ends[2::2])]
        self.text = f" {''.join(parts)} "

    def place(self, position: int) -> int:
        """Where in the original the character at `position` stands (within what folded to several, near it)."""
        return position + self._shift[bisect_right(self._at, position) - 1]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters `start` to `end` (exclusive) stand in the original."""
        at = bisect_right(self._at, start)
        first = start + self._shift[at - 1]
        if at == len(self._at) or end <= self._at[at]:
            return first, first + end - start  # no run in between, as in nearly all names: one search is enough
        return first, self.place(end - 1) + 1


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    """One character as `fold` has it between letters: a mark on a letter is nothing, a separator a blank."""
    return fold(f"a{character}a")[1:-1]


class _Characters(dict[int, str]):
    """Code point → what it folds to where that is one character; one is looked at when it is first met."""

    def __missing__(self, code: int) -> str:
        folded = _folded(chr(code))
        self[code] = folded if len(folded) == 1 else _ODD
        return self[code]


_CHARACTERS = _Characters(
    (code, c.lower() if c.isalnum() or c in "%+" else BARRIER if c in _BARRIERS else " ")
    for code, c in ((code, chr(code)) for code in range(128))
)
