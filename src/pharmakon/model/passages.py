"""Passages: the pieces of sections that are searched, and evidence from them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pharmakon.model.concepts import is_han
from pharmakon.model.documents import Evidence


@dataclass(frozen=True, slots=True)
class Passage:
    """`text` is `start:end` of its section's text, in code points; `no` is the store's number for it, in this state."""

    no: int
    document: str
    version: str
    kind: str  #: of the document: "our statement", "label", "encyclopaedia", ...
    lang: str
    title: str
    ord: int  #: of the section
    section: str  #: the section's kind, a key of the vocabulary
    heading: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """A passage and how well it matches; a higher `score` is better, comparable within one search only."""

    passage: Passage
    score: float


def quoted(passage: Passage, start: int, end: int, proposer: str) -> Evidence:
    """`passage.text[start:end]` as evidence, with its place in the section."""
    return Evidence(
        document=passage.document, version=passage.version, kind=passage.kind, section=passage.section,
        ord=passage.ord, start=passage.start + start, end=passage.start + end, quote=passage.text[start:end],
        proposer=proposer, title=passage.title,
    )  # fmt: skip


#: Most of a passage, in units of which a Latin letter is one and a Chinese character three: an embedder's tokens.
WIDTH = 1200
_HAN_WIDTH = 3
#: Where a text that is too long is parted, the best first.
_BREAKS = (re.compile(r"\n+"), re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])"), re.compile(r"\s+"))


def cut(text: str, width: int = WIDTH) -> Iterator[tuple[int, int]]:
    """(start, end) of the passages of a section: whole paragraphs where they fit, else sentences, else words.

    Nothing but blanks is left out, and no passage begins or ends with one.

    >>> [("One. Two.\\n\\nThree is longer."[a:b]) for a, b in cut("One. Two.\\n\\nThree is longer.", 18)]
    ['One. Two.', 'Three is longer.']
    """
    start: int | None = None
    end = 0
    for a, b in _pieces(text, 0, len(text), width, 0):
        if start is None:
            start, end = a, b
        elif _width(text, start, b) <= width:
            end = b
        else:
            yield start, end
            start, end = a, b
    if start is not None:
        yield start, end


def _pieces(text: str, start: int, end: int, width: int, level: int) -> Iterator[tuple[int, int]]:
    """The smallest parts that need not be parted further, without the blanks around them."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    if level == len(_BREAKS):
        step = max(1, width // _HAN_WIDTH)
        if _width(text, start, end) <= width:
            step = end - start
        yield from ((a, min(a + step, end)) for a in range(start, end, step))
        return
    if level and _width(text, start, end) <= width:
        yield start, end
        return
    at = start
    for match in _BREAKS[level].finditer(text, start, end):
        yield from _pieces(text, at, match.start(), width, level + 1)
        at = match.end()
    yield from _pieces(text, at, end, width, level + 1)


def _width(text: str, start: int, end: int) -> int:
    piece = text[start:end]
    if piece.isascii():
        return len(piece)
    return len(piece) + (_HAN_WIDTH - 1) * sum(map(is_han, piece))


def embedded_text(title: str, heading: str, text: str) -> str:
    """What is embedded of a passage: where it stands, and what it says."""
    return "\n".join(part for part in (title, heading, text) if part)


def text_hash(text: str) -> bytes:
    """16 bytes that tell texts apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
