from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ask.sentinel import cues, intents, judge
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.model.question import Link, Question
from tests.unit.ask.asked import ask, asked

WARFARIN = {"warfarin": "ingredient:warfarin"}
EARLY = {"drug_interaction", "polypharmacy_risk", "contraindication", "complex_pathology"}


def accuracy(file: str) -> float:
    questions = asked(file)
    return sum(judge(one.question).intent == one.intent for one in questions) / len(questions)


def test_the_intents_of_the_questions_that_the_cues_were_chosen_on_are_found() -> None:
    assert accuracy("questions.yaml") >= 0.97


def test_the_intents_of_questions_that_were_held_back_are_found() -> None:
    assert accuracy("held_out.yaml") >= 0.95


def test_no_question_about_a_plain_property_leaves_early() -> None:
    plain = [q for q in asked("questions.yaml") if q.intent not in EARLY | {"dose"}]
    assert not [q.question.text for q in plain if judge(q.question).early]


def test_every_grave_question_leaves_early() -> None:
    grave = [q for file in ("questions.yaml", "held_out.yaml") for q in asked(file) if q.intent in EARLY]
    assert not [q.question.text for q in grave if not judge(q.question).early]


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        (ask("What is warfarin?", **WARFARIN), "definition"),
        (ask("warfarin", **WARFARIN), "definition"),
        (ask("side effects of amlodipine", amlodipine="ingredient:amlodipine"), "side_effect"),
        (ask("mag ik er wijn bij", "nl"), "lifestyle"),
        (ask("metformin ibuprofen", metformin="ingredient:metformin", ibuprofen="ingredient:ibuprofen"),
         "drug_interaction"),
        (ask("metformin and kidney failure", metformin="ingredient:metformin", kidney_failure="disease:ckd"),
         "contraindication"),
    ],
)  # fmt: skip
def test_what_the_links_name_decides_where_words_do_not(question: Question, intent: str) -> None:
    assert judge(question).intent == intent


def test_a_drug_taken_for_a_complaint_is_no_contraindication() -> None:
    taken_for = ask(
        "May I take paracetamol for back pain?", paracetamol="ingredient:paracetamol", back_pain="symptom:p"
    )
    despite = ask("May I take paracetamol with back pain?", paracetamol="ingredient:paracetamol", back_pain="symptom:p")
    assert judge(taken_for).intent == "indication"
    assert judge(despite).intent == "contraindication"


def test_one_drug_under_two_names_is_one_drug() -> None:
    twice = ask("Is Coumadin warfarin?", Coumadin="ingredient:warfarin", **WARFARIN)
    assert judge(twice).intent != "drug_interaction"


def test_an_ambiguous_name_is_one_drug() -> None:
    link = Link(8, 18, (ConceptId("ingredient:clonidine"), ConceptId("ingredient:clonazepam")), "clonadine")
    assert judge(Question("what is clonadine?", "en", (link,))).intent == "definition"


def test_a_dose_for_a_healthy_adult_is_measured_and_one_for_failing_kidneys_leaves_early() -> None:
    healthy = ask("What is the dose of metformin?", metformin="ingredient:metformin")
    failing = ask("What is the dose of metformin with an eGFR of 28?", metformin="ingredient:metformin")
    assert (judge(healthy).intent, judge(healthy).early) == ("dose", False)
    assert (judge(failing).intent, judge(failing).early) == ("dose", True)


def test_an_earlier_drug_that_a_question_takes_over_counts() -> None:
    carried = ask(" warfarin", **WARFARIN).links
    leaning = replace(ask("And with ibuprofen?", ibuprofen="ingredient:ibuprofen"), carried=carried)
    pronoun = replace(ask("can I have aspirin with that?", aspirin="ingredient:aspirin"), carried=carried)
    kidneys = replace(ask("and with kidney failure?", kidney_failure="disease:ckd"), carried=carried)
    assert judge(leaning).intent == "drug_interaction"
    assert judge(kidneys).intent == "contraindication"
    assert judge(pronoun).intent == "drug_interaction"


def test_a_judgement_names_what_it_was_made_from() -> None:
    judgement = judge(ask("Is it safe to combine sertraline and tramadol?", sertraline="ingredient:sertraline",
                          tramadol="ingredient:tramadol"))  # fmt: skip
    assert "drugs" in judgement.why
    assert "joining" in judgement.features


def test_a_language_without_cues_is_refused_in_a_line() -> None:
    with pytest.raises(BadInput, match="one of en, nl, zh"):
        judge(Question("Was ist Warfarin?", "de"))


@given(st.text(max_size=300), st.sampled_from(["en", "nl", "zh"]))
def test_any_text_has_an_intent_and_its_cues_stand_in_it(text: str, lang: str) -> None:
    question = Question(text, lang)
    assert judge(question).intent in intents()
    assert all(0 <= cue.start < cue.end <= len(text) for cue in cues(question))
