"""What a question says of a person, in three languages."""

from __future__ import annotations

import pytest

from pharmakon.model.prescription import Patient
from pharmakon.retrieve.people import carried, is_known, person


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("I'm 82 and take digoxin", (82, 82)),
        ("an 80-year-old man", (80, 80)),
        ("Is it suitable for my mother of 78?", (78, 78)),
        ("mijn moeder van 85 heeft hartfalen", (85, 85)),
        ("een 79-jarige", (79, 79)),
        ("我78岁了", (78, 78)),
        ("for a 3 year old", (3, 3)),
        ("older adults", (65, 120)),
        ("老人能吃吗", (65, 120)),
        ("Is this for children?", (0, 17)),
    ],
)
def test_an_age_is_read(text: str, age: tuple[float, float]) -> None:
    assert person(text).age == age


@pytest.mark.parametrize(
    "text",
    [
        "take 20 tablets",
        "is 400 mg ok",
        "hij neemt 2 pillen",
        "is 30 mg too much",
        "what is 500 ml",
        "每天吃20片",
        "INR is 2.5",
    ],
)
def test_an_amount_is_no_age(text: str) -> None:
    assert person(text).age is None


@pytest.mark.parametrize(
    "text",
    ["trying to get pregnant", "I'm trying for a baby", "Ik wil zwanger worden", "备孕能吃吗", "my unborn child"],
)
def test_a_pregnancy_that_is_hoped_for_or_a_child_to_come_counts_as_one(text: str) -> None:
    assert person(text).pregnant is True
    assert person(text).age is None


@pytest.mark.parametrize("text", ["I am pregnant", "in de zwangerschap", "孕妇可以吃吗", "third trimester"])
def test_a_pregnancy_is_read(text: str) -> None:
    assert person(text).pregnant is True


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I am not pregnant", False),
        ("ik ben niet zwanger", False),
        ("没有怀孕", False),
        ("how reliable is a pregnancy test", None),
    ],
)
def test_a_pregnancy_that_is_denied_is_known_not_to_be(text: str, known: bool | None) -> None:
    assert person(text).pregnant is known
    assert not is_known(person(text))


@pytest.mark.parametrize("text", ["while breastfeeding", "tijdens borstvoeding", "哺乳期"])
def test_breastfeeding_is_read(text: str) -> None:
    assert person(text).lactating is True


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("My eGFR is 25. Is it possible?", 25),
        ("with an eGFR of 32.5", 32.5),
        ("eGFR为25能吃吗", 25),
        ("bij een eGFR van 41,5", 41.5),
    ],
)
def test_a_kidney_function_is_read_with_its_unit(text: str, value: float) -> None:
    ((name, lab),) = person(text).labs
    assert (name, lab.value, lab.unit) == ("egfr", value, "mL/min/1.73 m2")


def test_who_is_not_described_is_unknown() -> None:
    assert person("What is warfarin?") == Patient()
    assert not is_known(Patient())


def test_what_was_said_holds_until_something_else_is() -> None:
    before = person("I am 82, on dialysis, eGFR 9")
    assert carried(before, person("and aspirin?")) == before
    assert carried(before, person("and for my husband of 90?")).age == (90, 90)
    assert dict(carried(before, person("eGFR 12 now")).labs)["egfr"].value == 12
