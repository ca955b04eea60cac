"""Tables as lines of text: "header: cell | header: cell" for each row, so that a row can be read and quoted alone.

Cells that span rows are repeated in each of them, cells that span columns stand once under all of their headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from pharmakon.ingest.formats.spl.xml import knowledge
from pharmakon.model.errors import BadInput

# What no table of a label comes near. Spans make a large table of a small file, by mistake or as an attack.
_WIDEST = 200  #: columns
_MOST_CELLS = 1_000_000  #: places in a table, those that spans cover included
_MOST_TEXT = 16_000_000  #: characters of a table's lines
_LONGEST_HEADING = 2_000  #: characters; a longer cell is text, whatever the table calls it
_MOST_HEADINGS = 20  #: rows


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
        titles = _titles(rows)
        count = titles + _heading_rows(rows[titles:])
        top, rows = rows[:count], rows[count:]
    elif len(top) > _MOST_HEADINGS or any(len(cell.text) > _LONGEST_HEADING for row in top for cell in _filled(row)):
        top, rows = [], top + rows
    length = 0
    for line in _lines(top, [*rows, *_grid(foot)]):
        length += len(line)
        if length > _MOST_TEXT:
            raise BadInput("a table repeats its cells without end", expected=f"at most {_MOST_TEXT} characters")
        yield line


def _titles(rows: _Grid) -> int:
    """How many rows stand above the headings: empty ones, and titles across the whole table."""
    above = takewhile(lambda row: not _filled(row) or (len(_filled(row)) == 1 and _spans(row)), rows[:-1])
    return sum(1 for _ in above)


def _lines(top: _Grid, rows: _Grid) -> Iterator[str]:
    headings: dict[int, list[str]] = {}
    for row in top:
        if len(_filled(row)) == 1 and _spans(row):
            yield _filled(row)[0].text
            continue
        for column, cell in enumerate(row):
            if cell and cell.text and cell.text not in headings.setdefault(column, []):
                headings[column].append(cell.text)
    named = {column: ", ".join(texts) for column, texts in headings.items()}
    yield from filter(None, (_line(row, named) for row in rows))
    if not rows and named:  # all head: the words are kept
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
    placed = 0
    hanging: dict[int, tuple[Cell, int]] = {}  # column → a cell from above, and how many rows it still covers
    for row in rows:
        below: dict[int, tuple[Cell, int]] = {}
        slots: list[Cell | None] = []
        cells = list(row)
        last = max(hanging, default=-1)
        while len(slots) < _WIDEST and (cells or len(slots) <= last):
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
        placed += len(slots)
        if placed > _MOST_CELLS:
            raise BadInput("a table spans more than any label has", expected=f"at most {_MOST_CELLS} cells")
        hanging = below
    return grid


def _filled(row: Iterable[Cell | None]) -> list[Cell]:
    return list(dict.fromkeys(cell for cell in row if cell and cell.text))


def _spans(row: list[Cell | None]) -> bool:
    """Whether one cell is the whole row."""
    return len({id(cell) for cell in row}) == 1


def _heading_rows(rows: _Grid) -> int:
    """How many of the first rows head the columns: one, and those below it while one spans several columns."""
    count = 0
    while count + 1 < len(rows) and (
        _is_heading(rows[count], rows[count + 1 :]) or (count and _completes(rows[count - 1], rows[count]))
    ):
        count += 1
        if count == _MOST_HEADINGS or all(cell.columns == 1 for cell in _filled(rows[count - 1])):
            break
    return count


def _completes(above: list[Cell | None], row: list[Cell | None]) -> bool:
    """Whether a row goes on with the headings above it, which leave the first column to it, and holds no data."""
    corner, first = above[0], row[0]
    if corner is not None and corner.text and corner is not first:
        return False
    rules = knowledge()["tables"]
    data = re.compile(f"{rules['value']}|{rules['directive']}", re.IGNORECASE)
    return not any(data.match(cell.text) for cell in _filled(row) if cell is not first)


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
