"""A maximum, a permission, an antidote, a difference: each is answered as what it is."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon


def said(pharmakon: Pharmakon, text: str) -> str:
    return "\n".join(s.text for s in pharmakon.ask(text).answer.sentences)


def test_the_most_in_a_day_stands_before_a_dose_and_how_often(pharmakon: Pharmakon) -> None:
    answer = said(pharmakon, "what is the maximum dose of paracetamol per day")
    places = [
        answer.index(words)
        for words in ("4,000 mg per day", "One dose of acetaminophen", "6 times per day", "Below 12")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Is fluconazole single dose alright when breastfeeding?", "Not assessed for breastfeeding"),
        ("Mag een enkele dosis fluconazol bij borstvoeding?", "Niet beoordeeld voor borstvoeding"),
        ("哺乳期可以吃单次剂量的氟康唑吗？", "未针对哺乳评估"),
    ],
)
def test_whether_a_dose_may_be_taken_asks_for_no_figure(pharmakon: Pharmakon, text: str, words: str) -> None:
    found = pharmakon.ask(text)
    assert found.route.route.intent == "contraindication"
    assert words in said(pharmakon, text)
    assert "400 mg" not in said(pharmakon, text)


@pytest.mark.parametrize(
    "text",
    [
        "What dose of fluconazole is safe in kidney failure?",
        "Should the dose of fluconazole be reduced with eGFR 20?",
        "Is a lower dose of fluconazole needed in kidney failure?",
    ],
)  # fmt: skip
def test_a_figure_that_is_asked_for_is_a_dose(pharmakon: Pharmakon, text: str) -> None:
    assert pharmakon.ask(text).route.route.intent == "dose"


@pytest.mark.parametrize(
    "text", ["What is the antidote for dabigatran?", "Wat is het antidotum van dabigatran?", "达比加群的解毒剂是什么？"]
)
def test_an_antidote_that_is_not_held_is_no_class_and_no_use(pharmakon: Pharmakon, text: str) -> None:
    assert pharmakon.ask(text).answer.abstained


def test_an_antidote_that_is_held_is_quoted(pharmakon: Pharmakon) -> None:
    assert "protamine reverses heparin" in said(pharmakon, "What reverses heparin?")


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("Is Adderall the same as Ritalin?", ("“Adderall” is a name", "“Ritalin” is a name for methylphenidate")),
        ("Is Aldactone hetzelfde als Inspra?", ("naam voor spironolacton", "naam voor eplerenon")),
        ("泼尼松和泼尼松龙是同一种药吗？", ("Prednisone is a", "Prednisolone is")),
        ("difference between prednisone and prednisolone", ("Prednisone is a", "Prednisolone is")),
    ],
)
def test_of_two_that_are_compared_each_is_said_to_be_what_it_is(
    pharmakon: Pharmakon, text: str, both: tuple[str, str]
) -> None:
    answer = said(pharmakon, text)
    assert all(words in answer for words in both)
    assert "treats" not in answer
