"""Which one to take: held against a person, one of two for something, lists in order, and what has an effect."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.ask.choosing import choice
from pharmakon.ask.effects import asked_effect, bringing
from pharmakon.ask.pipeline import Answered


def said(answered: Answered, role: str = "") -> str:
    return "\n".join(s.text for s in answered.answer.sentences if not role or s.role == role)


def step(answered: Answered, name: str) -> dict[str, object]:
    return dict(next(s.detail for s in answered.answer.steps if s.name == name))


HELD = [
    ("Which pain killer can I take with warfarin?", "Can I take {} with warfarin?"),
    ("I have BPH, which cold medicine can I take?", "I have BPH. Can I take {}?"),
    ("I have kidney failure, which painkiller can I take?", "I have kidney failure. Can I take {}?"),
    ("32 weeks pregnant. Which painkiller can she take?", "She is 32 weeks pregnant. Can she take {}?"),
    ("My child is 3 and has a fever, what can I give?", "My child is 3 years old. May he have {}?"),
]


@pytest.mark.parametrize(("question", "alone"), HELD, ids=[q for q, _ in HELD])
def test_an_option_is_clear_only_where_the_question_about_it_alone_finds_nothing(
    pharmakon: Pharmakon, question: str, alone: str
) -> None:
    found = pharmakon.ask(question)
    for concept in step(found, "choice")["clear"]:  # type: ignore[attr-defined]
        name = pharmakon.knowledge.concepts({concept})[concept].display
        single = pharmakon.ask(alone.format(name)).answer
        assert not [s.text for s in single.sentences if s.role in ("finding", "claim")], name


def test_what_is_milder_than_a_warning_is_told_beside_the_option(pharmakon: Pharmakon) -> None:
    found = pharmakon.ask("Which pain killer can I take with warfarin?")
    assert "may matter here: acetaminophen" in said(found, "finding")
    assert "can raise INR" in said(found, "claim")
    assert "acetaminophen" not in said(found, "list")


def test_a_rule_that_a_dose_decides_keeps_an_option_from_being_clear(pharmakon: Pharmakon) -> None:
    found = pharmakon.ask("32 weken zwanger, hoofdpijn. Welke pijnstiller mag ze?")
    assert "above 100 mg per day" in said(found)
    assert "acetylsalicylzuur" not in said(found, "list")


def test_what_is_wanted_against_a_complaint_of_somebody_is_held_against_who_it_is(pharmakon: Pharmakon) -> None:
    found = pharmakon.ask("My child is 3 and has a fever, what can I give?")
    assert "aspirin" in said(found, "finding")
    assert "aspirin" not in said(found, "list")


def test_a_kind_of_medicine_is_sought_and_the_disease_beside_it_is_had(pharmakon: Pharmakon) -> None:
    for text in ("I have kidney failure, which painkiller can I take?", "蚕豆病能吃什么退烧药"):
        asked = choice(pharmakon.ask(text).question)
        assert asked is not None
        assert str(asked.sought).startswith("symptom:")
        assert len(asked.conditions) == 1


# ── one of two ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "fits", "other"),
    [
        ("Hydralazine or hydroxyzine for itching?", "hydroxyzine", "hydralazine"),
        ("Celebrex or Celexa for arthritis?", "celecoxib", "citalopram"),
        ("Metformine of metoprolol bij diabetes?", "metformine", "metoprolol"),
        ("二甲双胍还是美托洛尔治糖尿病？", "二甲双胍", "美托洛尔"),
    ],
)
def test_of_two_the_one_is_named_that_the_sources_hold_for_it(
    pharmakon: Pharmakon, text: str, fits: str, other: str
) -> None:
    found = pharmakon.ask(text)
    assert fits in said(found, "list")
    assert other not in said(found, "list")
    assert other in said(found, "frame")


def test_a_difference_is_told_by_what_each_is_and_not_by_what_both_would_do(pharmakon: Pharmakon) -> None:
    found = said(pharmakon.ask("Xarelto versus Eliquis, what is the difference?"))
    assert "Rivaroxaban is a direct oral anticoagulant" in found
    assert "Apixaban is a direct oral anticoagulant" in found
    assert "Avoid two" not in found


def test_two_that_are_taken_together_are_no_choice(pharmakon: Pharmakon) -> None:
    for text in ("Can I take ibuprofen or naproxen with warfarin?", "Can I take ibuprofen with warfarin for pain?"):
        asked = choice(pharmakon.ask(text).question)
        assert asked is None or not asked.named


# ── lists ──────────────────────────────────────────────────────────────────────────────────────────


def items(answered: Answered) -> list[str]:
    text = next(s.text for s in answered.answer.sentences if s.role == "list")
    return text.partition(":")[2].strip(" .").replace(" or ", ", ").split(", ")


def test_a_list_begins_with_what_treats_the_condition_itself(pharmakon: Pharmakon) -> None:
    found = pharmakon.ask("Which drugs for type 2 diabetes?")
    assert items(found)[-1] == "atorvastatin"
    assert "none of merit" in said(found, "frame")


def test_a_combination_that_is_no_first_treatment_does_not_lead_a_list(pharmakon: Pharmakon) -> None:
    found = pharmakon.ask("What is the first-line treatment for hypertension?")
    assert "lisinopril and hydrochlorothiazide" not in said(found, "list")


@pytest.mark.parametrize(
    "text",
    [
        "Drugs for migraine prevention", "Welke medicijnen tegen migraine?", "Which drugs for headache?",
        "Welke medicijnen bij diabetes", "有哪些药可以治疗偏头痛", "dabigatran dose with CrCl 25",
        "卡托普利会引起干咳吗",
    ],
)  # fmt: skip
def test_no_list_and_no_quotation_is_replaced_by_an_alarm_about_its_members(pharmakon: Pharmakon, text: str) -> None:
    assert pharmakon.ask(text).answer.verification.status != "intercepted"


# ── what has an effect ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Which drugs prolong QT?", "amiodarone"),
        ("what causes high potassium?", "eplerenone"),
        ("Welke medicijnen veroorzaken een hoog kalium?", "eplerenon"),
        ("哪些药会延长QT间期", "胺碘酮"),
        ("Which medicines cause a dry cough?", "ACE inhibitor"),
    ],
)
def test_what_has_an_effect_is_listed(pharmakon: Pharmakon, text: str, named: str) -> None:
    found = pharmakon.ask(text)
    assert found.answer.agent == "question_graph"
    assert named in said(found, "list")


def test_a_caution_in_a_condition_is_no_cause_of_it(pharmakon: Pharmakon) -> None:
    for text, brings, not_so in (
        ("what causes high potassium?", "tacrolimus", "flecainide"),
        ("What causes heart failure?", "hypertension", "candesartan"),
        ("What causes gout?", "furosemide", "naproxen"),
    ):
        asked = asked_effect(pharmakon.ask(text).question)
        assert asked is not None
        found = {f.statement.subject.partition(":")[2] for f in bringing(asked, pharmakon.knowledge)}
        assert brings in found
        assert not_so not in found


def test_a_question_about_one_drug_asks_for_no_list(pharmakon: Pharmakon) -> None:
    for text in ("Does ibuprofen cause bleeding?", "What bleeding does warfarin cause?"):
        assert asked_effect(pharmakon.ask(text).question) is None
