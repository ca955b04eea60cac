"""What a drug does that nobody wants: a list says that it may be short, and one effect that is not held is no "no"."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon


def said(pharmakon: Pharmakon, text: str) -> str:
    return "\n".join(s.text for s in pharmakon.ask(text).answer.sentences)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What are the side effects of amiodarone?", "may be incomplete"),
        ("Wat zijn de bijwerkingen van amiodaron?", "kan onvolledig zijn"),
        ("胺碘酮有什么副作用？", "可能不完整"),
    ],
)
def test_a_list_says_that_it_may_be_short_and_begins_with_what_is_boxed(
    pharmakon: Pharmakon, text: str, words: str
) -> None:
    answer = said(pharmakon, text)
    assert words in answer
    for effect in ("lung toxicity", "liver injury", "hypothyroidism"):
        assert effect in answer


@pytest.mark.parametrize(
    "text",
    [
        "Does amiodarone cause lung damage?", "Is lung toxicity seen with amiodarone?",
        "Is amiodaron slecht voor de longen?", "胺碘酮会伤肺吗？", "Can amiodarone damage the lungs?",
    ],
)  # fmt: skip
def test_one_effect_without_a_name_is_answered_by_what_speaks_of_it(pharmakon: Pharmakon, text: str) -> None:
    answer = said(pharmakon, text)
    assert "lung toxicity" in answer
    assert "QT" not in answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Does allopurinol damage the lungs?", "is no “no”"),
        ("Is allopurinol slecht voor de longen?", "geen “nee”"),
        ("别嘌醇会伤肺吗？", "并不等于“不会”"),
        ("Does amiodarone turn the skin blue?", "is no “no”"),
    ],
)
def test_one_effect_that_is_not_held_is_said_not_to_be(pharmakon: Pharmakon, text: str, words: str) -> None:
    found = pharmakon.ask(text).answer
    assert words in "\n".join(s.text for s in found.sentences)
    assert not [s for s in found.sentences if s.evidence]


@pytest.mark.parametrize(
    "text", ["Krijg je van lisinopril een kriebelhoest?", "Kan ik van lisinopril prikkelhoest krijgen?"]
)
def test_a_tickling_cough_is_a_cough(pharmakon: Pharmakon, text: str) -> None:
    assert "lasting dry cough" in said(pharmakon, text)
