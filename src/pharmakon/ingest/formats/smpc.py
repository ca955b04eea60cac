"""European product information: blocks of a page → sections of a document.

A summary of product characteristics is told by its section numbers, a package leaflet by its six questions, labelling
by what opens it. One file may hold all of them, and several summaries, one for each strength: it is one document, and a
section that repeats an earlier one word for word stands in it once. Summaries are for clinicians; leaflets and
labelling keep the kinds that support no finding. A page that is none of these has sections by its headings.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pharmakon.ingest.formats.blocks import Block
from pharmakon.ingest.formats.smpc_languages import UNKNOWN, conjunctions, detect, languages, unknown
from pharmakon.ingest.formats.smpc_products import leaflet_products, summary_products
from pharmakon.ingest.formats.smpc_sections import LEAFLET, LONGEST, PAGE, SUMMARY, Reader, once, speak
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.concepts import fold
from pharmakon.model.documents import Document, Section
from pharmakon.model.errors import BadInput
from pharmakon.model.products import Product

__all__ = ["Source", "arrange", "conjunctions"]

_DOCUMENTS = {SUMMARY: "label", LEAFLET: "leaflet", PAGE: "page"}
_EU_NUMBER = re.compile(r"\bEU/\d/\d{2}/\d{3,4}\b")


@dataclass(frozen=True, slots=True)
class Source:
    """What the file says about itself: `where` it is, its `title` and declared `lang` ("" where it does not say)."""

    where: str
    title: str = ""
    lang: str = ""


def arrange(blocks: Sequence[Block], source: Source, remarks: tuple[str, ...] = ()) -> Incoming:
    """The document made of `blocks`, and its products as far as they can be read plainly.

    Raises `BadInput` where there is no text.
    """
    code = detect(blocks, source.lang)
    language = languages().get(code, unknown())
    reader = Reader(language, blocks)
    for block in blocks:
        reader.read(block)
    speak(reader.sections)
    sections, repeats = once(reader.sections)
    if not any(section.text for section in sections):
        raise BadInput("there is no text", where=source.where, expected="a page with paragraphs")
    noticed = [*remarks, *_noticed(reader, repeats, code, source)]
    if reader.summaries:
        products, doubts = summary_products(reader.summaries, language)
    elif reader.leaflet:
        products, doubts = leaflet_products(reader.leaflet, language)
    else:
        products, doubts = (), ()
    kind = SUMMARY if reader.summaries else LEAFLET if reader.leaflet else PAGE
    title = source.title.strip() or (products[0].name if products else "") or _first_heading(sections)
    digest = hashlib.sha256("\x00".join(t for s in sections for t in (s.heading, s.text)).encode()).hexdigest()
    identity = _identity(kind, code, sections, products, source)
    document = Document(identity, digest[:12], _DOCUMENTS[kind], code, title, digest, sections)
    return Incoming(document, tuple(products), (*noticed, *doubts))


def _noticed(reader: Reader, repeats: int, code: str, source: Source) -> Iterable[str]:
    declared = re.split(r"[-_]", source.lang)[0].lower()
    if code == UNKNOWN:
        yield "the language could not be told"
    elif code not in languages():
        yield f"headings in {code} are not known; sections are told by their numbers"
    elif declared and declared != code:
        yield f"declared to be in {declared}, reads as {code}"
    if len(reader.summaries) > 1:
        yield "several summaries of product characteristics in one file: one document"
    if repeats:
        yield "sections that repeat an earlier one word for word are kept once"


def _first_heading(sections: Sequence[Section]) -> str:
    said = (line for s in sections for line in (s.heading, *s.text.splitlines()) if line)
    return next(said)[:LONGEST]


def _identity(kind: str, code: str, document: Sequence[Section], products: Sequence[Product], source: Source) -> str:
    """What the next version shares: the number of the authorisation, else the product, else the title, else the file.

    Pages that are neither a summary nor a leaflet share titles too easily, and go by their file.
    """
    numbers = [m[0] for s in document for m in _EU_NUMBER.finditer(s.text)] if kind == SUMMARY else []
    stem = PurePath(source.where).stem
    said = [*numbers, *(p.name for p in products), source.title, stem] if kind != PAGE else [stem, source.title]
    slugs = (fold(text).replace(" ", "-") for text in said)
    return f"{_DOCUMENTS[kind]}:{next((s for s in slugs if s), 'untitled')}-{code}"
