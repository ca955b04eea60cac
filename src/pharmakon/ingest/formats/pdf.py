"""PDF → lines and ruled tables of its pages → blocks → a document.

A page holds characters with places and thin rectangles, nothing else: lines are put together from baselines, a space is
a gap, an underline is a rule below its characters, and a table is what `pdfplumber` finds between rules. Each page is
closed when its lines are taken, so that memory does not grow with the number of pages beyond the text itself.
"""

from __future__ import annotations

import io
import logging
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pharmakon.ingest.formats.blocks import BOLD, ITALIC, PLAIN, UNDERLINED, Cell, squeeze
from pharmakon.ingest.formats.columns import by_baseline, columns
from pharmakon.ingest.formats.paragraphs import Element, Grid, Line, paragraphs
from pharmakon.ingest.formats.smpc import Source, arrange, conjunctions
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.errors import BadInput

#: A gap of this share of the type size is a space.
_SPACE = 0.16
#: Type smaller than this share of the page's usual one, beside a line, is its sub- or superscript.
_SMALL = 0.8
#: Rules no thicker than this are lines, in points.
_THIN = 1.6
#: The private code points of the Symbol and Wingdings fonts that labels use.
_SYMBOLS = dict(zip(
    "\uf0b7\uf0a7\uf0d8\uf0fc\uf0b3\uf0a3\uf0b1\uf0b4\uf0b0\uf0ae\uf0ad\uf0af\uf061\uf062\uf067\uf06d\uf02d\uf03c\uf03e\uf020\uf0d2\uf0d3\uf0e2\uf0bb",
    "•▪➢✓≥≤±×°→↑↓αβγµ-<> ®©®≈", strict=True,
))  # fmt: skip
_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
#: A character of a font that does not say which letter it draws.
_TEN = re.compile(r"(?<!\d)10$")
_UNKNOWN = "\ufffd"
#: Above this share of them the text is no text.
_UNREADABLE = 0.2
#: What the parser lets through, beside its own exceptions, where a file is not what it says.
_BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
_Char = Mapping[str, Any]


def read_pdf(path_or_bytes: Path | str | bytes, where: str = "") -> Incoming:
    """The document of one PDF; `where` names it in complaints (the path, if it is left out).

    Raises `BadInput` for what can't be opened, asks for a password, has no pages or only pictures of text.
    """
    where = where or ("" if isinstance(path_or_bytes, bytes) else str(path_or_bytes))
    data = path_or_bytes if isinstance(path_or_bytes, bytes) else _bytes(Path(path_or_bytes), where)
    if not data:
        raise BadInput("the file is empty", where=where, expected="a PDF")
    if b"%PDF-" not in data[:1024]:
        raise BadInput("this is no PDF", where=where, expected="a file that begins with %PDF-")
    elements, heights, remarks, title = _pages(data, where)
    text = "".join(e.text for e in elements if isinstance(e, Line))
    if not any(c.isalnum() for c in text) and not any(isinstance(e, Grid) for e in elements):
        raise BadInput(
            f"none of the {len(heights)} pages holds text",
            where=where,
            expected="a PDF with text; run OCR on scanned pages",
        )
    lost = text.count(_UNKNOWN)
    if lost > _UNREADABLE * len(text):
        raise BadInput(
            "its fonts don't say which letters they draw", where=where, expected="a PDF whose text can be copied"
        )
    if lost:
        remarks.append("some characters could not be read and stand as \ufffd")
    blocks = paragraphs(elements, heights, conjunctions())
    return arrange(blocks, Source(where, title), tuple(remarks))


def _bytes(path: Path, where: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"can't be read: {error.strerror}", where=where, expected="a PDF") from None


def _pages(data: bytes, where: str) -> tuple[list[Element], dict[int, float], list[str], str]:
    """The elements of all pages in order, the heights of the pages, remarks, and the title in the file's properties."""
    try:
        import pdfplumber
    except ImportError:
        raise BadInput(
            "reading PDF needs a library that is not installed", where=where, expected="pip install 'pharmakon[pdf]'"
        ) from None
    # the parser comments upon every oddity of a file; what matters of them is said in one line here
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    elements: list[Element] = []
    heights: dict[int, float] = {}
    pictures = 0
    with _parsing(where):
        pdf = pdfplumber.open(io.BytesIO(data))
        title, pages = pdf.metadata.get("Title"), pdf.pages
    with pdf:
        for number, page in enumerate(pages, 1):
            found = _elements(page, number, where)
            with _parsing(where):
                pictures += not found and bool(page.images)
            elements += found
            heights[number] = float(page.height)
            page.close()
    if not heights:
        raise BadInput("the PDF has no pages", where=where, expected="a PDF with text")
    remarks = [f"pages that are pictures without text: {pictures}"] if pictures else []
    return elements, heights, remarks, title if isinstance(title, str) else ""


