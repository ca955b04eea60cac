"""A text folded for searching, with the way back: which character of the text stands behind each of the folded one.

`model.concepts.fold` compares names and forgets where they stood. Here the same folding keeps places: most characters
become one character, so only the exceptions (runs of blanks, ß, combining marks) are written down, as shifts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from pharmakon.model.concepts import fold

#: What no name reaches across: the end of a line, a comma of a list.
BARRIER = "\n"
_BARRIERS = "\n\r,;:|"
#: Stands for a character that folds to none or to several until its place is written down; no name holds it.
_ODD = "\ue000"
#: What changes the length: runs of blanks, and odd characters. "\n " is as it should be, and most runs of a label are
#: that: passing them over here halves the time.
_RUN = re.compile(rf"\n(?! (?![ \n]))[ \n]*| [ \n]+|{_ODD}")


class Folded:
    """`text` begins and ends with a blank; a barrier is followed by a blank, and no two blanks stand together."""

    __slots__ = ("_at", "_shift", "text")

    def __init__(self, original: str) -> None:
        same = original.translate(_CHARACTERS)
        parts: list[str] = [" "]
        self._at, self._shift = [0], [-1]  # the blank in front
        done, length = 0, 1
        for match in _RUN.finditer(same):
            start, end = match.span()
            run = match.group()
            new = _folded(original[start]) if run == _ODD else f"{BARRIER} " if BARRIER in run else " "
            parts += (same[done:start], new)
            length += start - done + len(new)
            done = end
            self._at.append(length)
            self._shift.append(end - length)
        self.text = "".join([*parts, same[done:], " "])

    def place(self, position: int) -> int:
        """Where in the original the character at `position` stands (within what folded to several, near it)."""
        return position + self._shift[bisect_right(self._at, position) - 1]


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
