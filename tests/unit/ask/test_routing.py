from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ask.routing import (
    Thresholds,
    centre_of_gravity,
    choose_agent,
    effective_length,
    fired,
    firing_strength,
    gaussian_membership,
    inquiry_count,
    inquiry_frequency,
    memberships,
    published,
    route,
    semantic_density,
    term_density,
    volume,
)
from pharmakon.model.errors import BadInput
from tests.unit.ask.asked import ask, asked, rows

unit = st.floats(0, 1)


def z_of(v: float, d: float) -> float:
    return centre_of_gravity((rule.strength, rule.z) for rule in fired(memberships(v), memberships(d)))


def test_volume_is_a_hundredth_of_the_length_and_at_most_one() -> None:  # Eq. 1
    assert [volume(length) for length in (0, 40, 100, 250)] == [0, 0.4, 1, 1]


def test_density_weighs_terms_by_six_tenths_unless_told_otherwise() -> None:  # Eq. 2
    assert semantic_density(1, 0) == pytest.approx(0.4)
    assert semantic_density(0, 1) == pytest.approx(0.6)
    assert semantic_density(0.2, 0.8, alpha=0) == pytest.approx(0.2)


def test_a_membership_is_one_at_its_centre_and_falls_off_as_a_gaussian() -> None:  # Eq. 3
    assert gaussian_membership(0.5, 0.5, 0.2) == 1
    assert gaussian_membership(0.7, 0.5, 0.2) == pytest.approx(math.exp(-0.5))
    assert gaussian_membership(0.3, 0.5, 0.2) == pytest.approx(math.exp(-0.5))


def test_a_rule_fires_by_the_product_of_its_memberships() -> None:  # Eq. 4
    assert firing_strength(0.5, 0.4) == pytest.approx(0.2)


def test_the_score_is_the_centre_of_gravity_of_the_rules() -> None:  # Eq. 5
    assert centre_of_gravity([(1, 0.2), (3, 0.6)]) == pytest.approx(0.5)


def test_each_threshold_belongs_to_the_agent_above_it() -> None:  # Eq. 6
    limits = published()
    assert (limits.tau1, limits.tau2) == (0.35, 0.70)
    chosen = [choose_agent(z, limits) for z in (0.349, 0.35, 0.699, 0.7)]
    assert chosen == ["naive", "dual_granularity", "dual_granularity", "deep_search"]


def test_thresholds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(BadInput):
        Thresholds(0.7, 0.35)


@given(unit, unit)
def test_the_score_lies_between_nought_and_one(v: float, d: float) -> None:
    assert 0 <= z_of(v, d) <= 1


@given(unit, unit, unit)
def test_the_score_never_falls_where_volume_or_density_rises(a: float, b: float, other: float) -> None:
    low, high = sorted((a, b))
    assert z_of(low, other) <= z_of(high, other) + 1e-9
    assert z_of(other, low) <= z_of(other, high) + 1e-9


@given(unit, unit)
def test_density_lies_between_its_two_parts(f_quest: float, f_key: float) -> None:
    d = semantic_density(f_quest, f_key)
    assert min(f_quest, f_key) - 1e-9 <= d <= max(f_quest, f_key) + 1e-9


@given(st.integers(1, 50))
def test_inquiry_frequency_grows_to_one(inquiries: int) -> None:
    assert 0 < inquiry_frequency(inquiries) <= inquiry_frequency(inquiries + 1) <= 1


@given(st.text(max_size=200), st.sampled_from(["en", "nl", "zh"]))
def test_any_text_finds_an_agent_and_a_share_of_terms(text: str, lang: str) -> None:
    question = ask(text, lang)
    assert 0 <= term_density(question) <= 1
    assert inquiry_count(question) >= 1
    assert route(question).route.agent in ("naive", "dual_granularity", "deep_search")


def test_questions_of_like_content_have_a_like_volume_in_three_languages() -> None:
    totals = {lang: sum(effective_length(row[lang]) for row in rows("parallel.yaml")) for lang in ("en", "nl", "zh")}
    assert totals["zh"] == pytest.approx(totals["en"], rel=0.02)
    assert totals["nl"] == pytest.approx(totals["en"], rel=0.02)
    for row in rows("parallel.yaml"):
        v = [volume(effective_length(row[lang])) for lang in ("en", "nl", "zh")]
        assert max(v) - min(v) < 0.25, row["en"]


def test_terms_are_linked_names_and_medical_cues_as_a_share_of_the_letters() -> None:
    assert term_density(ask("warfarin side effects", warfarin="ingredient:warfarin")) == 1
    assert term_density(ask("how do I hot-wire a car")) == 0
    assert term_density(ask("华法林是什么？", "zh", 华法林="ingredient:warfarin")) == pytest.approx(0.5)


def test_two_things_asked_are_two_inquiries() -> None:
    assert inquiry_count(ask("What is gout and how is it treated?")) == 2
    assert inquiry_count(ask("痛风有什么症状，怎么治疗？", "zh")) == 2
    assert inquiry_count(ask("Wat is jicht en hoe wordt het behandeld?", "nl")) == 2


def test_one_property_of_one_drug_is_looked_up_and_a_paragraph_is_searched() -> None:
    simple = ask("What are the side effects of amlodipine?", amlodipine="ingredient:amlodipine")
    two_parts = ask("What are the symptoms of heart failure and how is heart failure treated at home?",
                    heart_failure="disease:heart-failure")  # fmt: skip
    paragraph = ask(
        "What are the symptoms of osteoporosis, which treatment and diet help, how is osteoporosis diagnosed, "
        "and when should treatment of osteoporosis be stopped?",
        osteoporosis="disease:osteoporosis",
    )
    assert [route(q).route.agent for q in (simple, two_parts, paragraph)] == [
        "naive", "dual_granularity", "deep_search",
    ]  # fmt: skip


def test_a_grave_question_is_not_measured() -> None:
    grave = route(ask("Can I take ibuprofen with warfarin?", ibuprofen="ingredient:ibuprofen", warfarin="ingredient:w"))
    assert grave.route.agent == "deep_search"
    assert (grave.route.v, grave.route.d, grave.route.z, grave.measured) == (None, None, None, None)


def test_an_explanation_holds_all_that_the_score_was_made_from() -> None:
    explained = route(ask("What is furosemide for?", furosemide="ingredient:furosemide"))
    measured = explained.measured
    assert measured is not None
    assert explained.route.z == centre_of_gravity((rule.strength, rule.z) for rule in measured.rules)
    assert explained.route.d == semantic_density(measured.f_quest, measured.f_key)
    assert explained.route.v == volume(measured.length)
    assert len(measured.rules) == 9
    assert [m.term for m in measured.volume] == ["low", "medium", "high"]


def test_routes_do_not_depend_on_earlier_questions() -> None:
    questions = [one.question for one in asked("questions.yaml")]
    once = [route(q).route for q in questions]
    assert [route(q).route for q in reversed(questions)] == once[::-1]
