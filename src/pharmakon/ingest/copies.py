"""One text under many names: thousands of labels are repackagers' copies, and a copy is no second source (KB-7)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pharmakon.ingest.structured import with_products
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Document, Section
from pharmakon.model.products import Product
from pharmakon.model.vocabulary import section_kinds

#: What differs between copies and says nothing of the drug: who packs it, in what, and how the package looks.
_PACKING = frozenset({"supply", "composition"})


def source_hash(document: Document, subjects: Iterable[ConceptId]) -> str:
    """The same for two documents that say the same of the same drugs to clinicians, white space and case aside."""
    digest = hashlib.sha256("\n".join(sorted(subjects)).encode())
    for section in document.sections:
        if not section_kinds()[section.kind].reader and section.kind not in _PACKING:
            digest.update(f"\0{section.kind}\0{' '.join(section.text.split()).casefold()}".encode())
    return digest.hexdigest()


def copy_of(document: Document, original: str, products: Sequence[Product]) -> Document:
    """What is kept of a copy: its products, whose names and codes are its own, and a pointer to the text."""
    pointer = Section(0, "other", "Text", f"The text is that of {original}.")
    return with_products(replace(document, hash=hash_of_copies(document.hash), sections=(pointer,)), products)


def hash_of_copies(original: str) -> str:
    """What stands in the place of the hash of a document that repeats the text with the hash `original`."""
    return f"copy of {original}"
