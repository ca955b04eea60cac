"""The structured part of a label as text, so that what it states can be quoted like everything else (KB-3).

One line a statement: the product with its form and routes, each substance with its strength and codes, each class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pharmakon.model.documents import Document, Section
from pharmakon.model.products import Product, Substance

KIND = "composition"
HEADING = "Products, as the label's data elements state them"


def with_products(document: Document, products: Sequence[Product]) -> Document:
    """`document` with a last section that holds `products`; unchanged where there are none."""
    text = "\n".join(dict.fromkeys(line for product in products for line in product_lines(product)))
    if not text:
        return document
    place = max((s.ord for s in document.sections), default=-1) + 1
    return replace(document, sections=(*document.sections, Section(place, KIND, HEADING, text)))


def product_lines(product: Product) -> Iterator[str]:
    parts = [product.name or product.generic or "Product"]
    parts += [f"generic name {product.generic}"] if product.generic and product.name else []
    parts += [product.form] if product.form else []
    yield ", ".join(parts) + ("; no longer marketed" if product.discontinued else "")
    if product.routes:
        yield f"{product.name or product.generic}, routes: {', '.join(product.routes)}"
    for substance in product.substances:
        yield substance_line(substance)
    for name in product.classes:
        yield class_line(name)


def substance_line(substance: Substance) -> str:
    """The line that states one substance: what a composition is quoted from."""
    role = "active" if substance.active else "inactive"
    moiety = f" (moiety {substance.moiety})" if substance.moiety and substance.moiety != substance.name else ""
    strength = f", {substance.strength}" if substance.strength else ""
    codes = "".join(f", {c.system.upper()} {c.value}" for c in substance.codes)
    return f"{role}: {substance.name}{moiety}{strength}{codes}"


def class_line(name: str) -> str:
    return f"class: {name}"
