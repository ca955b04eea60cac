"""What a question says of the person it is about, and which names it asks about: three languages, as people write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pharmakon.app.api import Pharmakon
from pharmakon.model.question import Link, Question
from pharmakon.retrieve.questions import Reader
from pharmakon.retrieve.roles import asks

ROWS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("said.yaml").read_text("utf-8"))
FIGURES = ("egfr", "crcl", "creatinine", "inr", "potassium")


@pytest.fixture(scope="module")
def reader(pharmakon: Pharmakon) -> Reader:
    return Reader(pharmakon.knowledge)


def slugs(links: tuple[Link, ...]) -> list[str]:
    return sorted({link.concepts[0].partition(":")[2] for link in links})


def in_role(question: Question, role: str) -> list[str]:
    return slugs(tuple(k for k in (*question.links, *question.aside) if k.role == role))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_a_question_is_about_what_it_asks_and_sets_the_rest_aside(reader: Reader, row: dict[str, Any]) -> None:
    question = reader.read(row["text"])
    if "named" in row:
        assert slugs(question.links) == sorted(row["named"])
    for role in ("asked", "taken", "had", "stopped", "denied"):
        if role in row:
            assert in_role(question, role) == sorted(row[role]), role


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_the_person_is_as_it_says(reader: Reader, row: dict[str, Any]) -> None:
    patient = reader.read(row["text"]).patient
    labs = {name: lab.value for name, lab in patient.labs}
    for name in set(FIGURES) & row.keys():
        assert labs.get(name) == row[name], name
    for state in {"pregnant", "lactating", "dialysis", "trimester"} & row.keys():
        assert getattr(patient, state) == row[state], state
    if "weight" in row:
        assert (patient.weight.value if patient.weight else None) == row["weight"]
    if "age" in row:
        low, high = row["age"] if isinstance(row["age"], list) else (row["age"], row["age"])
        assert patient.age == (None if low is None else (low, high))
    if "allergies" in row:
        known = None if patient.allergies is None else [a.substance.text for a in patient.allergies]
        assert known == row["allergies"]


@pytest.mark.parametrize("text", ["I take warfarin.", "Ik ben zwanger.", "我在吃华法林", "asthma since 2010"])
def test_a_statement_asks_nothing(text: str) -> None:
    assert not asks(text)


@pytest.mark.parametrize("text", ["side effects of warfarin", "Mag ik dit?", "能吃阿司匹林吗", "tell me about gout"])
def test_a_question_asks_with_or_without_its_mark(text: str) -> None:
    assert asks(text)