@contextmanager
def _parsing(where: str) -> Iterator[None]:
    """Turns what the parser raises on a file that it can't read into one complaint."""
    from pdfminer.pdfdocument import PDFEncryptionError
    from pdfminer.psexceptions import PSException
    from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

    try:
        yield
    except (PdfminerException, MalformedPDFException, PSException, *_BROKEN) as error:
        cause = error.args[0] if isinstance(error, PdfminerException) and error.args else error
        if isinstance(cause, PDFEncryptionError):
            raise BadInput(
                "the PDF is encrypted", where=where, expected="a PDF that opens without a password"
            ) from None
        raise BadInput(
            f"the PDF is damaged ({_name(cause)})", where=where, expected="a PDF that a viewer opens"
        ) from None


def _name(cause: object) -> str:
    said = squeeze(str(cause))
    return f"{type(cause).__name__}: {said}"[:80] if said else type(cause).__name__


def _elements(page: Any, number: int, where: str) -> list[Element]:
    """Lines and tables of one page in the order of reading; text in a table of several columns belongs to the table."""
    with _parsing(where):
        chars, rules, ruled = _drawn(page)
        tables = _ruled(page).find_tables() if ruled else []
    grids: list[Element] = []
    boxes: list[tuple[float, float, float, float]] = []
    for table in tables:
        grid = _grid(table.cells, chars, number)
        if grid is not None:
            boxes.append(table.bbox)
            grids.append(grid)
    if grids:
        outside = [c for c in chars if not any(_inside(c, box) for box in boxes)]
        return sorted([*grids, *text_lines(outside, rules, number)], key=lambda e: e.top)
    return [line for column, held in columns(chars) for line in text_lines(held, rules, number, column)]


def _ruled(page: Any) -> Any:
    """The page without its shading, whose edges are no rules."""
    return page.filter(lambda o: "width" in o and (o.get("stroke") or min(o["width"], o["height"]) <= _THIN))


def _drawn(page: Any) -> tuple[list[_Char], list[_Char], bool]:
    """Characters and thin horizontal rules of a page, and whether it has vertical ones, without which is no table.

    Taken from the page's layout: the full objects of `pdfplumber` take as long again, and only tables need them.
    """
    chars: list[_Char] = []
    rules: list[_Char] = []
    vertical = 0
    waiting = [iter(page.layout)]
    height = float(page.height)
    while waiting:
        thing = next(waiting[-1], None)
        if thing is None:
            waiting.pop()
        elif hasattr(thing, "fontname"):
            if thing.upright:
                chars.append(_placed(thing, height, text=thing.get_text(), fontname=thing.fontname, size=thing.size))
        elif hasattr(thing, "linewidth"):
            vertical += thing.height > _THIN and (thing.width <= _THIN or bool(thing.stroke))
            if thing.height <= _THIN < thing.width:
                rules.append(_placed(thing, height))
        elif hasattr(thing, "__iter__"):
            waiting.append(iter(thing))  # a form drawn on the page
    return chars, rules, vertical > 1


def _placed(thing: Any, height: float, **more: object) -> _Char:
    return {"x0": thing.x0, "x1": thing.x1, "top": height - thing.y1, "bottom": height - thing.y0, **more}


def _inside(char: _Char, box: Sequence[float]) -> bool:
    x, y = (char["x0"] + char["x1"]) / 2, (char["top"] + char["bottom"]) / 2
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


def _grid(cells: Sequence[tuple[float, float, float, float]], chars: Sequence[_Char], page: int) -> Grid | None:
    """The table whose cells cover these boxes; None where it has one column only: a frame around text."""
    xs = _places([x for cell in cells for x in (cell[0], cell[2])])
    ys = _places([y for cell in cells for y in (cell[1], cell[3])])
    if len(xs) < 3 or len(ys) < 3:
        return None
    rows: list[list[Cell | None]] = [[None] * (len(xs) - 1) for _ in ys[1:]]
    for box in sorted(cells, key=lambda b: (b[1], b[0])):
        left, right = _at(xs, box[0]), _at(xs, box[2])
        top, bottom = _at(ys, box[1]), _at(ys, box[3])
        lines = text_lines([c for c in chars if _inside(c, box)], (), page)
        text = squeeze(" ".join(line.text for line in lines))
        marks = {m for line in lines for c, m in zip(line.text, line.marks, strict=True) if c.isalnum()}
        # without header cells of its own, the first row of a table heads its columns
        cell = Cell(text, top == 0 or marks == {BOLD}, bottom - top, right - left)
        for row in range(top, bottom):
            rows[row][left:right] = [cell] * (right - left)
    if not any(cell and cell.text for row in rows for cell in row):
        return None
    return Grid(tuple(map(tuple, rows)), page, ys[0], tuple(round(x) for x in xs))


