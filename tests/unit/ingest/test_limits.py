"""What is too long to be a name is refused, with what it is and how long; what real labels have comes in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.limits import CODE, IDENTITY, NAME, PRODUCTS, SUBSTANCES, TITLE, VERSION, within_limits
from pharmakon.ingest.read import read_path
from pharmakon.model.concepts import Code
from pharmakon.model.documents import Document, Section
from pharmakon.model.errors import BadInput
from pharmakon.model.products import Product, Substance

DOCUMENT = Document(
    "label:x", "1", "label", "en", "X", "hash", (Section(0, "warnings", "Warnings", "Care. " * 10_000),)
)


def refusal(document: Document = DOCUMENT, *products: Product, effective: str = "") -> str:
    found = within_limits(Incoming(document, products, effective=effective), "a.xml")
    return str(found) if isinstance(found, BadInput) else ""


@pytest.mark.parametrize(
    ("document", "what"),
    [
        (replace(DOCUMENT, version="9" * (VERSION + 1)), "a version of 101 characters"),
        (replace(DOCUMENT, title="x" * 100_000), "a title of 100,000 characters"),
        (replace(DOCUMENT, id="label:" + "x" * IDENTITY), "an id of 1,006 characters"),
        (replace(DOCUMENT, lang="x" * 1_000), "a language of 1,000 characters"),
    ],
)
def test_a_document_with_an_endless_name_is_refused_in_a_short_line(document: Document, what: str) -> None:
    refused = refusal(document)
    assert refused.startswith("a.xml")
    assert f": {what}, which begins " in refused
    assert len(refused) < 200
    assert "\n" not in refused


@pytest.mark.parametrize(
    ("product", "what"),
    [
        (Product("x" * 100_000), "a product's name of 100,000 characters"),
        (Product("x", generic="x" * (TITLE + 1)), "a generic name of 2,001 characters"),
        (Product("x", form="x" * (NAME + 1)), "a form of 501 characters"),
        (Product("x", classes=("x" * (NAME + 1),)), "a class of 501 characters"),
        (Product("x", codes=(Code("ndc", "1" * (CODE + 1)),)), "a code of 101 characters"),
        (Product("x", substances=(Substance("x" * 100_000, True),)), "a substance's name of 100,000 characters"),
        (Product("x", substances=(Substance("x", True, strength="1" * 501),)), "a strength of 501 characters"),
        (Product("x", substances=(Substance("x", True),) * (SUBSTANCES + 1)), "501 substances in one product"),
    ],
)
def test_a_product_with_an_endless_name_is_refused(product: Product, what: str) -> None:
    assert what in refusal(DOCUMENT, product)


def test_more_products_than_a_label_has_are_refused() -> None:
    assert "1,001 products in one label" in refusal(DOCUMENT, *[Product("x")] * (PRODUCTS + 1))


def test_a_long_text_is_no_long_name() -> None:
    assert refusal(DOCUMENT, Product("x" * NAME, "x" * TITLE)) == ""


def test_a_record_with_an_endless_name_is_refused_and_the_others_come_in(tmp_path: Path) -> None:
    def record(set_id: str, name: str) -> dict[str, object]:
        return {"set_id": set_id, "warnings": ["Care."], "openfda": {"brand_name": [name], "generic_name": [name]}}

    path = tmp_path / "part.json"
    path.write_text(json.dumps({"results": [record("a", "Examplin"), record("b", "x" * 100_000), record("c", "Y")]}))
    first, second, third = read_path(path)
    assert isinstance(first, Incoming)
    assert isinstance(third, Incoming)
    assert isinstance(second, BadInput)
    assert second.where == f"{path}, label:b"


@pytest.mark.parametrize("front", ["drug: {}", "drug: x\nversion: {}", "drug: x\ntitle: {}"])
def test_front_matter_with_an_endless_name_is_refused(tmp_path: Path, front: str) -> None:
    (tmp_path / "a.md").write_text(f"---\n{front.format('x' * 100_000)}\n---\n# Warnings\n\nCare.\n")
    (found,) = read_path(tmp_path / "a.md")
    assert isinstance(found, BadInput)
    assert len(str(found)) < 300
