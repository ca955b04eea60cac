"""How long the names in a label may be: what is longer is no name, and would be shown and looked up like one.

Texts of sections have no such limit. The longest of 1,300 real labels: a product's name 108 characters, a generic name
131, a class 90, a title 147, an id 117, a version 64 (a hash).
"""

from __future__ import annotations

from collections.abc import Iterator

from pharmakon.ingest.incoming import Incoming
from pharmakon.model.errors import BadInput
from pharmakon.model.products import Product, Substance

#: Characters.
NAME = 500
TITLE = 2_000  #: a generic name too: it is made of the names of all ingredients
VERSION = 100
CODE = 100
LANGUAGE = 35  #: as long as RFC 5646 wants tags to be supported
IDENTITY = 1_000
#: How many in a label, and how many in a product.
PRODUCTS = 1_000
SUBSTANCES = 500
CODES = 5_000
_SHOWN = 40  #: characters of what is too long


def within_limits(incoming: Incoming, where: str) -> Incoming | BadInput:
    """`incoming`, or the refusal of a document that has more or longer names than any label; `where` is its file."""
    place = f"{where}, {incoming.document.id}" if len(incoming.document.id) <= CODE else where
    for what, text, most in _texts(incoming):
        if len(text) > most:
            begins = " ".join(text[:_SHOWN].split())
            complaint = f"{what} of {len(text):,} characters, which begins {begins!r}"
            return BadInput(complaint, where=place, expected=f"at most {most:,} characters")
    for what, count, most in _counts(incoming):
        if count > most:
            return BadInput(f"{count:,} {what}", where=place, expected=f"at most {most:,}")
    return incoming


def _texts(incoming: Incoming) -> Iterator[tuple[str, str, int]]:
    document = incoming.document
    yield "a version", document.version, VERSION
    yield "a title", document.title, TITLE
    yield "a language", document.lang, LANGUAGE
    yield "a date", incoming.effective, VERSION
    yield "an id", document.id, IDENTITY
    for product in incoming.products:
        yield "a product's name", product.name, NAME
        yield "a generic name", product.generic, TITLE
        yield "a form", product.form, NAME
        yield from (("a class", name, NAME) for name in product.classes)
        yield from (("a code", code.value, CODE) for code in product.codes)
        for substance in product.substances:
            yield from _of_substance(substance)


def _of_substance(substance: Substance) -> Iterator[tuple[str, str, int]]:
    yield "a substance's name", substance.name, NAME
    yield "a moiety's name", substance.moiety, NAME
    yield "a strength", substance.strength, NAME
    yield from (("a code", code.value, CODE) for code in (*substance.codes, *substance.moiety_codes))


def _counts(incoming: Incoming) -> Iterator[tuple[str, int, int]]:
    yield "products in one label", len(incoming.products), PRODUCTS
    for product in incoming.products:
        yield "substances in one product", len(product.substances), SUBSTANCES
        yield "codes of one product", _codes(product), CODES


def _codes(product: Product) -> int:
    return len(product.codes) + sum(len(s.codes) + len(s.moiety_codes) for s in product.substances)
