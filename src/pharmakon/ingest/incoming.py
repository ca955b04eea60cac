"""What every format reader yields: a document with typed sections, the products it is about, and what was noticed."""

from __future__ import annotations

from dataclasses import dataclass

from pharmakon.model.documents import Document
from pharmakon.model.products import Product


@dataclass(frozen=True, slots=True)
class Incoming:
    """One document as read. `remarks`: a line for each thing a person should know (an image without text, a guess).

    `effective` is the day since which this version holds, as far as the publisher says it: "2014-06-16", "2014-06", "".

    A document that can't be read is a `BadInput` in its place: what, where, what was expected.
    """

    document: Document
    products: tuple[Product, ...] = ()
    remarks: tuple[str, ...] = ()
    effective: str = ""
