"""Answers, question graphs and phrases by a real small model over HTTP: all of it runs, what it makes up is dropped.

Opt in with PHARMAKON_REAL_MODEL=1 (`tests/e2e/serving.py`); `-s` shows what was dropped and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from pharmakon.adapters.models.endpoint import Endpoint
from pharmakon.app.api import Pharmakon
from pharmakon.ask.checking import Checker, Dropped
from pharmakon.ask.graphing import graph
from pharmakon.ask.phrasing import objection, phrase
from pharmakon.ask.triples import misshapen
from pharmakon.ask.writing import write
from pharmakon.model.answer import Draft
from pharmakon.model.finding import Report
from pharmakon.ports.language_model import Prompt
from pharmakon.retrieve.questions import Reader
from tests.e2e.serving import OPT_IN, small_model

pytestmark = OPT_IN
QUESTIONS = (
    "Can I take ibuprofen with warfarin?",
    "What does metformin treat?",
)


class Bounded:
    """So small a model ends no list by itself: it may write two short rows."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.name = endpoint.name

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        bounded = deepcopy(dict(schema))
        for rows in bounded["properties"].values():
            rows["maxItems"] = 2
            for field in rows["items"]["properties"].values():
                if field.get("type") == "string":
                    field["maxLength"] = 150
                elif field.get("type") == "array":
                    field["maxItems"] = 2
        return self.endpoint.answer(prompt, bounded)


@pytest.fixture(scope="module")
def model() -> Iterator[Bounded]:
    with small_model(tokens=300) as endpoint:
        yield Bounded(endpoint)


@pytest.fixture(scope="module")
def checker(pharmakon: Pharmakon) -> Checker:
    return Checker(pharmakon.knowledge, Reader(pharmakon.knowledge).links_of)


def show(title: str, dropped: tuple[Dropped, ...]) -> None:
    for one in dropped:
        print(f"{title}: dropped {one.text!r} ({one.why})")


def test_every_sentence_that_is_left_is_supported_and_the_rest_is_counted(
    model: Bounded, pharmakon: Pharmakon, checker: Checker
) -> None:
    dropped = 0
    for text in QUESTIONS:
        answered = pharmakon.ask(text)
        sentences = tuple(s for s in answered.answer.sentences if s.role == "claim")[:3]
        draft = Draft(sentences)
        written = write(answered.question, draft, model, checker)
        show(text, written.dropped)
        print(f"{text}: by the model {written.by_model}; {[s.text for s in written.draft.sentences]}; {written.notes}")
        dropped += len(written.dropped)
        assert written.by_model or (written.draft == draft and written.notes)
        assert not written.dropped or any(str(len(written.dropped)) in note for note in written.notes)
        for said in written.draft.sentences:
            assert said in sentences or checker.check(said.text, said.evidence, answered.answer.lang).supported
    assert dropped, "it made nothing up, which it never did before"
    entries = model.endpoint.ledger.entries
    assert entries
    assert all(e.usage.given and e.usage.made for e in entries)


def test_triples_that_are_left_stand(model: Bounded, pharmakon: Pharmakon) -> None:
    question = pharmakon.ask("What does metformin treat?").question
    found = graph(question, "indication", model)
    show("question graph", found.dropped)
    assert found.triples
    assert not any(misshapen(triple, question) for triple in found.triples)


def test_phrases_that_are_left_are_supported_by_their_finding(
    model: Bounded, audit: Callable[..., Report], checker: Checker
) -> None:
    report = audit("warfarin 5 mg once daily", "ibuprofen 400 mg three times daily")
    report = replace(report, findings=report.findings[:2])
    found = phrase(report, "patient", model, checker)
    show("phrase", found.dropped)
    print(f"phrases {found.phrases}, failed {found.failed}")
    for before, after in zip(report.findings, found.report.findings, strict=True):
        assert replace(after, summary=before.summary, management=before.management) == before
        for key in ("summary", "management"):
            ours, text = getattr(before, key), getattr(after, key)
            assert text == ours or not objection(text, ours, before, checker, "en")
