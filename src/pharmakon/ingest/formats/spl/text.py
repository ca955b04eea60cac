"""The narrative of SPL (`text`, `title`) as plain text: a line for each paragraph, list item and row of a table.

Footnotes stand below the table or text they belong to, under the mark that a printed label would give them. What was
raised stays apart from what it stands on ("2 X 10^-10", "warfarin^a"): read together they would be another number or
another word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pharmakon.ingest.formats.spl.tables import Cell, table_lines
from pharmakon.ingest.formats.spl.xml import Element, child, children, knowledge, local, words

#: A break in the file between a word and the bracket or full stop after it is layout of the file, not of the text.
_LAYOUT = re.compile(r"\n(?=[\])},.;:])|(?<=[\[({])\n")
#: Zero width space, byte order mark, soft hyphen: they print nothing and would part a name.
_INVISIBLE = re.compile("[\u200b\ufeff\u00ad]+")
_DOUBLED = 3  #: times a mark is repeated; footnotes beyond that are numbered
_ORDINAL = re.compile(r"(st|nd|rd|th|tm|sm)\b", re.IGNORECASE)
_UNIT = re.compile(r"(?<![^\W\d_])[cdmkµ]?m$")


@dataclass(frozen=True, slots=True)
class Text:
    """What a `text` element says. `images`: pictures that hold what is not read; `lost`: marks without a footnote."""

    text: str
    images: int = 0
    lost: int = 0


def read_text(element: Element | None) -> Text:
    """The text of one `text` element, without anything of its section's subsections.

    BadInput, without a place: a table that its spans make larger than any label's.
    """
    if element is None:
        return Text("")
    writer = _Writer(_marks(element))
    writer.inside(element)
    writer.close()
    writer.footnotes()
    return Text("\n".join(writer.lines), writer.images, writer.lost)


def read_line(element: Element | None) -> str:
    """A title or a caption on one line."""
    return read_text(element).text.replace("\n", " ")


def tidy(text: str) -> str:
    """`text` with every run of white space (tabs and no-break spaces too) made one space, and none at its ends."""
    text = (text if text.isascii() else _INVISIBLE.sub("", text)).strip()
    if "\n" not in text:
        return " ".join(text.split())
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return _LAYOUT.sub("", "\n".join(line for line in lines if line)).replace("\n", " ")


def _marks(element: Element) -> dict[Element | str, str]:
    """The mark of each footnote, by element and by its ID."""
    symbols: list[str] = knowledge()["footnotes"]["marks"]
    marks: dict[Element | str, str] = {}
    for i, note in enumerate(element.iter("{*}footnote")):
        again = i // len(symbols) + 1
        mark = symbols[i % len(symbols)] * again if again <= _DOUBLED else f"[{i + 1}]"
        marks[note] = mark
        if note.get("ID"):
            marks[note.get("ID", "")] = mark
    return marks


class _Writer:
    """Walks one narrative; `lines` are those that are complete, `_line` is the one being written."""

    def __init__(self, marks: dict[Element | str, str]) -> None:
        self.lines: list[str] = []
        self.images = 0
        self.lost = 0
        self._marks = marks
        self._line: list[str] = []
        self._notes: list[str] = []

    def inside(self, element: Element) -> None:
        self._write(element.text)
        for part in element:
            self._part(part)
            self._write(part.tail)

    def close(self) -> None:
        """End the line."""
        line = tidy("".join(self._line))
        self._line.clear()
        if line:
            self.lines.append(line)

    def footnotes(self) -> None:
        self.lines += self._notes
        self._notes.clear()

    def _write(self, text: str | None) -> None:
        if text:
            self._line.append(text)

    def _join(self) -> None:
        """Take back a break in the file at the end of the line: before what is raised or lowered it is layout."""
        last = self._line[-1] if self._line else ""
        word = last.rstrip()
        if "\n" in last[len(word) :]:
            self._line[-1] = word

    def _part(self, part: Element) -> None:
        name = local(part)
        if name in ("paragraph", "list", "item"):
            self.close()
            self.inside(part)
            self.close()
        elif name == "table":
            self.close()
            self._table(part)
            self.footnotes()
        elif name == "br":
            self.close()
        elif name == "caption":  # the bullet or number of a list item, the heading of a list
            self.inside(part)
            parent = part.getparent()
            if parent is not None and local(parent) == "list":
                self.close()
            self._write(" ")
        elif name == "sub":
            self._join()
            self.inside(part)
        elif name == "sup":
            self._join()
            self._write(_raised("".join(self._line[-3:]), self._aside(part)))
        elif name == "footnote":
            mark = self._marks[part]
            self._write(mark)
            self._notes.append(f"{mark} {self._aside(part)}")
        elif name == "footnoteRef":
            mark = self._marks.get(part.get("IDREF", ""), "")
            self.lost += not mark
            self._write(mark)
        elif name == "renderMultiMedia":
            self.images += 1
            caption = child(part, "caption")
            if caption is not None:
                self.close()
                self.inside(caption)
                self.close()
            self._write(" ")
        else:
            self.inside(part)

    def _aside(self, element: Element) -> str:
        """The words of an element on one line of their own, its images and footnotes counted here."""
        if not len(element):  # most cells of tables
            return tidy(element.text or "")
        writer = _Writer(self._marks)
        writer.inside(element)
        writer.close()
        self.images += writer.images
        self.lost += writer.lost
        self._notes += writer._notes
        return " ".join(writer.lines)

    def _table(self, table: Element) -> None:
        captions = [self._aside(caption) for caption in children(table, "caption")]
        self.lines += [caption for caption in captions if caption]
        loose = list(children(table, "tr"))
        head = self._rows(list(children(table, "thead", "tr")))
        body = self._rows([*loose, *children(table, "tbody", "tr")])
        foot = self._rows(list(children(table, "tfoot", "tr")))
        self.lines += table_lines(head, body, foot)

    def _rows(self, rows: Sequence[Element]) -> list[list[Cell]]:
        return [[self._cell(cell) for cell in children(row, "td|th")] for row in rows]

    def _cell(self, cell: Element) -> Cell:
        return Cell(
            self._aside(cell),
            columns=_span(cell, "colspan"),
            rows=_span(cell, "rowspan"),
            heading=local(cell) == "th",
            bold=_bold(cell),
        )


def _span(cell: Element, name: str) -> int:
    written = cell.get(name, "1").strip()
    return max(1, int(written)) if written.isascii() and written.isdigit() and len(written) < 6 else 1


def _bold(element: Element) -> bool:
    """Whether every word is in bold type."""
    if "bold" in (element.get("styleCode") or "").casefold():
        return True
    if (element.text or "").strip() or any((part.tail or "").strip() for part in element):
        return False
    filled = [part for part in element if words(part).strip()]
    return bool(filled) and all(_bold(part) for part in filled)


def _raised(before: str, raised: str) -> str:
    """What is raised after `before`, with a "^" where it would read as part of it.

    >>> _raised("2 X 10", "-10"), _raised("1.73 m", "2"), _raised("warfarin", "a"), _raised("the 25", "th")
    ('^-10', '2', '^a', 'th')
    """
    if not before[-1:].strip() or not re.match(r"[-−–+]?\w", raised):
        return raised
    if _ORDINAL.match(raised) or (_UNIT.search(before) and raised in ("2", "3")):
        return raised
    return f"^{raised}"
