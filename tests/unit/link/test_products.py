"""A label's products: which concepts they are, and what has to be asked of a person."""

from __future__ import annotations

from pharmakon.link.names import Finder
from pharmakon.link.products import Identified, identify
from pharmakon.model.concepts import Code, ConceptId
from pharmakon.model.products import Product, Substance
from tests.unit.link.lexicon import Words, concept

UNII = {"warfarin": Code("unii", "5Q7ZVV76EI"), "amlodipine": Code("unii", "1J444QC288")}
WORDS = Words(
    (
        concept("ingredient:warfarin", "warfarin", brands=["Coumadin"], codes=[UNII["warfarin"]]),
        concept("ingredient:amlodipine", "amlodipine", codes=[UNII["amlodipine"]]),
        concept("ingredient:valsartan", "valsartan"),
        concept("drug:amlodipine-valsartan", "amlodipine and valsartan", brands=["Exforge"]),
    )
)


def identified(*products: Product) -> Identified:
    known = {frozenset(map(ConceptId, ("ingredient:amlodipine", "ingredient:valsartan"))): "drug:amlodipine-valsartan"}
    return identify("label:x", products, Finder(WORDS), lambda ids: ConceptId(known[ids]) if ids in known else None)


def names(found: Identified, id: str) -> set[tuple[str, str]]:
    return {(n.text, n.kind) for c in found.concepts if c.id == id for n in c.names}


def test_a_code_is_enough_and_the_salt_becomes_a_name() -> None:
    salt = Substance("WARFARIN SODIUM", True, moiety="WARFARIN", moiety_codes=(UNII["warfarin"],))
    found = identified(Product("Jantoven", "warfarin sodium", substances=(salt,)))
    assert found.subjects == ("ingredient:warfarin",)
    assert {("warfarin sodium", "salt"), ("Jantoven", "brand")} <= names(found, found.subjects[0])
    assert found.doubts == ()


def test_a_name_is_enough_where_there_is_no_code() -> None:
    assert identified(Product("", substances=(Substance("Valsartan", True),))).subjects == ("ingredient:valsartan",)


def test_a_generic_product_name_is_no_brand() -> None:
    found = identified(Product("Warfarin Sodium", substances=(Substance("warfarin", True),)))
    assert ("Warfarin Sodium", "brand") not in names(found, "ingredient:warfarin")


def test_a_known_combination_is_found_by_its_ingredients() -> None:
    both = (Substance("amlodipine", True, "5 mg"), Substance("valsartan", True, "160 mg"))
    found = identified(Product("Exforge", substances=both))
    assert found.subjects == ("drug:amlodipine-valsartan", "ingredient:amlodipine", "ingredient:valsartan")
    assert [(c.ingredient, c.strength) for c in found.composition] == [
        ("ingredient:amlodipine", "5 mg"),
        ("ingredient:valsartan", "160 mg"),
    ]


def test_inactive_substances_are_no_subject() -> None:
    lactose = Substance("LACTOSE MONOHYDRATE", False)
    assert identified(Product("x", substances=(Substance("valsartan", True), lactose))).subjects == (
        "ingredient:valsartan",
    )


def test_an_unknown_substance_becomes_a_concept_with_the_labels_codes() -> None:
    code = Code("unii", "ZZ00000000")
    found = identified(Product("Zorvex", substances=(Substance("ZORVEXIN HYDROCHLORIDE", True, moiety="ZORVEXIN",
                                                              moiety_codes=(code,)),)))  # fmt: skip
    (new,) = found.concepts
    assert (new.id, new.codes) == ("ingredient:zorvexin", (code,))
    assert names(found, new.id) == {
        ("zorvexin", "preferred"), ("zorvexin hydrochloride", "salt"), ("Zorvex", "brand"),
    }  # fmt: skip


def test_a_name_that_says_another_concept_than_the_code_is_put_before_a_person() -> None:
    odd = Substance("valsartan", True, moiety_codes=(UNII["warfarin"],))
    found = identified(Product("x", substances=(odd,)))
    assert found.subjects == ("ingredient:warfarin",)
    assert [(u.name, u.candidates) for u in found.doubts] == [("valsartan", ("ingredient:valsartan",))]
    assert ("valsartan", "salt") not in names(found, "ingredient:warfarin")


def test_a_near_name_is_another_substance() -> None:
    assert identified(Product("x", substances=(Substance("warfarine", True),))).subjects == ("ingredient:warfarine",)
