"""Lines of a printed page → paragraphs: what stands on every page goes, what a line break parted is put together.

Lengths and places are in points (1/72 inch), from the page's left and top edge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pharmakon.ingest.formats.blocks import PLAIN, Block, Cell, headers, looks, row_lines, squeeze, titles

#: A line in this share of the page at its top and bottom may be a header or a footer.
_EDGE = 0.12
#: Lines of a header or footer stand within this distance of each other, page for page.
_SAME_PLACE = 4.0
#: A gap this much larger than the usual one from line to line begins a paragraph.
_GAP = 1.3
#: Lines further apart than this many times their size are never lines of one paragraph.
_WIDEST = 1.8
#: A line that leaves more than this share of its column free was ended on purpose, whatever comes next.
_ENDED = 0.25
_BULLET = re.compile(r"^[•●○▪■◦·‣–—➢✓-](?:\s+|$)")
_NUMBER = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+\S")
_PAGE_NUMBER = re.compile(r"^(?:\w+ )?\d{1,4}(?: ?(?:/|of|af|van|de) ?\d{1,4})?$", re.IGNORECASE)
_FULL_STOP = re.compile(r"[.:;!?][)\]”’\"']*$")
_HYPHENS = "-\u2010\u2011"
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text with its marks (see `blocks.looks`). `first` is the width of its first word."""

    text: str
    marks: str
    page: int
    x0: float
    x1: float
    top: float
    size: float
    first: float
    column: int = 0  #: see `columns`


@dataclass(frozen=True, slots=True)
class Grid:
    """A ruled table. `columns` are the places of its vertical rules: a table that goes on overleaf has the same."""

    rows: tuple[tuple[Cell | None, ...], ...]
    page: int
    top: float
    columns: tuple[float, ...]


Element = Line | Grid


def paragraphs(
    elements: Sequence[Element], heights: Mapping[int, float], conjunctions: frozenset[str] = frozenset()
) -> list[Block]:
    """Blocks of a whole document. `heights`: page → its height; `conjunctions` follow a hyphen that stays."""
    kept = without_running(elements, heights)
    lines = [e for e in kept if isinstance(e, Line)]
    layout = _Layout.of(lines, conjunctions)
    found: list[Block] = []
    waiting: list[Line] = []
    table: Grid | None = None  # the one that ended just before
    named: list[str] | None = None
    for element in kept:
        if isinstance(element, Line):
            if waiting and layout.parts(waiting, element):
                found.append(layout.block(waiting))
                waiting = []
            waiting.append(element)
            table = None
            continue
        if waiting:
            found.append(layout.block(waiting))
            waiting = []
        goes_on = table is not None and table.page + 1 == element.page and table.columns == element.columns
        named = named if goes_on and not _same_header(table, element) else None
        rows = row_lines(element.rows, named)
        found += [Block(row, item=True, page=element.page) for row in rows]
        named = named if named is not None else _header_names(element)
        table = element
    if waiting:
        found.append(layout.block(waiting))
    return [b for b in found if b.text]


def _same_header(table: Grid | None, other: Grid) -> bool:
    first = [cell.text for cell in other.rows[0] if cell] if other.rows else []
    return table is not None and bool(table.rows) and first == [cell.text for cell in table.rows[0] if cell]


def _header_names(grid: Grid) -> list[str]:
    return titles(grid.rows, headers(grid.rows))


def without_running(elements: Sequence[Element], heights: Mapping[int, float]) -> list[Element]:
    """Everything but headers, footers and page numbers: what stands at one place of at least half of the pages."""
    edge: dict[int, str] = {}
    for i, element in enumerate(elements):
        if isinstance(element, Line):
            height = heights.get(element.page, 0.0)
            if element.top < height * _EDGE or element.top > height * (1 - _EDGE):
                edge[i] = re.sub(r"\d+", "#", squeeze(element.text)).casefold()
    pages: dict[str, dict[int, float]] = {}
    for i, text in edge.items():
        line = elements[i]
        pages.setdefault(text, {}).setdefault(line.page, line.top)
    least = max(3, len(heights) / 2)
    running = {text: median(tops.values()) for text, tops in pages.items() if len(tops) >= least}
    return [
        element
        for i, element in enumerate(elements)
        if i not in edge
        or not (
            (edge[i] in running and abs(element.top - running[edge[i]]) <= _SAME_PLACE)
            or _is_page_number(element, heights)
        )
    ]


def _is_page_number(element: Element, heights: Mapping[int, float]) -> bool:
    """A number by itself at the very bottom of the page it counts."""
    if not isinstance(element, Line) or element.top < heights.get(element.page, 0.0) * (1 - _EDGE / 2):
        return False
    return bool(_PAGE_NUMBER.match(squeeze(element.text)))


