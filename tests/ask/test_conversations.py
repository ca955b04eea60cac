"""What a reader is told at each turn of a conversation."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.ask.pipeline import Answered


def said(answered: Answered) -> str:
    return " ".join(sentence.text for sentence in answered.answer.sentences)


def talk(pharmakon: Pharmakon, *turns: str) -> Answered:
    """The answer to the last turn."""
    first, *rest = turns
    answered = pharmakon.ask(first)
    for turn in rest:
        answered = pharmakon.ask(turn, session=answered.session)
    return answered


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("I take spironolactone and lisinopril, my potassium is 5.9", "spironolactone must not be used"),
        ("I am pregnant and I take lithium", "lithium needs caution: pregnancy"),
        ("I take methotrexate and amoxicillin", "amoxicillin with methotrexate"),
        ("Ik slik warfarine en ibuprofen", "warfarine met ibuprofen"),
        ("我在吃华法林，还吃阿司匹林", "华法林与阿司匹林合用"),
    ],
)
def test_what_is_told_and_is_grave_together_is_said_though_nothing_was_asked(
    pharmakon: Pharmakon, told: str, found: str
) -> None:
    assert found in said(talk(pharmakon, told))


def test_what_is_told_one_by_one_is_held_together(pharmakon: Pharmakon) -> None:
    assert "Noted" in said(talk(pharmakon, "I take warfarin"))
    assert "warfarin with aspirin" in said(talk(pharmakon, "I take warfarin", "I also take aspirin"))


@pytest.mark.parametrize("told", ["I take warfarin", "I have asthma", "I take paracetamol and omeprazole"])
def test_what_is_told_and_is_not_grave_is_noted(pharmakon: Pharmakon, told: str) -> None:
    assert talk(pharmakon, told).answer.agent == "session"


@pytest.mark.parametrize(
    ("asked", "thanks"),
    [
        ("Can I take ibuprofen with warfarin?", "Thanks, that's all"),
        ("Mag ik ibuprofen met warfarine?", "bedankt"),
        ("华法林和阿司匹林能一起吃吗", "谢谢"),
    ],
)
def test_thanks_are_answered_without_the_warnings_again(pharmakon: Pharmakon, asked: str, thanks: str) -> None:
    assert len(talk(pharmakon, asked, thanks).answer.sentences) == 1


def test_what_else_there_is_asks_what_it_is_for_and_then_holds_it_against_the_person(pharmakon: Pharmakon) -> None:
    turns = ["Ramipril in pregnancy", "what could I use instead?", "high blood pressure"]
    assert "What is Ramipril taken for?" in said(talk(pharmakon, *turns[:2]))
    assert "named here for hypertension" in said(talk(pharmakon, *turns))


def test_one_of_two_replaced_is_asked_with_the_other_alone(pharmakon: Pharmakon) -> None:
    answer = said(talk(pharmakon, "Clarithromycin with colchicine?", "And azithromycin?"))
    assert "colchicine" in answer
    assert "clarithromycin" not in answer.casefold()


@pytest.mark.parametrize(
    ("turns", "found"),
    [
        # what is taken besides does not take the place of what was asked about
        (("Can I take tramadol?", "I also have epilepsy", "and I'm on fluoxetine, ok?"), "fluoxetine with tramadol"),
        # "that" is what was named for it
        (("I have gout.", "which medicine for it?", "is that ok with azathioprine?"), "azathioprine with allopurinol"),
        (("I take azathioprine.", "I have gout, which medicine?"), "azathioprine with allopurinol"),
        # a complaint of before is none about the drug that is named now
        (("I have asthma and a headache.", "Can I take aspirin?", "so ibuprofen then?"), "needs caution: asthma"),
        (("I have kidney failure and a headache", "and ibuprofen?"), "needs caution: end-stage renal disease"),
    ],
)
def test_nothing_that_was_said_is_lost_on_the_way(pharmakon: Pharmakon, turns: tuple[str, ...], found: str) -> None:
    assert found in said(talk(pharmakon, *turns))
