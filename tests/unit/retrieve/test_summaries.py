from __future__ import annotations

import pytest

from pharmakon.model.communities import EMBEDDED, Community, Edge, Summary, community_id
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Tier
from pharmakon.retrieve.summaries import core, summaries
from tests.unit.retrieve.graphs import Labels, edge, labels_of, ward

SEVERE = edge("ingredient:heart-drug-0", "interacts_with", "ingredient:other", tier=Tier.CRITICAL)
WEAK = edge("ingredient:heart-drug-1", "interacts_with", "ingredient:other")
IF = edge("ingredient:heart-drug-1", "contraindicated_in", "disease:asthma", conditional=True)
NOT_IN = edge("ingredient:heart-drug-2", "contraindicated_in", "disease:asthma")
EDGES = [*ward("heart"), SEVERE, WEAK, IF, NOT_IN]


def told(edges: list[Edge], labels: Labels | None = None, lang: str = "en") -> Summary:
    members = tuple(sorted({end for e in edges for end in (e.subject, e.object) if "heart" in end}))
    community = Community(community_id(members), 0, "", members, "")
    return next(s for s in summaries([community], edges, labels or labels_of(edges)) if s.lang == lang)


def test_a_summary_says_classes_uses_risks_and_interactions() -> None:
    assert [sentence.text for sentence in told(EDGES).sentences] == [
        "Heart class (group of drugs): heart drug 0, heart drug 1, heart drug 2 and heart drug 3.",
        "Used for heart disease: heart drug 0, heart drug 1, heart drug 2 and heart drug 3.",
        "Contraindicated in asthma: heart drug 2.",
        "Serious interactions of heart drug 0: with other.",
        "Interactions of heart drug 1 that need attention: with other.",
    ]


def test_every_sentence_names_the_statements_that_it_says_and_no_other() -> None:
    by_id = {e.statement: e for e in EDGES}
    labels = labels_of(EDGES)
    for sentence in told(EDGES).sentences:
        assert sentence.statements
        for statement in sentence.statements:
            ends = (by_id[statement].subject, by_id[statement].object)
            assert all(labels[end]["en"].lower() in sentence.text.lower() for end in ends)


def test_what_holds_under_conditions_only_is_not_told() -> None:
    assert IF.statement not in {id for sentence in told(EDGES).sentences for id in sentence.statements}


def test_names_beyond_the_most_are_counted_and_their_statements_kept() -> None:
    sentence = told(ward("heart", drugs=11)).sentences[0]
    assert sentence.text.endswith("and 3 more.")
    assert len(sentence.statements) == 11


def test_names_that_hold_an_and_are_parted_by_semicolons() -> None:
    labels = labels_of(EDGES)
    labels[ConceptId("ingredient:heart-drug-1")] = {"en": "salt and pepper"}
    assert "; salt and pepper; " in told(EDGES, labels).sentences[0].text


def test_a_language_is_used_where_it_has_the_names() -> None:
    labels = labels_of(EDGES)
    chinese = {concept: names | {"zh": f"名{n}"} for n, (concept, names) in enumerate(sorted(labels.items()))}
    assert told(EDGES, chinese, "zh").sentences[0].text.endswith("。")
    assert {s.lang for s in summaries([Community("co-1", 0, "", tuple(labels), "")], EDGES, labels)} == {"en"}


def test_a_pair_is_told_from_one_side_alone() -> None:
    both = [*ward("heart"), edge("ingredient:heart-drug-0", "interacts_with", "ingredient:heart-drug-1")]
    assert sum("Interactions" in sentence.text for sentence in told(both).sentences) == 1


def test_the_core_is_what_has_the_heaviest_edges() -> None:
    members = {end for e in ward("heart") for end in (e.subject, e.object)}
    assert core(members, ward("heart"))[:2] == ["disease:heart-disease", "class:heart-class"]


def test_the_title_holds_a_class_and_a_condition_where_there_are_some() -> None:
    assert told(EDGES).title == "Heart disease, heart class, heart drug 0"


@pytest.mark.parametrize("lang", ["en", "nl", "zh"])
def test_no_template_leaves_a_gap(lang: str) -> None:
    labels = {concept: {"en": "a", "nl": "b", "zh": "丙"} for concept in labels_of(EDGES)}
    summary = told(EDGES, labels, lang)
    assert all("{" not in sentence.text for sentence in summary.sentences)


def test_a_sentence_begins_with_a_capital_as_its_language_and_the_word_have_it() -> None:
    def begun(name: str, lang: str) -> str:
        labels = {concept: {lang: name, "en": name} for concept in labels_of(EDGES)}
        return told(EDGES, labels, lang).sentences[0].text.partition(" ")[0]

    assert [begun("ijzer", "nl"), begun("mTOR", "en"), begun("iron", "en")] == ["IJzer", "mTOR", "Iron"]


def test_what_members_are_used_for_is_told_where_the_disease_is_in_another_community_too() -> None:
    elsewhere = [*EDGES, edge("ingredient:heart-drug-0", "treats", "disease:migraine")]
    assert "Used for migraine: heart drug 0." in [sentence.text for sentence in told(elsewhere).sentences]


def test_what_is_embedded_is_the_beginning_in_whole_sentences() -> None:
    long = told(
        [*EDGES, *(edge(f"ingredient:heart-drug-{n}", "treats", f"disease:d-{'x' * 99}-{n}") for n in range(4))]
    )
    assert len(long.text) <= EMBEDDED
    assert long.text.splitlines() == [long.title, *(s.text for s in long.sentences)][: len(long.text.splitlines())]
