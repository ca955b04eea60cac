"""What one turn of a conversation takes over from those before it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from pharmakon.app.api import Pharmakon
from pharmakon.ask.session import Session, closes
from pharmakon.model.question import Question
from pharmakon.retrieve.questions import Reader

ROWS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("turns.yaml").read_text("utf-8"))


LastOf = Callable[[list[str]], Question]


@pytest.fixture(scope="module")
def last_of(pharmakon: Pharmakon) -> LastOf:
    """The last of some turns, with what it takes over from those before."""
    reader = Reader(pharmakon.knowledge)

    def read(turns: list[str]) -> Question:
        session = Session()
        for text in turns:
            question = session.before(reader.read(text), pharmakon.knowledge)
            session = session.after(question)
        return question

    return read


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " / ".join(row["turns"]))
def test_a_turn_takes_over_what_holds_for_it_and_nothing_else(last_of: LastOf, row: dict[str, Any]) -> None:
    question = last_of(row["turns"])
    taken_over = {c.partition(":")[2] for link in question.carried for c in link.concepts[:1]}
    assert taken_over == set(row["carries"])
    shown = " ".join(link.words for link in question.carried)
    for words in row.get("shows", ()):
        assert words in shown
    sought = [c.partition(":")[2] for link in question.links if link.wanted for c in link.concepts[:1]]
    assert sought == ([row["seeks"]] if "seeks" in row else [])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " / ".join(row["turns"]))
def test_what_was_said_of_the_person_holds_for_the_person(last_of: LastOf, row: dict[str, Any]) -> None:
    patient = last_of(row["turns"]).patient
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


def test_what_is_denied_later_is_shown_as_denied(last_of: LastOf) -> None:
    question = last_of(["I'm 12 weeks pregnant", "I am not pregnant any more", "Can I take ibuprofen?"])
    assert question.patient.pregnant is False
    assert question.patient.trimester is None
    assert [link.words for link in question.carried] == ["not pregnant"]


def test_what_is_carried_of_the_persons_state_names_nothing_and_is_shown(last_of: LastOf) -> None:
    question = last_of(["I'm allergic to penicillin and my eGFR is 25.", "Can I take amoxicillin?"])
    assert {(link.role, link.concepts) for link in question.carried} == {("person", ())}
    assert len(question.carried) == 2


@pytest.mark.parametrize(
    "text",
    ["Thanks, that's all", "ok thank you!", "Great, thanks for your help.", "bye", "bedankt",
     "Dank je wel, dat was alles", "oké, duidelijk", "谢谢", "好的，谢谢您", "没有了，再见"],
)  # fmt: skip
def test_thanks_and_leave_close(text: str) -> None:
    assert closes(Question(text, "en"))


@pytest.mark.parametrize(
    "text",
    ["Thanks. And with alcohol?", "ok, ibuprofen", "no", "good for pain?", "Is that all?", "bedankt, en met alcohol?",
     "goed bij pijn?", "谢谢，那能喝酒吗", "好的，那布洛芬呢", "thanks, I also take warfarin", ""],
)  # fmt: skip
def test_what_asks_or_tells_beside_the_thanks_does_not(text: str) -> None:
    assert not closes(Question(text, "en"))