def _places(values: Sequence[float]) -> list[float]:
    """Distinct places, where two points apart is the same place."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 2:
            found.append(value)
    return found


def _at(places: Sequence[float], value: float) -> int:
    return min(range(len(places)), key=lambda i: abs(places[i] - value))


def text_lines(chars: Sequence[_Char], rules: Sequence[_Char], page: int, column: int = 0) -> list[Line]:
    """Characters → lines by their baselines; `rules` are the thin horizontal ones, which may underline."""
    if not chars:
        return []
    usual = Counter(round(c["size"], 1) for c in chars if c["text"].strip() or len(chars) < 4)
    size = max(usual, key=lambda s: (usual[s], s), default=10.0)
    large = by_baseline([c for c in chars if c["size"] >= _SMALL * size])
    alone = []
    for char in (c for c in chars if c["size"] < _SMALL * size):
        beside = _beside(char, large, size)
        if beside is None:
            alone.append(char)
        else:
            beside.append(char)
    made = [_line(group, rules, page, column) for group in (*large, *by_baseline(alone))]
    return sorted((line for line in made if line.text.strip()), key=lambda line: (line.top, line.x0))


def _beside(char: _Char, groups: Sequence[list[_Char]], size: float) -> list[_Char] | None:
    """The line that a small character is the sub- or superscript of."""
    middle = (char["top"] + char["bottom"]) / 2
    for group in groups:
        if group[0]["top"] - 0.2 * size <= middle <= group[0]["bottom"] + 0.2 * size and any(
            -0.2 * size <= char["x0"] - c["x1"] <= size or -0.2 * size <= c["x0"] - char["x1"] <= size for c in group
        ):
            return group
    return None


def _line(chars: Sequence[_Char], rules: Sequence[_Char], page: int, column: int) -> Line:
    ordered = sorted(chars, key=lambda c: c["x0"])
    sizes = Counter(c["size"] for c in ordered)
    size = float(max(sizes, key=lambda s: sizes[s]))
    full = [c for c in ordered if c["text"].strip()] or ordered
    x0, x1 = float(full[0]["x0"]), float(max(c["x1"] for c in full))
    bottom = float(
        max(c["bottom"] for c in full if c["size"] == size)
        if any(c["size"] == size for c in full)
        else full[0]["bottom"]
    )
    under = [
        r
        for r in rules
        if bottom - 0.35 * size <= r["top"] <= bottom + 0.2 * size and r["x0"] > x0 - 3 and r["x1"] < x1 + 3
    ]
    text, marks, end, first = "", "", x0, 0.0
    before: _Char | None = None
    for char in ordered:
        if before is not None and char["text"] == before["text"] and char["x0"] - before["x0"] < 0.1 * size:
            continue  # bold made by printing twice
        if char["x0"] - end > _SPACE * size and text and not text[-1].isspace():
            text, marks = text + " ", marks + PLAIN
        if not first and text.strip() and (char["text"].isspace() or text[-1:].isspace()):
            first = end - x0
        written = _written(char["text"])
        if char["size"] < _SMALL * size and char["bottom"] < bottom - 0.2 * size and _TEN.search(text):
            written = "^" + written  # a power of ten is no longer number
        text += written
        marks += _mark(char, under) * len(written)
        end = max(end, float(char["x1"])) if written.strip() else end
        before = char
    top = float(
        min(c["top"] for c in full if c["size"] == size) if any(c["size"] == size for c in full) else full[0]["top"]
    )
    kept = len(text.rstrip())
    return Line(text[:kept], marks[:kept], page, x0, x1, top, size, first or x1 - x0, column)


def _written(text: str) -> str:
    if len(text) == 1 and text.isascii():
        return text
    if re.fullmatch(r"\(cid:\d+\)", text):
        return _UNKNOWN
    text = "".join(_LIGATURES.get(c, _SYMBOLS.get(c, c)) for c in text)
    return "".join(_UNKNOWN if "\ue000" <= c <= "\uf8ff" else c for c in text)


def _mark(char: _Char, under: Sequence[_Char]) -> str:
    font = str(char["fontname"]).casefold()
    if "bold" in font or "black" in font or "heavy" in font:
        return BOLD
    middle = (char["x0"] + char["x1"]) / 2
    if any(r["x0"] <= middle <= r["x1"] for r in under):
        return UNDERLINED
    return ITALIC if "italic" in font or "oblique" in font else PLAIN
