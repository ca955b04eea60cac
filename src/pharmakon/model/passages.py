"""Passages: the pieces of sections that are searched, and evidence from them."""

from __future__ import annotations

from dataclasses import dataclass

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
