"""Names in running text: the longest, whole words only, in the forms that labels write."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.link.folded import Folded
from pharmakon.link.mentions import Hit, MentionScanner, OwnNames
from pharmakon.model.concepts import ConceptId, fold
from tests.unit.link.lexicon import DISEASES, DRUGS, Words, concept

NAMES = (
    concept("class:nsaid", "NSAID", "nonsteroidal anti-inflammatory drug"),
    concept("class:cyp3a4-inhibitor", "CYP3A4 inhibitor", "inhibitor of CYP3A4"),
    concept("class:strong-cyp3a4-inhibitor", "strong CYP3A4 inhibitor"),
    concept("class:beta-blocker", "beta blocker"),
    concept("class:thiazide", "thiazide", "thiazide diuretic"),
    concept("class:antifungal", "antifungal agent"),
    concept("class:antihypertensive", "antihypertensive"),
    concept("class:diuretic", "diuretic"),
    concept("class:vitamin-k-antagonist", "vitamin K antagonist"),
    concept("class:ras-inhibitor", "drug that affects the RAS", "drug acting on the RAS"),
    concept("ingredient:vitamin-k", "vitamin K"),
    concept("ingredient:potassium", "potassium"),
    concept("ingredient:permethrin", "permethrin", brands=["Nix"]),
    concept("lifestyle:meal", "meal"),
    concept("lifestyle:dairy", "milk"),
    concept("class:opioid", "opioid"),
    concept("disease:myocardial-infarction", "myocardial infarction", "MI"),
    concept("effect:qt-prolongation", "QT prolongation"),
    concept("disease:long-qt", "long QT syndrome", "QT prolongation"),
)
SCANNER = MentionScanner(Words((*DISEASES, *DRUGS, *NAMES)))


def found(text: str, own: OwnNames | None = None) -> list[tuple[str, str]]:
    """(the words, the concepts) of every name in `text`."""
    return [(text[h.start : h.end], " ".join(h.concepts)) for h in SCANNER.find(text, own)]


@pytest.mark.parametrize(
    ("text", "words", "of"),
    [
        ("Avoid warfarin sodium.", "warfarin sodium", "ingredient:warfarin"),
        ("Avoid WARFARIN.", "WARFARIN", "ingredient:warfarin"),
        ("Avoid Coumadin® tablets.", "Coumadin", "ingredient:warfarin"),
        ("the concurrent use of other NSAIDs", "NSAIDs", "class:nsaid"),
        ("a CYP3A4-inhibitor", "CYP3A4-inhibitor", "class:cyp3a4-inhibitor"),
        ("strong CYP3A4 inhibitors may", "strong CYP3A4 inhibitors", "class:strong-cyp3a4-inhibitor"),
        ("inhibitors of CYP3A4 may", "inhibitors of CYP3A4", "class:cyp3a4-inhibitor"),
        ("beta-adrenergic or beta-blockers", "beta-blockers", "class:beta-blocker"),
        ("other agents which affect the RAS may", "agents which affect the RAS", "class:ras-inhibitor"),
        ("medications that may affect the RAS", "medications that may affect the RAS", "class:ras-inhibitor"),
        ("agents acting on the RAS", "agents acting on the RAS", "class:ras-inhibitor"),
        ("betablocker therapy", "betablocker therapy", "class:beta-blocker"),
        ("thiazide\u00a0diuretics", "thiazide\u00a0diuretics", "class:thiazide"),
        ("antifungals", "antifungals", "class:antifungal"),
        ("on NSAID therapy", "NSAID therapy", "class:nsaid"),
        ("other antihypertensives", "antihypertensives", "class:antihypertensive"),
        ("codeïne", "codeïne", "ingredient:codeine"),
        ("合用华法林时", "华法林", "ingredient:warfarin"),
    ],
)
def test_a_name_is_found_as_labels_write_it(text: str, words: str, of: str) -> None:
    assert found(text) == [(words, of)]


def test_a_name_inside_a_word_is_none() -> None:
    assert found("prewarfarin, warfarinized and asthmatic") == []


def test_where_the_longer_name_ends_inside_a_word_the_shorter_one_counts() -> None:
    assert found("vitamin K antagonistic effects") == [("vitamin K", "ingredient:vitamin-k")]


def test_a_name_that_begins_inside_a_longer_one_that_is_none_here_is_found() -> None:
    assert found("vitamin K antagonistic NSAID effects of milk") == [
        ("vitamin K", "ingredient:vitamin-k"), ("NSAID", "class:nsaid"), ("milk", "lifestyle:dairy"),
    ]  # fmt: skip
    assert found("drug that affects the RASP milk") == [("milk", "lifestyle:dairy")]
    assert found("strong CYP3A4 inhibitorial CYP3A4 inhibitor") == [("CYP3A4 inhibitor", "class:cyp3a4-inhibitor")]
    scanner = MentionScanner(Words((concept("ingredient:oxycodone", "oxycodon"), concept("drug:magox", "Mag-Ox"))))
    assert [h.concepts for h in scanner.find("mag oxycodon")] == [("ingredient:oxycodone",)]


def test_an_ambiguous_name_has_all_its_meanings() -> None:
    assert found("QT prolongation") == [("QT prolongation", "disease:long-qt effect:qt-prolongation")]


def test_no_name_reaches_across_a_line_or_a_comma() -> None:
    assert found("warfarin\nsodium") == [("warfarin", "ingredient:warfarin")]
    assert found("heart, failure and beta\nblocker") == []


def test_an_abbreviation_counts_in_capitals_only() -> None:
    assert found("after an MI") == [("MI", "disease:myocardial-infarction")]
    assert found("do re mi") == []


def test_a_brand_that_is_an_everyday_word_needs_its_capital() -> None:
    assert found("Use Nix twice.") == [("Nix", "ingredient:permethrin")]
    assert found("nix on that") == []


def test_words_that_labels_use_for_too_many_things_name_nothing() -> None:
    assert found("with the evening meal") == []


def test_what_is_measured_in_the_blood_is_no_drug() -> None:
    assert found("serum potassium rose; potassium levels; hypokalemia from potassium loss") == []
    assert found("Give potassium by mouth.") == [("potassium", "ingredient:potassium")]


def test_breast_milk_is_no_dairy() -> None:
    assert found("It passes into breast milk, and lowers milk production.") == []
    assert found("Do not take it with milk.") == [("milk", "lifestyle:dairy")]


def test_opioid_withdrawal_names_no_opioid_and_monitoring_of_potassium_no_potassium() -> None:
    assert found("It may bring on opioid withdrawal; more frequent potassium monitoring is advised.") == []
    assert found("Avoid opioids.") == [("opioids", "class:opioid")]


def test_an_adjective_of_an_effect_names_no_drug() -> None:
    assert found("the diuretic, natriuretic, and antihypertensive effects of warfarin") == [
        ("warfarin", "ingredient:warfarin")
    ]
    assert found("an antihypertensive or a diuretic") == [
        ("antihypertensive", "class:antihypertensive"),
        ("diuretic", "class:diuretic"),
    ]


def test_the_names_a_label_gives_its_own_product_are_found_too() -> None:
    own = OwnNames(["Examplon", "Examplon HCT"], [ConceptId("ingredient:metformin")])
    assert found("Examplon HCT and warfarin", own) == [
        ("Examplon HCT", "ingredient:metformin"),
        ("warfarin", "ingredient:warfarin"),
    ]


@given(st.text(st.sampled_from("warfarin potssiumß ﬁé\u0301İ\n\t ,.-华法林NSAIDs"), max_size=60))
def test_hits_are_in_order_apart_from_each_other_and_spell_what_they_name(text: str) -> None:
    hits: list[Hit] = SCANNER.find(f"{text} warfarin")
    assert hits, "the name at the end is found whatever stands before it"
    for before, after in pairwise(hits):
        assert before.end <= after.start
    for hit in hits:
        assert 0 <= hit.start < hit.end <= len(text) + 9


@given(st.text(st.characters(categories=("Lu", "Ll", "Mn", "Nd", "Zs", "Po")), max_size=80))
def test_folding_with_places_says_what_plain_folding_says(text: str) -> None:
    assert Folded(text).text.replace("\n", " ").split() == fold(text).split()


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_folded_place_leads_back_to_its_letter(before: str, after: str) -> None:
    folded = Folded(f"{before} qzx {after}")
    at = folded.text.find("qzx", max(0, len(Folded(before).text) - 1))
    assert folded.place(at) == len(before) + 1


@given(st.text(st.sampled_from("aß ﬁé\u0301İ\n\t ,.-华™"), max_size=30), st.data())
def test_a_folded_stretch_stands_where_its_ends_stand(text: str, data: st.DataObject) -> None:
    folded = Folded(text)
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    assert folded.span(start, end) == (folded.place(start), folded.place(end - 1) + 1)


@pytest.mark.parametrize("text", ["德华法林", "左旋华法林", "华法林酯", "去甲华法林和酒", "多西华法林"])
def test_a_chinese_name_within_a_longer_one_is_another_drug(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("text", ["吃很多华法林", "第三，华法林", "用华法林代替华法林", "服华法林钠片"])
def test_a_chinese_name_among_other_words_is_found(text: str) -> None:
    assert ("华法林", "ingredient:warfarin") in found(text)
