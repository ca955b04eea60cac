"""The products of openFDA records: what the block, the data elements and the first sentence say they are."""

from __future__ import annotations

import pytest

from pharmakon.ingest.formats.openfda.products import from_data_elements, moiety
from pharmakon.model.concepts import Code
from tests.unit.ingest.openfda_records import BLOCK, product, read_one, record


def test_the_code_of_the_block_is_that_of_the_substance() -> None:
    found = product(BLOCK)
    (substance,) = found.substances
    assert (substance.name, substance.codes) == ("EXAMPLIN SODIUM", (Code("unii", "ABC123DEF4"),))
    assert (substance.moiety, substance.moiety_codes) == ("EXAMPLIN", ())
    assert (found.name, found.generic, found.routes) == ("Exampla", "EXAMPLIN", ("oral",))
    assert found.classes == ("Example Inhibitor [EPC]",)
    assert found.codes == (Code("ndc", "1-2"), Code("rxnorm", "111"), Code("rxnorm", "222"))


@pytest.mark.parametrize(
    ("substance", "generic", "elements", "expected"),
    [
        ("EXAMPLIN SODIUM", "EXAMPLIN SODIUM", "", ""),
        ("EXAMPLIN SODIUM", "EXAMPLIN SODIUM", "Exampla examplin EXAMPLIN SODIUM EXAMPLIN STARCH, CORN", "EXAMPLIN"),
        ("EXAMPLIN", "EXAMPLIN", "Exampla examplin EXAMPLIN EXAMPLIN STARCH, CORN", ""),
        ("EXAMPLIN CALCIUM TRIHYDRATE", "EXAMPLIN CALCIUM", "", ""),
        ("POTASSIUM CHLORIDE", "POTASSIUM", "", ""),
        ("INSULIN LISPRO", "INSULIN", "", ""),
    ],
)
def test_a_moiety_is_named_only_where_the_label_says_it(
    substance: str, generic: str, elements: str, expected: str
) -> None:
    assert moiety(substance, [generic], elements) == expected


def test_the_codes_of_a_combination_are_given_to_none_of_its_substances() -> None:
    block = {**BLOCK, "generic_name": ["A AND B"], "substance_name": ["A", "B"], "unii": ["1", "2"]}
    found = read_one(record(block, warnings="One."))
    (one,) = found.products
    assert [(s.name, s.codes) for s in one.substances] == [("A", ()), ("B", ())]
    assert any("UNII" in remark for remark in found.remarks)


def test_a_block_without_substances_names_them_in_the_generic_name() -> None:
    block = {"brand_name": ["Exampla"], "generic_name": ["DROSPIRENONE AND ETHINYL ESTRADIOL"]}
    assert [s.name for s in product(block).substances] == ["DROSPIRENONE", "ETHINYL ESTRADIOL"]


def test_products_with_generic_names_of_their_own_are_apart() -> None:
    block = {
        **BLOCK,
        "brand_name": ["X", "Y"],
        "generic_name": ["AA", "BB"],
        "substance_name": ["AA HCL", "BB"],
        "unii": ["1", "2"],
    }
    found = read_one(record(block, warnings="One.")).products
    assert [(p.name, [s.name for s in p.substances]) for p in found] == [("X", ["AA HCL"]), ("Y", ["BB"])]


def test_a_route_that_is_none_of_the_vocabulary_is_a_remark() -> None:
    found = read_one(record({**BLOCK, "route": ["ORAL", "EXTRACORPOREAL", "AURICULAR (OTIC)"]}, warnings="One."))
    assert found.products[0].routes == ("oral", "otic")
    assert "route: EXTRACORPOREAL is none of the vocabulary" in found.remarks


def test_the_block_of_another_label_is_not_believed() -> None:
    found = read_one(record({**BLOCK, "spl_set_id": ["another"]}, warnings="Nothing said."))
    assert found.products == ()
    assert any("that of another label" in remark for remark in found.remarks)


def test_without_a_block_the_data_elements_name_the_product() -> None:
    found = product({}, spl_product_data_elements="Exampla examplin sodium EXAMPLIN SODIUM EXAMPLIN STARCH, CORN")
    assert (found.name, [s.name for s in found.substances]) == ("Exampla", ["examplin sodium"])


def test_without_data_elements_the_first_sentence_names_it() -> None:
    found = product({}, indications_and_usage="INDICATIONS: Exampla (examplin) is indicated for pain.")
    assert (found.name, found.generic) == ("Exampla", "examplin")


def test_a_label_that_names_no_drug_comes_in_with_a_remark() -> None:
    found = read_one(record({}, warnings="Keep away from children."))
    assert found.products == ()
    assert any(remark.startswith("product:") for remark in found.remarks)


def test_data_elements_that_repeat_nothing_name_nothing() -> None:
    assert from_data_elements("Many herbs in water") is None