@dataclass(frozen=True, slots=True)
class _Layout:
    """What is usual in this document: the distance from line to line, where columns end, the words it uses."""

    pitch: float
    margins: Mapping[tuple[int, int], tuple[float, float]]  #: page, column → left and right end of the text
    words: frozenset[str]
    conjunctions: frozenset[str]

    @classmethod
    def of(cls, lines: Sequence[Line], conjunctions: frozenset[str]) -> _Layout:
        steps = [
            b.top - a.top
            for a, b in pairwise(lines)
            if a.page == b.page and 0.8 * a.size < b.top - a.top < _WIDEST * a.size
        ]
        usual: dict[int, list[Line]] = {}
        held: dict[tuple[int, int], list[Line]] = {}
        for line in lines:
            usual.setdefault(line.column, []).append(line)
            held.setdefault((line.page, line.column), []).append(line)
        ends = {column: _ends(found) for column, found in usual.items()}
        margins = {place: _ends(found) if len(found) >= 15 else ends[place[1]] for place, found in held.items()}
        words = Counter(w.casefold() for line in lines for w in _WORD.findall(line.text)[1:-1])
        return cls(_commonest(steps), margins, frozenset(words), conjunctions)

    def parts(self, before: Sequence[Line], line: Line) -> bool:
        """Whether `line` begins a new paragraph after those of `before`."""
        last = before[-1]
        text = line.text.lstrip()
        if _BULLET.match(text):
            return True
        overleaf = (line.page, line.column) != (last.page, last.column)
        if not overleaf and not 0 < line.top - last.top <= self.pitch * _GAP + 1:
            return True
        if self._set_apart(last, line):
            return True
        if _NUMBER.match(text) and _whole(line) != PLAIN:
            return True
        ended = bool(_FULL_STOP.search(last.text.rstrip()))
        left, right = self.margins[last.page, last.column]
        free = right - last.x1
        if free < line.first + 0.5 * last.size:
            return overleaf and ended
        if ended or free > _ENDED * (right - left):
            return not last.text.rstrip().endswith(tuple(_HYPHENS))
        return not (text[:1].islower() or text[:1].isdigit() or text[:1] in "(<>≥≤")

    def _set_apart(self, last: Line, line: Line) -> bool:
        """Whether a heading ends or begins between the two, as their type shows."""
        if _whole(last) == _whole(line) == PLAIN:
            return False
        return _edge_mark(last, -1) != _edge_mark(line, 0)

    def block(self, lines: Sequence[Line]) -> Block:
        text, marks = lines[0].text, lines[0].marks
        for line in lines[1:]:
            cut, between = self._join(text, line.text)
            text = text[: len(text) - cut] + between + line.text
            marks = marks[: len(marks) - cut] + PLAIN * len(between) + line.marks
        bullet = _BULLET.match(text)
        if bullet:
            text, marks = text[bullet.end() :], marks[bullet.end() :]
        look, lead = looks(text, marks)
        whole, head = squeeze(text), squeeze(text[:lead])
        return Block(whole, 0, look, len(head), bullet is not None, len(lines), lines[0].page)

    def _join(self, text: str, following: str) -> tuple[int, str]:
        """How many characters of `text` go, and what stands between it and the next line."""
        if text.endswith("\u00ad"):
            return 1, ""
        if text.endswith("/"):
            return 0, ""
        if not text.endswith(tuple(_HYPHENS)) or not text[-2:-1].isalnum():
            return 0, " "
        second = _WORD.match(following)
        if second is None:
            return 0, "" if following[:1].isdigit() else " "
        if second[0].casefold() in self.conjunctions:
            return 0, " "
        first = _WORD.findall(text)[-1] if text[-2].isalpha() else ""
        known = bool(first) and (first + second[0]).casefold() in self.words and second[0].islower()
        return (1, "") if known else (0, "")


def _whole(line: Line) -> str:
    """How the whole of a line is set."""
    look, lead = looks(line.text, line.marks)
    return PLAIN if lead else look


def _edge_mark(line: Line, at: int) -> str:
    set_so = [mark for char, mark in zip(line.text, line.marks, strict=True) if char.isalnum()]
    return set_so[at] if set_so else PLAIN


def _ends(lines: Sequence[Line]) -> tuple[float, float]:
    """Left and right end of a column; a line or two may stand out."""
    if not lines:
        return 0.0, 0.0
    right = sorted(line.x1 for line in lines)
    return min(line.x0 for line in lines), right[-3] if len(right) >= 10 else right[-1]


def _commonest(steps: Iterable[float]) -> float:
    """The commonest distance, to half a point; 14 (twelve-point type) where there is none."""
    counted = Counter(round(step * 2) / 2 for step in steps)
    return max(counted.items(), key=lambda found: (found[1], -found[0]))[0] if counted else 14.0
