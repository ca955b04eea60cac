"""The structured part of a label: quoted like text, and silent on what has been written by hand."""

from __future__ import annotations

from pharmakon.extract.structured import structured
from pharmakon.ingest.structured import with_products
from pharmakon.link.names import Finder
from pharmakon.link.products import identify
from pharmakon.model.concepts import Concept
from pharmakon.model.documents import Document, check_quote
from pharmakon.model.products import Product, Substance
from pharmakon.model.statements import Statement
from tests.unit.link.lexicon import Words, concept

WORDS = Words(
    (
        concept("ingredient:amlodipine", "amlodipine"),
        Concept(concept("ingredient:kelpin", "kelpin").id, concept("ingredient:kelpin", "kelpin").names, (), "thin"),
        concept("class:calcium-channel-blocker", "calcium channel blocker"),
    )
)
DOCUMENT = Document("label:1", "3", "label", "en", "x", "h", ())


def made(*products: Product) -> tuple[Document, list[Statement]]:
    document = with_products(DOCUMENT, products)
    finder = Finder(WORDS)
    return document, structured(document, products, identify(document.id, products, finder, lambda _: None), finder)


def test_each_statement_quotes_the_line_that_states_it() -> None:
    both = (Substance("AMLODIPINE BESYLATE", True, "5 mg", moiety="amlodipine"), Substance("kelpin", True, "2 mg"))
    document, found = made(Product("Duo", substances=both))
    assert {(s.relation, s.object) for s in found} == {
        ("has_ingredient", "ingredient:amlodipine"),
        ("has_ingredient", "ingredient:kelpin"),
    }
    for statement in found:
        check_quote(document.sections[statement.evidence[0].ord], statement.evidence[0])


def test_classes_and_routes_are_added_to_what_nobody_has_written_about() -> None:
    product = Product("Kelp", routes=("oral",), substances=(Substance("kelpin", True),),
                      classes=("Calcium Channel Blocker [EPC]", "A Thing [MoA]", "Sulfonamides [CS]"))  # fmt: skip
    _, found = made(product)
    assert {(s.relation, s.object) for s in found} == {
        ("belongs_to", "class:calcium-channel-blocker"),
        ("given_by", None),
    }


def test_a_monograph_written_by_hand_keeps_its_own_classes() -> None:
    product = Product("Norv", routes=("oral",), substances=(Substance("amlodipine", True),),
                      classes=("Calcium Channel Blocker [EPC]",))  # fmt: skip
    assert made(product)[1] == []


def test_a_document_without_products_stays_as_it_is() -> None:
    assert with_products(DOCUMENT, ()) is DOCUMENT
