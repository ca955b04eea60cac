"""What a page shows, whichever format it came in: paragraphs, list items, table rows and headings, in reading order.

Readers of PDF and HTML yield blocks; `formats.smpc` makes sections of them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: How a stretch of text is set; the strongest counts. Together with a text stands a string of these, one a character.
PLAIN, BOLD, UNDERLINED, ITALIC = " bui"
_SPACE = re.compile(r"\s+")
#: A table larger than this is no table that a person would read.
MAX_CELLS = 100_000


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, list item or heading. `rank` is 1 to 6 where the format itself says heading, else 0.

    `lead` is the length of a differently set beginning ("Lithium: the combination ..."), 0 where there is none. `look`
    is how the lead, else the whole, is set: `PLAIN` where it differs within. An `item` (list item, table row) heads
    nothing. `lines` tells how many lines it took, `page` where it begins (1 is the first; 0 in formats without pages).
    """

    text: str
    rank: int = 0
    look: str = PLAIN
    lead: int = 0
    item: bool = False
    lines: int = 1
    page: int = 0

    @property
    def whole(self) -> str:
        """How the whole of it is set."""
        return PLAIN if self.lead else self.look


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; it covers `rows` by `columns` places of the grid."""

    text: str
    header: bool = False
    rows: int = 1
    columns: int = 1


def looks(text: str, marks: str) -> tuple[str, int]:
    """How the whole of `text` is set and 0, or how its lead is set and its length; from one mark a character.

    >>> looks("Lithium: avoid", "uuuuuuu       "), looks("Posology", "uuuuuuuu"), looks("avoid", "bb   ")
    (('u', 8), ('u', 0), (' ', 0))
    """
    set_so = [(i, mark) for i, (char, mark) in enumerate(zip(text, marks, strict=True)) if char.isalnum()]
    if not set_so:
        return PLAIN, 0
    first = set_so[0][1]
    end = next((i for i, mark in set_so if mark != first), None)
    if first == PLAIN or end is None:
        return first, 0
    head = text[:end].rstrip(" (")
    # the colon that ends a lead may be set either way
    return (first, len(head)) if head.endswith(":") else (PLAIN, 0)


def squeeze(text: str) -> str:
    """One line: runs of white space become a blank, soft hyphens and zero-width characters go.

    >>> squeeze("hyper\\u00adtension \\n  in adults")
    'hypertension in adults'
    """
    return _SPACE.sub(" ", re.sub("[\u00ad\u200b\u2060\ufeff\x00]", "", text)).strip()


def spread(rows: Iterable[Sequence[Cell]]) -> list[list[Cell | None]]:
    """The grid of a table given row by row: a cell that spans stands in every place it covers, None where none does."""
    grid: list[list[Cell | None]] = []
    hanging: dict[int, tuple[Cell, int]] = {}  # column → the cell that reaches down into it, and how far yet
    size = 0
    for row in rows:
        line: list[Cell | None] = []
        waiting = deque(row)
        while waiting or any(column >= len(line) for column in hanging):
            column = len(line)
            if column in hanging:
                cell, left = hanging.pop(column)
                line.append(cell)
                if left > 1:
                    hanging[column] = (cell, left - 1)
                continue
            if not waiting:
                line.append(None)
                continue
            cell = waiting.popleft()
            for offset in range(max(1, min(cell.columns, MAX_CELLS))):
                if offset and size + len(line) >= MAX_CELLS:
                    break
                line.append(cell)
                if cell.rows > 1:
                    hanging[column + offset] = (cell, cell.rows - 1)
        grid.append(line)
        size += len(line)
    return grid


def headers(grid: Sequence[Sequence[Cell | None]]) -> int:
    """How many rows at the top are headers: rows of header cells, and rows that divide a spanning header further."""
    count = 0
    for row in grid:
        cells = [cell for cell in row if cell is not None and cell.text]
        above = grid[count - 1] if count else ()
        divides = count > 0 and _divides(row, above)
        if not cells or not (all(cell.header for cell in cells) or divides):
            break
        if len({id(cell) for cell in cells}) == 1 and cells[0].columns > 1 and count:
            break  # a line across the table that heads the rows below it
        count += 1
    return count if count < len(grid) else 0


def _divides(row: Sequence[Cell | None], above: Sequence[Cell | None]) -> bool:
    """Whether `row` goes on with the header: its first place is empty or the header's own, under a spanning cell."""
    if not row or not above:
        return False
    first = row[0]
    open_first = first is None or not first.text or first is above[0]
    spans = any(cell is not None and cell.columns > 1 and cell.text for cell in above)
    return open_first and spans


def titles(grid: Sequence[Sequence[Cell | None]], count: int) -> list[str]:
    """The header of each column: the texts of its header cells from top to bottom, each once."""
    width = max((len(row) for row in grid), default=0)
    found: list[str] = []
    for column in range(width):
        seen: dict[str, None] = {}
        for row in grid[:count]:
            cell = row[column] if column < len(row) else None
            if cell is not None and cell.text:
                seen[cell.text] = None
        found.append(" ".join(seen))
    return found


def row_lines(grid: Sequence[Sequence[Cell | None]], named: Sequence[str] | None = None) -> list[str]:
    """A table as lines, one a row (see `Section`): "header: cell | header: cell", empty cells left out.

    `named` gives the headers of the columns where they stand in another table (one that goes on over the page).
    Without headers a row is its cells parted by " | ". A header with no row below it is a row itself.
    """
    count = 0 if named is not None else headers(grid)
    names = list(named) if named is not None else titles(grid, count)
    lines: list[str] = []
    for row in grid[count:]:
        parts: list[str] = []
        before: Cell | None = None
        across = len(row) > 1 and row[0] is not None and all(cell is row[0] for cell in row)
        for column, cell in enumerate(row):
            if cell is None or not cell.text or cell is before:
                continue
            name = names[column] if column < len(names) and not across else ""
            parts.append(f"{name.removesuffix(':')}: {cell.text}" if name and name != cell.text else cell.text)
            before = cell
        if parts:
            lines.append(" | ".join(parts))
    return lines
