"""One SPL file as an `Incoming`: the document with its sections, the products, and what a person should know."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import date

from pharmakon.ingest.formats.spl.products import read_products
from pharmakon.ingest.formats.spl.sections import read_sections
from pharmakon.ingest.formats.spl.text import read_line
from pharmakon.ingest.formats.spl.xml import NAMESPACE, Element, attribute, child, is_label_root, knowledge, parse
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.concepts import fold
from pharmakon.model.documents import Document, Section
from pharmakon.model.errors import BadInput
from pharmakon.model.products import Product

KIND = "label"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def read_spl(data: bytes, where: str, as_of: date | None = None) -> Incoming:
    """The label in `data`; `where` is what complaints call it.

    `as_of` (today where it is left out): a product whose marketing ended before that day is discontinued.

    BadInput: no XML or cut off, entities, not of HL7 v3, a type of document that is no label (indexing, registrations,
    drugs for animals), no identity, no sections.
    """
    root = parse(data, where)
    if not is_label_root(root):
        raise BadInput(f"the root is {root.tag[:80]!r}", where=where, expected=f"a document of {NAMESPACE}")
    refused = knowledge()["refused"].get(attribute(root, "code", "code"))
    if refused:
        raise BadInput(f"this is {refused}", where=where, expected="a label of a drug for people")
    try:
        body = read_sections(root)
        products, noticed = read_products(root, as_of or date.today())
    except RecursionError:  # the parser lets 256 elements nest; labels nest eighteen
        raise BadInput("elements or entities nest without end", where=where, expected="XML of a label") from None
    except BadInput as error:
        raise error.within(where) from None
    if not body.sections:
        raise BadInput(
            "the label has no sections with text", where=where, expected="component/structuredBody/…/section"
        )
    digest = hashlib.sha256("\x00".join(t for s in body.sections for t in (s.heading, s.text)).encode()).hexdigest()
    document_id = attribute(root, "root", "id").lower()
    set_id = attribute(root, "root", "setId").lower() or document_id
    if not set_id:
        raise BadInput("the label has neither a set id nor an id", where=where, expected="setId with a root")
    document = Document(
        f"label:{set_id}",
        attribute(root, "value", "versionNumber") or document_id or digest,
        KIND,
        _language(root),
        _title(read_line(child(root, "title")), products, body.sections),
        digest,
        tuple(body.sections),
    )
    return Incoming(document, products, (*body.remarks, *noticed), _effective(root))


def _effective(root: Element) -> str:
    """The day of this version: a date, a month (YYYYMM), or the date of a timestamp; "" for anything else."""
    written = re.match(r"(\d{4})(\d\d)?(\d\d)?", attribute(root, "value", "effectiveTime"))
    return "-".join(part for part in written.groups() if part) if written else ""


def _language(root: Element) -> str:
    """The primary subtag ("en-US" is en) of xml:lang, else of languageCode; English where nothing is said."""
    written = root.get(_LANG) or attribute(root, "code", "languageCode")
    return re.split(r"[-_]", written.strip())[0].lower() or "en"


def _title(written: str, products: Sequence[Product], sections: Sequence[Section]) -> str:
    """The title without the sentence that every label with highlights has; the first product where that is all."""
    rules = knowledge()["titles"]
    title = re.sub(rules["before"], "", written, count=1).strip()
    title = re.sub(rules["after"], "", title).strip()
    if title and title.casefold() not in rules["empty"]:
        return title
    for product in products:
        brand, generic = product.name, product.generic
        if brand and generic and fold(generic) != fold(brand):
            return f"{brand} ({generic})"
        if brand or generic:
            return brand or generic
    return written or next((s.heading for s in sections if s.heading), "label")
