"""What the structured part of a label says of its products."""

from __future__ import annotations

import pytest

from pharmakon.ingest.formats.spl import read_spl
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.concepts import Code
from pharmakon.model.products import Product
from tests.unit.ingest.spl_files import (
    NDC,
    TODAY,
    ingredient,
    label,
    marketing,
    p,
    package,
    part,
    product,
    route,
    section,
    thing,
)

USES = section("34067-9", "Uses", p("Pain."))


def incoming(*products: str) -> Incoming:
    return read_spl(label(USES, products="".join(products)), "a.xml", TODAY)


def only(given: str) -> Product:
    (found,) = incoming(given).products
    return found


def test_a_product_has_a_name_a_form_routes_and_codes() -> None:
    found = only(
        product(
            thing("Alphix", "<suffix>XR</suffix>", form="TABLET, FILM COATED", ndc="0001-0002", generic="alphadol"),
            route("ORAL", "C38288"),
        )
    )
    assert (found.name, found.generic, found.form) == ("Alphix XR", "alphadol", "TABLET, FILM COATED")
    assert (found.routes, found.codes, found.discontinued) == (("oral",), (Code("ndc", "0001-0002"),), False)


def test_each_strength_of_a_label_is_a_product() -> None:
    found = incoming(
        *(product(thing("Alphix", ingredient("alphadol", amount=f"{n} mg"))) for n in (10, 20, 40))
    ).products
    assert [f.substances[0].strength for f in found] == ["10 mg/1 tablet", "20 mg/1 tablet", "40 mg/1 tablet"]


def test_the_same_product_twice_is_one() -> None:
    assert len(incoming(product(thing("Alphix")), product(thing("Alphix"))).products) == 1


def test_a_combination_has_several_active_substances() -> None:
    found = only(
        product(
            thing(
                "Duo",
                ingredient("alphadol sodium", "ACTIB", "U1", "alphadol", "6.25 mg", "5 mL"),
                ingredient("betacin", "ACTIM", "U2", "betacin", "2.5 mg", "5 mL"),
                ingredient("gammacin", "ACTIR", "U3"),
                form="SYRUP",
            )
        )
    )
    assert [(s.name, s.active, s.strength) for s in found.substances] == [
        ("alphadol sodium", True, "6.25 mg/5 mL"),
        ("betacin", True, "2.5 mg/5 mL"),
        ("gammacin", True, ""),
    ]


def test_a_salt_and_its_moiety_keep_their_own_names_and_codes() -> None:
    (substance,) = only(
        product(thing("Alphix", ingredient("alphadol sodium", unii="U1", moiety="alphadol")))
    ).substances
    assert (substance.name, substance.codes) == ("alphadol sodium", (Code("unii", "U1"),))
    assert (substance.moiety, substance.moiety_codes) == ("alphadol", (Code("unii", "M-U1"),))


@pytest.mark.parametrize("cls", ["IACT", "CNTM", "ADJV", "COLR"])
def test_what_is_not_active_is_kept_because_people_are_allergic_to_it(cls: str) -> None:
    (substance,) = only(product(thing("Alphix", ingredient("PEANUT OIL", cls, "U9")))).substances
    assert (substance.name, substance.active, substance.codes) == ("PEANUT OIL", False, (Code("unii", "U9"),))


def test_a_kit_holds_nothing_itself_and_each_part_has_its_own_route() -> None:
    kit, pen, swab = incoming(
        product(
            thing(
                "Alphix Kit",
                part(thing("Alphix", ingredient("alphadol", amount="40 mg"), form="INJECTION"), route("SUBCUTANEOUS")),
                part(thing("Swab", ingredient("isopropyl alcohol"), form="SWAB"), route("TOPICAL")),
                form="KIT",
                ndc="0001-0009",
            )
        )
    ).products
    assert (kit.form, kit.substances, kit.routes, kit.codes) == ("KIT", (), (), (Code("ndc", "0001-0009"),))
    assert (pen.name, pen.routes, pen.substances[0].name) == ("Alphix", ("subcutaneous",), "alphadol")
    assert (swab.name, swab.routes) == ("Swab", ("topical",))


