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
_RUN = r"[ \n]{2,}|\n"


class Folded:
    """`text` begins and ends with a blank; a barrier is followed by a blank, and no two blanks stand together."""

    __slots__ = ("_at", "_shift", "text")

    def __init__(self, original: str) -> None:
        same, odd = _same_length(original)
        parts: list[str] = [" "]
        self._at, self._shift = [0], [-1]  # the blank in front
        done, length = 0, 1
        for match in re.finditer(rf"{_RUN}|[{re.escape(odd)}]" if odd else _RUN, same):
            run = match.group()
            new = _folded(run) if run in odd else f"{BARRIER} " if BARRIER in run else " "
            if new == run:
                continue
            start, end = match.span()
            parts += (same[done:start], new)
            length += start - done + len(new)
            done = end
            self._at.append(length)
            self._shift.append(end - length)
        self.text = "".join([*parts, same[done:], " "])

    def place(self, position: int) -> int:
        """Where in the original the character at `position` stands (within what folded to several, near it)."""
        return position + self._shift[bisect_right(self._at, position) - 1]


def _same_length(original: str) -> tuple[str, str]:
    """The text with every character folded that folds to one, and the characters that do not."""
    if original.isascii():
        return original.translate(_ASCII), ""
    strange = [c for c in set(original) if not c.isascii()]
    folded = {c: _folded(c) for c in strange}
    table: dict[int, str | int | None] = dict(_ASCII)
    table.update({ord(c): f for c, f in folded.items() if len(f) == 1})
    return original.translate(table), "".join(c for c, f in folded.items() if len(f) != 1)


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    """One character as `fold` has it between letters: a mark on a letter is nothing, a separator a blank."""
    return fold(f"a{character}a")[1:-1]


_ASCII = {
    code: chr(code).lower() if chr(code).isalnum() or chr(code) in "%+" else BARRIER if chr(code) in _BARRIERS else " "
    for code in range(128)
}
