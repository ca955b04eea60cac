"""A web page → blocks → a document: headings nest by their rank, list items and table rows stand on lines of their own.

The parser is lenient as a browser is; what is not shown (scripts, navigation, hidden parts) is not read.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pharmakon.ingest.formats.blocks import (
    BOLD,
    ITALIC,
    MAX_CELLS,
    PLAIN,
    UNDERLINED,
    Block,
    Cell,
    looks,
    row_lines,
    spread,
    squeeze,
)
from pharmakon.ingest.formats.smpc import Source, arrange
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.errors import BadInput

_RANKS = {f"h{n}": n for n in range(1, 7)}
_LOOKS = {"b": BOLD, "strong": BOLD, "u": UNDERLINED, "ins": UNDERLINED, "i": ITALIC, "em": ITALIC}
_STRENGTH = (BOLD, UNDERLINED, ITALIC, PLAIN)
_BREAKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl"}
    | {"dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "legend", "li", "main", "ol", "p"}
    | {"pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", *_RANKS}
)
_UNREAD = frozenset(
    {"script", "style", "noscript", "template", "head", "nav", "svg", "math", "iframe", "object", "embed", "audio"}
    | {"video", "canvas", "select", "button", "textarea", "datalist"}
)
_TEXT = "-text"
#: A cell longer than this holds no value: the table lays out the page.
_CELL = 2000
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""")
_LINE_BREAK = re.compile(r"(?P<ended>[.:;!?]?)[ \t]*\n\s*")
_TEN = re.compile(r"(?<!\d)10\s*$")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
#: What browsers read these as (WHATWG Encoding Standard).
_READ_AS = {"iso8859-1": "cp1252", "ascii": "cp1252"}


#: What a page may nest; the time that a tree takes grows by the square of it.
_DEEP = 2000
_CLOSED = re.compile(
    r"<(/?)(?:div|span|font|section|article|table|ul|ol|dl|blockquote|center|b|i|em|strong|a|sub|sup|form)\b",
    re.IGNORECASE,
)


def read_html(data: bytes, where: str = "") -> Incoming:
    """The document of one page; `where` names it in complaints.

    Raises `BadInput` for a page without text and for bytes that are not in the charset the page declares.
    """
    if not data.strip():
        raise BadInput("the file is empty", where=where, expected="an HTML page")
    text, remarks = _decode(data, where)
    if _deepest(text) > _DEEP:
        raise BadInput(f"elements are nested more than {_DEEP} deep", where=where, expected="an HTML page")
    tree = LexborHTMLParser(text)
    title, root = tree.css_first("title"), tree.css_first("html")
    language = (root.attributes.get("lang") or root.attributes.get("xml:lang") or "") if root else ""
    blocks = list(page_blocks(tree.body)) if tree.body else []
    return arrange(blocks, Source(where, squeeze(title.text()) if title else "", language), remarks)


def _deepest(text: str) -> int:
    """How deep elements that have to be closed stand in each other."""
    depth = deepest = 0
    for tag in _CLOSED.finditer(text):
        depth = max(0, depth - 1) if tag[1] else depth + 1
        deepest = max(deepest, depth)
    return deepest


def _decode(data: bytes, where: str) -> tuple[str, tuple[str, ...]]:
    """The text, and a remark where the charset that is declared is not the one it is in."""
    for bom, charset in _BOMS:
        if data.startswith(bom):
            return _in_charset(data, charset, where), ()
    if b"\x00" in data[:1024]:
        raise BadInput("this is no text", where=where, expected="an HTML page")
    declared = _CHARSET.search(data[:2048])
    if declared is None:
        return _in_charset(data, "utf-8", where, "; the page declares no charset"), ()
    name = declared[1].decode("ascii")
    try:
        charset = codecs.lookup(name).name
    except LookupError:
        raise BadInput(f"charset {name!r} is unknown", where=where, expected="a charset such as utf-8") from None
    if charset != "utf-8" and not data.isascii():
        try:
            # accented letters that happen to be UTF-8 throughout are UTF-8, whatever the page declares
            return data.decode("utf-8"), (f"declared to be {name}, read as UTF-8",)
        except UnicodeDecodeError as error:
            del error  # as declared, then
    return _in_charset(data, _READ_AS.get(charset, charset), where), ()


def _in_charset(data: bytes, charset: str, where: str, why: str = "") -> str:
    try:
        return data.decode(charset)
    except (UnicodeDecodeError, LookupError) as error:
        place = f"byte {error.start} is" if isinstance(error, UnicodeDecodeError) else "the text is"
        wanted = "text in the charset that the page declares" if not why else "a charset in a meta element"
        raise BadInput(f"{place} not {charset}{why}", where=where, expected=wanted) from None


def page_blocks(body: LexborNode) -> Iterator[Block]:
    """The blocks of a page in reading order."""
    flow = _Flow()
    stack = [(body, False)]
    while stack:
        node, leaving = stack.pop()
        tag = node.tag or ""
        if leaving:
            yield from flow.leave(tag)
        elif tag == _TEXT:
            flow.add(node.text_content or "")
        elif tag == "br":
            flow.add("\n", line=True)
        elif not _read(node):
            continue
        elif tag == "table" and (grid := _grid(node)) is not None:
            yield from flow.flush()
            caption = node.css_first("caption")
            lines = [*([squeeze(caption.text())] if caption is not None else []), *row_lines(grid)]
            yield from (Block(line, item=True) for line in lines if line)
        else:
            yield from flow.enter(tag)
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(_children(node)))
    yield from flow.flush()