def test_parts_without_a_route_are_given_as_their_kit_is_and_end_with_it() -> None:
    kit, first, second = incoming(
        product(
            thing("Pack", part(thing("Alphix 10")), part(thing("Alphix 20")), form="KIT"),
            route("ORAL"),
            marketing("completed"),
        )
    ).products
    assert (kit.routes, first.routes, second.routes) == ((), ("oral",), ("oral",))
    assert [k.discontinued for k in (kit, first, second)] == [True, True, True]


def test_a_kit_inside_a_kit_gives_all_its_parts() -> None:
    inner = thing("Inner", part(thing("Alphix", ingredient("alphadol"))), form="KIT")
    assert [f.name for f in incoming(product(thing("Outer", part(inner), form="KIT"))).products] == [
        "Outer",
        "Inner",
        "Alphix",
    ]


@pytest.mark.parametrize("tag", ["manufacturedProduct", "manufacturedMedicine"])
def test_older_files_call_a_product_a_medicine(tag: str) -> None:
    assert only(product(thing("Alphix", ingredient("alphadol")), tag=tag)).substances[0].name == "alphadol"


@pytest.mark.parametrize("tag", ["containerPackagedProduct", "containerPackagedMedicine"])
def test_codes_of_packages_are_found_at_every_depth_and_under_both_names(tag: str) -> None:
    found = only(product(thing("Alphix", package("", package("0001-0002-03", tag=tag), tag=tag), ndc="0001-0002")))
    assert found.codes == (Code("ndc", "0001-0002"), Code("ndc", "0001-0002-03"))


def test_active_ingredients_in_the_manner_of_old_files_are_active() -> None:
    old = (
        "<activeIngredient><activeIngredientSubstance><name>alphadol</name></activeIngredientSubstance>"
        "</activeIngredient><inactiveIngredient><inactiveIngredientSubstance><name>lactose</name>"
        "</inactiveIngredientSubstance></inactiveIngredient>"
    )
    assert [(s.name, s.active) for s in only(product(thing("Alphix", old))).substances] == [
        ("alphadol", True),
        ("lactose", False),
    ]


def test_a_route_is_known_by_its_code_or_by_its_name_and_an_unknown_one_is_reported() -> None:
    assert only(product(thing("Alphix"), route("whatever", "C38288"))).routes == ("oral",)
    assert only(product(thing("Alphix"), route("Intravenous"))).routes == ("intravenous",)
    found = incoming(product(thing("Alphix"), route("TELEPATHIC", "C0")))
    assert found.products[0].routes == ()
    assert found.remarks == ("route: TELEPATHIC of Alphix is none of the vocabulary",)


@pytest.mark.parametrize(
    ("status", "high", "gone"),
    [
        ("active", "", False),
        ("active", "20991231", False),
        ("active", "2027", False),
        ("active", "20251231", True),
        ("active", "202602", True),
        ("active", "202603", False),
        ("completed", "", True),
    ],
)
def test_a_product_whose_marketing_has_ended_is_discontinued(status: str, high: str, gone: bool) -> None:
    assert only(product(thing("Alphix"), marketing(status, high))).discontinued is gone


def test_the_source_of_a_repackaged_product_is_reported() -> None:
    source = (
        '<asEquivalentEntity classCode="EQUIV"><definingMaterialKind>'
        f'<code code="0071-0156" codeSystem="{NDC}"/></definingMaterialKind></asEquivalentEntity>'
    )
    assert incoming(product(thing("Alphix", source))).remarks == ("repackaged: Alphix comes from ndc 0071-0156",)


def test_the_same_text_under_another_label_is_recognised_by_its_hash() -> None:
    one = read_spl(label(USES, products=product(thing("Alphix"))), "a.xml", TODAY)
    copy = read_spl(label(USES, ids='<setId root="other"/>', products=product(thing("Alphix, boxed"))), "b.xml", TODAY)
    assert one.document.hash == copy.document.hash
    assert one.document.id != copy.document.id


def test_a_label_without_structured_products_is_a_label() -> None:
    assert incoming().products == ()
