"""What every format reader yields: a document with typed sections, the products it is about, and what was noticed."""

from __future__ import annotations

from dataclasses import dataclass

from pharmakon.model.documents import Document
from pharmakon.model.products import Product


@dataclass(frozen=True, slots=True)
class Guess:
    """A loose text that does not say of what it is the label: whether it is one at all is for the names to decide.

    `by` is what its product was taken from: "generic" (a title such as "Zestril (lisinopril)"), "title", "sentence", or
    "" where nothing names a drug. `kinds` counts the kinds of section in it that hardly anything but a label has.
    """

    where: str  #: its path
    by: str
    kinds: int


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
    guess: Guess | None = None  #: None for what is a label by its form, or says which drug it is about