class _Flow:
    """Text between two breaks, and how it is set."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.marks: list[str] = []
        self.styles: list[str] = []
        self.ranks: list[int] = []
        self.items = 0
        self.raised = 0

    def add(self, text: str, line: bool = False) -> None:
        """`line` says that a line break was meant; others are white space."""
        if not line:
            text = text.replace("\n", " ").replace("\r", " ")
        if self.raised and text.strip() and _TEN.search("".join(self.text[-2:])):
            text = "^" + text  # a power of ten is no longer number
        self.text.append(text)
        self.marks.append(next((look for look in _STRENGTH if look in self.styles), PLAIN) * len(text))

    def enter(self, tag: str) -> Iterator[Block]:
        if tag in _BREAKS:
            yield from self.flush()
        self.styles += [_LOOKS[tag]] if tag in _LOOKS else []
        self.ranks += [_RANKS[tag]] if tag in _RANKS else []
        self.items += tag == "li"
        self.raised += tag == "sup"

    def leave(self, tag: str) -> Iterator[Block]:
        if tag in _BREAKS:
            yield from self.flush()
        if tag in _LOOKS:
            self.styles.pop()
        if tag in _RANKS:
            self.ranks.pop()
        self.items -= tag == "li"
        self.raised -= tag == "sup"

    def flush(self) -> Iterator[Block]:
        """What has been gathered: one block, or one for each line where line breaks part sentences."""
        rank = self.ranks[-1] if self.ranks else 0
        gathered, marked = self.taken()
        start = 0
        for end in [*_ends(gathered), len(gathered)] if not rank else [len(gathered)]:
            text, marks = gathered[start:end], marked[start:end]
            whole = squeeze(text)
            if whole:
                look, lead = looks(text, marks)
                yield Block(whole, rank, look, len(squeeze(text[:lead])), self.items > 0)
            start = end

    def taken(self) -> tuple[str, str]:
        """What has been gathered, and its marks; the next text begins anew."""
        found = "".join(self.text), "".join(self.marks)
        self.text, self.marks = [], []
        return found


def _ends(text: str) -> Iterator[int]:
    """Line breaks that no sentence runs across."""
    for match in _LINE_BREAK.finditer(text):
        goes_on = text[match.end() : match.end() + 1].islower()
        if not goes_on or match["ended"] or match[0].count("\n") > 1:
            yield match.end()


def _children(node: LexborNode) -> list[LexborNode]:
    found = []
    child = node.child
    while child is not None:
        found.append(child)
        child = child.next
    return found


def _read(node: LexborNode) -> bool:
    """Whether an element is shown as text."""
    if not node.is_element_node or node.tag in _UNREAD:
        return False
    said = node.attributes
    style = re.sub(r"\s", "", said.get("style") or "").casefold()
    return "hidden" not in said and said.get("aria-hidden") != "true" and "display:none" not in style


def _grid(table: LexborNode) -> list[list[Cell | None]] | None:
    """The grid of a table; None where it only lays out the page: one column, or headings and lists in its cells."""
    rows = [row for row in table.css("tr") if _inside(row, table)]
    if table.attributes.get("role") == "presentation" or table.css_first("table table, h1, h2, h3, h4, h5, h6"):
        return None
    cells = [[_cell(c) for c in _children(row) if c.tag in ("td", "th") and _read(c)] for row in rows]
    if max((sum(c.columns for c in row) for row in cells), default=0) < 2:
        return None
    if any(len(c.text) > _CELL for row in cells for c in row):
        return None
    return spread(cells)


def _inside(row: LexborNode, table: LexborNode) -> bool:
    """Whether a row is this table's own, not that of a table in one of its cells."""
    above = row.parent
    while above is not None and above.tag != "table":
        above = above.parent
    return above is not None and above.mem_id == table.mem_id


def _cell(node: LexborNode) -> Cell:
    flow = _Flow()
    stack = [(node, False)]
    while stack:
        at, leaving = stack.pop()
        tag = at.tag or ""
        if tag == _TEXT:
            flow.add(at.text_content or "")
        elif tag == "br" or (leaving and tag in _BREAKS):
            flow.add(" ")
        elif leaving:
            list(flow.leave(tag))
        elif _read(at):
            list(flow.enter(tag)) if tag not in _BREAKS else flow.add(" ")
            stack.append((at, True))
            stack.extend((child, False) for child in reversed(_children(at)))
    above = node.parent.parent.tag if node.parent is not None and node.parent.parent is not None else ""
    text, marks = flow.taken()
    header = node.tag == "th" or above == "thead" or looks(text, marks) == (BOLD, 0)
    return Cell(squeeze(text), header, _span(node, "rowspan"), _span(node, "colspan"))


def _span(node: LexborNode, name: str) -> int:
    """How many places a cell covers; 1 for what is no number, as browsers take it."""
    said = (node.attributes.get(name) or "").strip()
    return max(1, min(int(said), MAX_CELLS)) if said.isascii() and said.isdigit() else 1
