"""Articles for the public: questions with answers (the XML of MedQuAD) and health topics (the XML of MedlinePlus).

An article is about no drug of its own, so nothing is extracted from it; it is stored to be searched and quoted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from pharmakon.ingest.formats.blocks import Block
from pharmakon.ingest.formats.html import page_blocks
from pharmakon.ingest.formats.spl.xml import Element, child, children, local, parse, words
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.concepts import fold
from pharmakon.model.documents import Document, Section
from pharmakon.model.errors import BadInput
from pharmakon.model.tables import read_table

KIND = "encyclopaedia"
OTHER = "other"
_FIRST = "overview"
_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")
_LANGUAGES = {"english": "en", "spanish": "es", "dutch": "nl", "chinese": "zh"}
_BEFORE_MARK = re.compile(r"\s+(?=[?.!,;:])")


def read_answers(data: bytes, where: str) -> Incoming:
    """The article in a file of MedQuAD: each question is a heading, its answer the section below it.

    Raises `BadInput` for what is no XML, for a file without questions, and where no question has an answer: some of
    the published collections leave them out.
    """
    root = parse(data, where)
    pairs = list(root.iter("{*}QAPair"))
    if not pairs:
        raise BadInput("there are no questions in it", where=where, expected="Document/QAPairs/QAPair")
    sections: list[Section] = []
    for pair in pairs:
        question, answer = child(pair, "Question"), child(pair, "Answer")
        text = paragraphs(words(answer)) if answer is not None else ""
        if question is None or not text:
            continue
        heading = _BEFORE_MARK.sub("", _line(words(question)))
        kind = _knowledge()["qtypes"].get((question.get("qtype") or "").strip().casefold()) or kind_of(heading)
        sections.append(Section(len(sections), kind, heading, text))
    focus = child(root, "Focus")
    title = _line(words(focus)) if focus is not None else ""
    missing = len(pairs) - len(sections)
    remarks = [f"questions without an answer: {missing}"] if missing and sections else []
    number = "-".join(part for part in (root.get("source"), root.get("id")) if part)
    return article(sections, where, name=number, title=title, remarks=remarks)


def read_topics(data: bytes, where: str) -> Iterator[Incoming | BadInput]:
    """The articles in a file of MedlinePlus health topics: the whole vocabulary, a part, or an answer of its service.

    A topic without a summary is a `BadInput` in its place. Raises `BadInput` for what is no XML or has no topics.
    """
    root = parse(data, where, doctype=True)
    topics = [root] if local(root) == "health-topic" else list(root.iter("{*}health-topic"))
    if not topics:
        raise BadInput("there are no topics in it", where=where, expected="health-topics/health-topic")
    for topic in topics:
        try:
            yield _topic(topic, where)
        except BadInput as error:
            yield error


def _topic(topic: Element, where: str) -> Incoming:
    summary = child(topic, "full-summary")
    sections = _sections(_markup(summary)) if summary is not None else []
    also = [_line(words(name)) for name in children(topic, "also-called")]
    if sections and also:
        sections.append(Section(len(sections), _FIRST, "Also called", "\n".join(also)))
    title, number = (topic.get("title") or "").strip(), (topic.get("id") or "").strip()
    language = (topic.get("language") or "").strip().casefold()
    name = f"medlineplus-{number}" if number else topic.get("url") or title
    place = f"{where}, topic {title or number}"
    return article(sections, place, name=name, title=title, lang=_LANGUAGES.get(language, language or "en"))


def article(
    sections: Sequence[Section], where: str, *, name: str, title: str, lang: str = "en", version: str = "",
    effective: str = "", remarks: Iterable[str] = (),
) -> Incoming:  # fmt: skip
    """An article of these sections; `name` is what its next version shares. Without a version its hash is the version.

    Raises `BadInput` where it has no text.
    """
    if not any(section.text for section in sections):
        raise BadInput("the article has no text", where=where, expected="text, or questions with answers")
    digest = hashlib.sha256("\x00".join(t for s in sections for t in (s.heading, s.text)).encode()).hexdigest()
    slug = fold(name or title).replace(" ", "-") or digest[:12]
    shown = title or next((s.heading for s in sections if s.heading), slug)
    document = Document(f"{KIND}:{slug}", version or digest, KIND, lang, shown, digest, tuple(sections))
    return Incoming(document, (), tuple(remarks), effective)


def kind_of(heading: str, above: str = OTHER) -> str:
    """The section kind that a heading of an article tells, else that of the section `above` it.

    >>> kind_of("What are the symptoms of gout?"), kind_of("Gout"), kind_of("Voeding", "treatment")
    ('symptoms', 'other', 'lifestyle')
    """
    return next((kind for kind, pattern in _headings() if pattern.search(heading)), above)


def as_article(sections: Sequence[Section]) -> list[Section]:
    """Sections whose kinds a reader of labels chose, with those that their headings tell in an article."""
    path: list[Section] = []
    found: list[Section] = []
    for section in sections:
        path = [above for above in path if above.level < section.level]
        above = path[-1].kind if path else _FIRST if not found else OTHER
        path.append(replace(section, kind=kind_of(section.heading, above)))
        found.append(path[-1])
    return found


def _sections(markup: str) -> list[Section]:
    """A summary's blocks as sections; what stands before the first heading is the overview."""
    body = LexborHTMLParser(markup).body
    blocks: list[Block] = list(page_blocks(body)) if body is not None else []
    parts: list[tuple[str, list[str]]] = [("", [])]
    for block in blocks:
        if block.rank:
            parts.append((block.text, []))
        else:
            parts[-1][1].append(block.text)
    filled = [(heading, "\n".join(lines)) for heading, lines in parts if lines]
    return [Section(i, kind_of(h) if h else _FIRST, h, text) for i, (h, text) in enumerate(filled)]


def _markup(summary: Element) -> str:
    """HTML, whether it is written as text with its brackets escaped or as elements."""
    if len(summary) == 0:
        return summary.text or ""
    return (summary.text or "") + "".join(etree.tostring(e, encoding="unicode") for e in summary)


def paragraphs(text: str) -> str:
    """One line for each paragraph."""
    return "\n".join(line for part in _PARAGRAPHS.split(text) if (line := _line(part)))


def _line(text: str) -> str:
    return " ".join(text.split())


@cache
def _headings() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((k, re.compile("|".join(p), re.IGNORECASE)) for k, p in _knowledge()["headings"].items())


@cache
def _knowledge() -> dict[str, Any]:
    return read_table("pharmakon.ingest.formats", "encyclopaedia.toml")
