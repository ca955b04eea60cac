"""Nothing reaches a reader that the guard has not let pass: every face, every agent, with a model and without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from pharmakon.app.api import Pharmakon
from pharmakon.ask.agents import AGENTS
from pharmakon.ask.checking import Checker
from pharmakon.ask.pipeline import Asker, Asking
from pharmakon.audit.run import Auditor
from pharmakon.faces.cli import main as command_line
from pharmakon.model.answer import Conflict, Draft, Verification
from pharmakon.model.question import Question
from pharmakon.model.vocabulary import Tier
from pharmakon.retrieve.passages import Retriever
from pharmakon.retrieve.support import Verdict
from pharmakon.verify.guard import Guard
from pharmakon.verify.track import Context
from tests.unit.ask.scripted import says

DRAFTS: dict[str, dict[str, list[dict[str, str]]]] = yaml.safe_load(
    (Path(__file__).parents[1] / "unit" / "verify" / "drafts.yaml").read_text("utf-8")
)
UNSAFE = [row for rows in DRAFTS["unsafe"].values() for row in rows]
QUESTION = "What is amlodipine used for in angina?"


# ── faces ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def nothing_passes(monkeypatch: pytest.MonkeyPatch) -> list[Draft]:
    """A guard that discards every draft, and the drafts it was shown."""
    seen: list[Draft] = []

    def check(self: Guard, draft: Draft, question: Question, context: Context) -> Verification:
        seen.append(draft)
        conflict = Conflict(
            "INTERACTION_DRUG_DRUG", Tier.CRITICAL, ("a", "b"), ("a", "interacts_with", "b"), "DISCARDED", "", ()
        )
        return Verification("intercepted", (conflict,))

    monkeypatch.setattr(Guard, "check", check)
    return seen


@pytest.mark.parametrize("agent", ["", *AGENTS])
def test_no_agent_answers_past_the_guard(pharmakon: Pharmakon, nothing_passes: list[Draft], agent: str) -> None:
    answer = pharmakon.ask(QUESTION, agent=agent).answer
    drafted = {s.text for draft in nothing_passes for s in draft.sentences if s.role != "frame"}
    assert answer.abstained or drafted
    assert drafted.isdisjoint(s.text for s in answer.sentences)


@pytest.mark.parametrize("arguments", [(), ("--json",), ("--explain-route",), ("--trace-text",), ("--professional",)])
def test_the_command_line_says_nothing_that_was_discarded(
    pharmakon: Pharmakon, nothing_passes: list[Draft], capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert command_line.run(["ask", QUESTION, "--home", str(pharmakon.home), *arguments]) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert nothing_passes
    for draft in nothing_passes:
        assert not [s.text for s in draft.sentences if s.role != "frame" and s.text in out]


def test_a_trace_and_its_replay_hold_nothing_that_was_discarded(
    pharmakon: Pharmakon, nothing_passes: list[Draft], capfd: pytest.CaptureFixture[str]
) -> None:
    home = ["--home", str(pharmakon.home)]
    command_line.run(["ask", QUESTION, "--trace-text", "--json", *home])
    id = json.loads(capfd.readouterr().out)["trace_id"]
    for command in (["trace", "show", id], ["trace", "export", id, "--as", "json"], ["trace", "replay", id]):
        command_line.run([*command, *home])
        out = " ".join(capfd.readouterr().out.split())
        assert not [s.text for draft in nothing_passes for s in draft.sentences if s.role != "frame" and s.text in out]


# ── a model's drafts ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def believing(pharmakon: Pharmakon) -> Iterator[Any]:
    """An asker whose support check believes everything, so that only the guard stands between a model and a reader."""

    def asker(model: object) -> Asker:
        auditor = Auditor(pharmakon.knowledge)
        return Asker(pharmakon.knowledge, auditor, Retriever(pharmakon.knowledge, None), model)  # type: ignore[arg-type]

    one = asker(None)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Checker, "check", lambda *_: Verdict(True, "believed"))
        yield one


@pytest.mark.parametrize("row", UNSAFE, ids=lambda row: row["say"][:60])
def test_a_model_that_gives_leave_for_what_conflicts_is_not_heard(believing: Asker, row: dict[str, str]) -> None:
    believing._model = says((row["say"], [1]))
    names = [link.words for link in believing._reader.read(row["say"]).links]
    asked = row["q"] or f"{', '.join(names)}?"
    answer = believing.ask(asked, Asking(lang=row.get("lang", "en"), model=True)).answer
    assert row["say"] not in [s.text for s in answer.sentences]
    text = " ".join(s.text for s in answer.sentences)
    assert row["say"] not in text
