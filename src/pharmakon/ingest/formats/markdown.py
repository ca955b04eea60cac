"""Labels in Markdown: headings, paragraphs, lists, pipe tables, and front matter that names the drug.

    ---
    drug: Zestril (lisinopril)      # or a list of names; a combination is "A and B"
    route: oral
    set_id: …
    version: 3
    ---

Without front matter the first heading of the first level names the drug. With `kind: encyclopaedia` in it the text is
an article, about no drug of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import yaml

from pharmakon.ingest.formats import about, encyclopaedia
from pharmakon.ingest.formats.encoding import decode
from pharmakon.ingest.formats.outline import Outline, incoming, language
from pharmakon.ingest.formats.plaintext import stated_product
from pharmakon.ingest.formats.spl.tables import Cell, table_lines
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.topics import OTHER, topic
from pharmakon.model.errors import BadInput

_FRONT = re.compile(r"---[ \t]*\n(?P<front>.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_KEYS = frozenset({"drug", "generic", "route", "set_id", "version", "lang", "title", "date", "kind"})
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<text>.*?))??(?:[ \t]+#+)?[ \t]*")
_SETEXT = re.compile(r" {0,3}(?P<mark>=+|-{2,})[ \t]*")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?P<text>\S.*)")
_DIVIDER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_CELL_END = re.compile(r"(?<!\\)\|")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IMAGE = re.compile(r"!\[(?P<text>[^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[(?P<text>[^\]]+)\](?:\([^)]*\)|\[[^\]]*\])")
_STRONG = re.compile(r"(?<![\w\\])(\*{1,3}|_{1,3})(?=\S)(?P<text>.+?)(?<=\S)\1(?!\w)")
_CODE = re.compile(r"`+([^`]+)`+")
_DRUG = re.compile(r"\Adrug ?: ?", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def read_markdown(data: bytes, where: str) -> Incoming:
    """The text in `data`; `where` is its path. BadInput: empty, no text, front matter that can't be read."""
    text, encoding = decode(data, where)
    stated, body, unknown = _front_matter(text, where)
    remarks = [*encoding, *(f"front matter: {key!r} is none of {', '.join(sorted(_KEYS))}" for key in unknown)]
    images = len(_IMAGE.findall(body))
    remarks += [f"image: {images} not read"] if images else []
    reader = _Reader(_COMMENT.sub("", body).split("\n"))
    reader.read()
    sections = reader.outline.sections()
    if stated.get("kind", encyclopaedia.KIND) != encyclopaedia.KIND:
        raise BadInput(f"front matter: kind {stated['kind']!r}", where=where, expected=encyclopaedia.KIND)
    if "kind" in stated:
        return encyclopaedia.article(
            encyclopaedia.as_article(sections), where, name=stated.get("set_id", "") or PurePath(where).stem,
            title=stated.get("title", "") or reader.title, version=stated.get("version", ""),
            lang=stated.get("lang", "").lower() or language(sections), effective=stated.get("date", ""),
            remarks=remarks,
        )  # fmt: skip
    product, guessed_by = stated_product({"drug": reader.title} if reader.stated and not stated else stated), None
    if product is None:
        product = about.from_title(reader.title)
        guessed_by = about.kind_of_title(product)
    if product is None:
        found = (about.from_sentence(section.text) for section in sections)
        product = next((one for one in found if one), None)
        guessed_by = "sentence"
        remarks += [f"product: {product.name} is taken from the first sentence"] if product else []
    return incoming(
        sections,
        (product,) if product else (),
        where,
        title=stated.get("title", "") or reader.title,
        set_id=stated.get("set_id", ""),
        version=stated.get("version", ""),
        lang=stated.get("lang", "").lower(),
        remarks=remarks,
        effective=stated.get("date", ""),
        guessed_by=guessed_by,
    )


