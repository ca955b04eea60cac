from __future__ import annotations

from pharmakon.model.communities import Summary, SummarySentence
from pharmakon.model.concepts import ConceptId
from pharmakon.retrieve.macro import about, choose

COPD, ASTHMA, GOUT = ConceptId("disease:copd"), ConceptId("disease:asthma"), ConceptId("disease:gout")

SUMMARY = Summary("co-1", "en", "Lungs", (
    SummarySentence("Used for asthma: salbutamol.", ("st-1",), "treats"),
    SummarySentence("Contraindicated in glaucoma: ipratropium.", ("st-2",), "contraindicated_in"),
    SummarySentence("Contraindicated in arrhythmia: theophylline.", ("st-3",), "contraindicated_in"),
))  # fmt: skip


def test_the_smallest_community_that_holds_all_that_is_named_comes_first() -> None:
    homes = {COPD: ["lungs", "airways", "copd"], ASTHMA: ["lungs", "airways", "asthma"]}
    assert choose(homes, {}) == ["airways"]


def test_a_part_and_its_whole_are_not_both_chosen() -> None:
    homes = {COPD: ["lungs", "airways"], GOUT: ["joints", "crystals"]}
    assert choose(homes, {"crystals": 0.9, "airways": 0.8}) == ["crystals", "airways"]


def test_likeness_orders_what_is_equal_and_stands_alone_where_nothing_is_named() -> None:
    likeness = {"a": 0.1, "b": 0.9, "c": 0.5}
    assert choose({}, likeness, most=2) == ["b", "c"]
    assert choose({COPD: ["a"], GOUT: ["b"]}, likeness) == ["b", "a"]


def test_nothing_named_and_nothing_alike_is_no_community() -> None:
    assert choose({}, {}) == []


def test_sentences_are_those_about_what_is_asked_and_first_those_of_what_is_named() -> None:
    texts = [s.text for s in about(SUMMARY, {"contraindicated_in"}, {"st-3"})]
    assert texts == [SUMMARY.sentences[2].text, SUMMARY.sentences[1].text]


def test_a_summary_that_says_nothing_of_what_is_asked_is_told_whole() -> None:
    assert list(about(SUMMARY, {"has_symptom"}, ())) == list(SUMMARY.sentences)
