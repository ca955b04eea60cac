"""What comes before every answer, in three languages."""

from __future__ import annotations

import pytest

from pharmakon.ask.safety import caution, first
from pharmakon.ask.words import Words


@pytest.mark.parametrize(
    "text",
    [
        "I have chest pain and took my nitroglycerin",
        "my husband can't breathe after the injection", "she collapsed after her pill",
        "his lips are swelling after amoxicillin",
        "my mother is vomiting blood on warfarin", "he is having a stroke right now",
        "mijn vrouw krijgt geen lucht", "hij is bewusteloos", "mijn tong zwelt op na de antibiotica", "ze braakt bloed",
        "我胸口疼得厉害", "我爸爸突然昏迷了", "孩子抽搐了", "他吐血了",
    ],
)  # fmt: skip
def test_a_red_flag_that_happens_to_somebody_is_an_emergency(text: str) -> None:
    assert caution(text).alarm == "emergency"


@pytest.mark.parametrize(
    "text",
    [
        "I took 30 paracetamol tablets",
        "my son swallowed a whole bottle of pills",
        "ik heb een hele strip oxazepam geslikt",
        "我吃了50片安眠药",
        "孩子误服了降压药",
    ],
)
def test_too_much_taken_is_an_overdose(text: str) -> None:
    assert caution(text).alarm == "overdose"


@pytest.mark.parametrize(
    "text", ["I want to kill myself", "how many pills of digoxin would kill me", "ik wil dood", "我不想活了"]
)
def test_a_wish_to_die_is_heard(text: str) -> None:
    found = caution(text)
    assert found.alarm == "self_harm"
    assert len(first(found, Words("en"))) == 2


@pytest.mark.parametrize(
    "text",
    [
        "what causes chest pain", "which drugs can cause seizures", "symptoms of a stroke",
        "signs of an overdose of digoxin",
        "wat zijn verschijnselen van een beroerte", "胸痛的原因是什么", "what is the antidote in paracetamol poisoning",
        "Can I take ibuprofen with warfarin?", "I took my pill this morning, can I drink grapefruit juice?",
    ],
)  # fmt: skip
def test_a_question_about_one_is_none(text: str) -> None:
    assert caution(text).alarm == ""


@pytest.mark.parametrize(
    "text",
    [
        "how many paracetamol can I take",
        "what dose should my mother take",
        "can I double my dose",
        "hoeveel mag ik er nemen",
        "我该吃几片",
    ],
)
def test_a_dose_for_somebody_is_a_personal_dose(text: str) -> None:
    assert caution(text).dose


@pytest.mark.parametrize(
    "text", ["What is the maximum daily dose of amlodipine?", "Wat is de hoogste dagdosis?", "每日最大剂量是多少？"]
)
def test_a_fact_about_doses_is_none(text: str) -> None:
    assert not caution(text).dose
