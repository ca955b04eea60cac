"""Tables as lines of text: "header: cell | header: cell" for each row, so that a row can be read and quoted alone.

Cells that span rows are repeated in each of them, cells that span columns stand once under all of their headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pharmakon.ingest.formats.spl.xml import knowledge

_WIDEST = 200  #: columns; a colspan of a million is a mistake or an attack


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One cell as written; two cells with the same words are still two, so they compare by identity."""

    text: str
    columns: int = 1
    rows: int = 1
    heading: bool = False  #: marked as one
    bold: bool = False  #: all of it


Row = Sequence[Cell]
_Grid = list[list[Cell | None]]


def table_lines(head: Sequence[Row], body: Sequence[Row], foot: Sequence[Row] = ()) -> Iterator[str]:
    """The lines of one table, in order. Rows of the head become the headings of columns and give no line.

    A table without a head takes its first rows for one where they look like it; a row with one cell (a title across
    the table, the name of a group of rows) is a line of its own.
    """
    top, rows = _grid(head), _grid(body)
    if not any(_filled(row) for row in top):
        top = []
        while len(rows) > 1 and len(_filled(rows[0])) < 2 and (not _filled(rows[0]) or _spans(rows[0])):
            top.append(rows.pop(0))
        count = _heading_rows(rows)
        top, rows = top + rows[:count], rows[count:]
    headings: dict[int, list[str]] = {}
    for row in top:
        if len(_filled(row)) == 1 and _spans(row):
            yield _filled(row)[0].text
            continue
        for column, cell in enumerate(row):
            if cell and cell.text and cell.text not in headings.setdefault(column, []):
                headings[column].append(cell.text)
    named = {column: ", ".join(texts) for column, texts in headings.items()}
    for row in [*rows, *_grid(foot)]:
        line = _line(row, named)
        if line:
            yield line
    if not rows and not foot and named:  # all head: the words are kept
        yield " | ".join(dict.fromkeys(named.values()))


def _line(row: list[Cell | None], headings: dict[int, str]) -> str:
    filled = _filled(row)
    if len(filled) == 1 and len(row) > 1 and row[0] is filled[0]:
        return filled[0].text
    parts = []
    for cell in filled:
        above = dict.fromkeys(headings[i] for i, c in enumerate(row) if c is cell and headings.get(i))
        heading = ", ".join(above).rstrip(": ")
        parts.append(f"{heading}: {cell.text}" if heading else cell.text)
    return " | ".join(parts)


def _grid(rows: Iterable[Row]) -> _Grid:
    """The rows with every cell in each column and row that it covers; None where there is no cell."""
    grid: _Grid = []
    hanging: dict[int, tuple[Cell, int]] = {}  # column → a cell from above, and how many rows it still covers
    for row in rows:
        below: dict[int, tuple[Cell, int]] = {}
        slots: list[Cell | None] = []
        cells = list(row)
        while len(slots) < _WIDEST and (cells or any(column >= len(slots) for column in hanging)):
            column = len(slots)
            if column in hanging:
                cell, left = hanging[column]
                if left > 1:
                    below[column] = cell, left - 1
                slots.append(cell)
            elif cells:
                cell = cells.pop(0)
                for covered in range(column, min(column + cell.columns, _WIDEST)):
                    if cell.rows > 1:
                        below[covered] = cell, cell.rows - 1
                    slots.append(cell)
            else:
                slots.append(None)
        grid.append([*slots, *cells])  # beyond the widest table cells are not placed, but none is lost
        hanging = below
    return grid


def _filled(row: Iterable[Cell | None]) -> list[Cell]:
    return list(dict.fromkeys(cell for cell in row if cell and cell.text))


def _spans(row: list[Cell | None]) -> bool:
    """Whether one cell is the whole row."""
    return len({id(cell) for cell in row}) == 1


def _heading_rows(rows: _Grid) -> int:
    """How many of the first rows head the columns; a heading over several columns needs the row below it."""
    if len(rows) < 2 or not _is_heading(rows[0], rows[1:]):
        return 0
    count = 1
    while count + 1 < len(rows) and any(cell.columns > 1 for cell in _filled(rows[count - 1])):
        count += 1
    return count


def _is_heading(row: list[Cell | None], below: _Grid) -> bool:
    cells = _filled(row)
    rules = knowledge()["tables"]
    if not cells or any(
        re.match(rules["directive"], cell.text, re.IGNORECASE) or len(cell.text.split()) > rules["longest"]
        for cell in cells
    ):
        return False
    if all(cell.heading for cell in cells):
        return True
    corner = row[0] is None or not row[0].text
    if corner and any(other and other[0] and other[0].text for other in below):
        return True
    if len(cells) < 2:
        return False
    if all(cell.bold for cell in cells):
        return not all(cell.bold for other in below for cell in _filled(other))
    words = frozenset(rules["heading_words"])
    return all(words.issuperset(re.findall(r"[^\W\d_]+|\d+", cell.text.casefold())) for cell in cells)
