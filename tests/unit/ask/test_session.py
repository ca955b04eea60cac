"""What one turn of a conversation takes over from those before it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pharmakon.app.api import Pharmakon
from pharmakon.ask.session import Session
from pharmakon.model.question import Question
from pharmakon.retrieve.questions import Reader

ROWS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("turns.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def reader(pharmakon: Pharmakon) -> Reader:
    return Reader(pharmakon.knowledge)


def last_of(turns: list[str], reader: Reader) -> Question:
    session = Session()
    for text in turns:
        question = session.before(reader.read(text))
        session = session.after(question)
    return question


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " / ".join(row["turns"]))
def test_a_turn_takes_over_what_holds_for_it_and_nothing_else(reader: Reader, row: dict[str, Any]) -> None:
    question = last_of(row["turns"], reader)
    taken_over = {c.partition(":")[2] for link in question.carried for c in link.concepts[:1]}
    assert taken_over == set(row["carries"])
    shown = " ".join(link.words for link in question.carried)
    for words in row.get("shows", ()):
        assert words in shown


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " / ".join(row["turns"]))
def test_what_was_said_of_the_person_holds_for_the_person(reader: Reader, row: dict[str, Any]) -> None:
    patient = last_of(row["turns"], reader).patient
    labs = {name: lab.value for name, lab in patient.labs}
    for state in {"pregnant", "lactating"} & row.keys():
        assert getattr(patient, state) == row[state], state
    if "egfr" in row:
        assert labs.get("egfr") == row["egfr"]
    if "age" in row:
        assert patient.age == (row["age"], row["age"])
    if "allergies" in row:
        known = None if patient.allergies is None else [a.substance.text for a in patient.allergies]
        assert known == row["allergies"]


def test_what_is_denied_later_is_shown_as_denied(reader: Reader) -> None:
    question = last_of(["I'm 12 weeks pregnant", "I am not pregnant any more", "Can I take ibuprofen?"], reader)
    assert question.patient.pregnant is False
    assert question.patient.trimester is None
    assert [link.words for link in question.carried] == ["not pregnant"]


def test_what_is_carried_of_the_persons_state_names_nothing_and_is_shown(reader: Reader) -> None:
    question = last_of(["I'm allergic to penicillin and my eGFR is 25.", "Can I take amoxicillin?"], reader)
    assert {(link.role, link.concepts) for link in question.carried} == {("person", ())}
    assert len(question.carried) == 2