def _front_matter(text: str, where: str) -> tuple[dict[str, str], str, list[str]]:
    """The keys that are known, the text below, and the keys that are not."""
    match = _FRONT.match(text)
    if not match:
        return {}, text, []
    expected = "lines such as drug: NAME between two lines of ---"
    try:
        front = yaml.load(match["front"], Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{where}:{mark.line + 2}" if mark else where
        raise BadInput(f"front matter: {getattr(error, 'problem', error)}", where=place, expected=expected) from None
    if front is not None and not isinstance(front, Mapping):
        raise BadInput("the front matter is no list of keys", where=where, expected=expected)
    named = {str(key).casefold().replace("-", "_").replace(" ", "_"): value for key, value in (front or {}).items()}
    stated = {key: _joined(value) for key, value in named.items() if key in _KEYS and _joined(value)}
    return stated, text[match.end() :], [key for key in named if key not in _KEYS]


def _joined(value: object) -> str:
    return ", ".join(str(one) for one in value).strip() if isinstance(value, list) else str(value or "").strip()


class _Reader:
    """Walks the lines of a body. `title` is the heading above all others, where it tells no section.

    `stated` says that it is written as the line that names the drug in plain text.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.outline = Outline()
        self.title = ""
        self.stated = False
        self._lines = lines
        self._paragraph: list[str] = []
        self._begun = False

    def read(self) -> None:
        at = 0
        while at < len(self._lines):
            at = self._step(at)
        self._close()

    def _step(self, at: int) -> int:
        """Read what begins at a line; the line after it."""
        line = self._lines[at]
        following = self._lines[at + 1] if at + 1 < len(self._lines) else ""
        if _FENCE.match(line):
            return self._fenced(at + 1)
        heading = _HEADING.fullmatch(line)
        setext = _SETEXT.fullmatch(line) if len(self._paragraph) == 1 else None
        if heading:
            self._close()
            self._heading(len(heading["marks"]), plain(heading["text"] or ""))
        elif setext:
            text = self._paragraph.pop()
            self._heading(1 if setext["mark"][0] == "=" else 2, text)
        elif not line.strip() or _RULE.fullmatch(line):
            self._close()
        elif "|" in line and _DIVIDER.fullmatch(following) and "|" in following:
            self._close()
            return self._table(at)
        elif item := _ITEM.fullmatch(line):
            self._close()
            self._paragraph.append(plain(item["text"]))
        else:
            self._paragraph.append(plain(line.strip().lstrip(">").strip()))
        return at + 1

    def _heading(self, level: int, text: str) -> None:
        first, self._begun = not self._begun, True
        if not text:
            return
        if first and level == 1 and topic("", text) == OTHER:
            self.title = _DRUG.sub("", text, count=1)
            self.stated = self.title not in ("", text)
        else:
            self.outline.heading(level, text)

    def _fenced(self, at: int) -> int:
        self._close()
        while at < len(self._lines) and not _FENCE.match(self._lines[at]):
            self.outline.line(self._lines[at])
            at += 1
        return at + 1

    def _table(self, at: int) -> int:
        head = _cells(self._lines[at])
        at += 2
        body: list[list[Cell]] = []
        while at < len(self._lines) and "|" in self._lines[at]:
            body.append(_cells(self._lines[at]))
            at += 1
        for line in table_lines([head], body):
            self.outline.line(line)
        return at

    def _close(self) -> None:
        if self._paragraph:
            self._begun = True
            self.outline.line(" ".join(self._paragraph))
            self._paragraph = []


def _cells(line: str) -> list[Cell]:
    inner = line.strip().removeprefix("|")
    parts = _CELL_END.split(inner)
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [Cell(plain(part.replace("\\|", "|").strip())) for part in parts]


def plain(text: str) -> str:
    """A line without its marks: emphasis, code, links and images leave their words.

    >>> plain("**Avoid** with [warfarin](w.html), `INR` > 3 * 2")
    'Avoid with warfarin, INR > 3 * 2'
    """
    text = _LINK.sub(r"\g<text>", _IMAGE.sub(r"\g<text>", text))
    text = _STRONG.sub(r"\g<text>", _STRONG.sub(r"\g<text>", text))
    return " ".join(_ESCAPED.sub(r"\1", _CODE.sub(r"\1", text)).replace("<br>", " ").replace("<br/>", " ").split())
