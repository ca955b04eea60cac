"""A server that speaks chat completions, and every way in which one fails."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pharmakon.adapters.models import endpoint, trying
from pharmakon.adapters.models.endpoint import Endpoint
from pharmakon.adapters.models.ledger import Ledger, Price, Usage
from pharmakon.adapters.models.remembered import Remembered
from pharmakon.app.settings import model_settings
from pharmakon.model.errors import BadInput
from pharmakon.ports.language_model import ModelError, Prompt

pytest.importorskip("openai", reason="the extra `lm` is not installed")

USAGE = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
PROMPT = Prompt("test.v1", "You answer.", "What is it?")
SCHEMA = {"type": "object", "properties": {"it": {"type": "string"}}, "required": ["it"]}


class Server(ThreadingHTTPServer):
    content: str = '{"it": "a tablet"}'
    finish: str = "stop"
    status: int = 200
    refusals: tuple[tuple[int, str, str], ...] = ()  #: (status, Retry-After, body) of the first requests

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.hang = threading.Event()  #: what an answer waits for
        self.hang.set()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.keys.append(self.headers.get("Authorization", ""))
        if not self.server.hang.is_set():
            self.server.hang.wait(10)
            return  # whoever asked has gone
        if self.server.refusals:
            (status, after, body), *rest = self.server.refusals
            self.server.refusals = tuple(rest)
            self.send_response(status)
            if after:
                self.send_header("Retry-After", after)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())
            return
        message = {"role": "assistant", "content": self.server.content}
        choice = {"index": 0, "finish_reason": self.server.finish, "message": message}
        body = json.dumps(
            {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": USAGE}
        )
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(endpoint, "_RETRIES", 0)
    monkeypatch.setattr(trying, "_FIRST", 0.0)
    found = Server()
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def at(server: Server, key: str = "") -> Endpoint:
    return Endpoint(f"http://127.0.0.1:{server.server_port}/v1", "m", key)


def test_it_asks_for_the_schema_and_gives_the_object(server: Server) -> None:
    assert at(server).answer(PROMPT, SCHEMA) == {"it": "a tablet"}
    (asked,) = server.asked
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA
    assert [m["content"] for m in asked["messages"]] == ["You answer.", "What is it?"]
    assert asked["temperature"] == 0


@pytest.mark.parametrize(
    ("content", "finish", "status", "says", "why"),
    [
        ("no JSON", "stop", 200, "is no JSON", "no JSON"),
        ("[1]", "stop", 200, "no JSON object", "no JSON"),
        ('{"it": "cut', "length", 200, "cut off", "cut off"),
        ("{}", "stop", 401, "401", "refused"),
    ],
)
def test_what_it_can_not_use_is_one_line_and_a_reason_to_count_by(
    server: Server, content: str, finish: str, status: int, says: str, why: str
) -> None:
    server.content, server.finish, server.status = content, finish, status
    with pytest.raises(ModelError, match=says) as caught:
        at(server, key="very-secret").answer(PROMPT, SCHEMA)
    assert caught.value.why == why
    assert "\n" not in str(caught.value)
    assert "very-secret" not in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        "", "<html>portal</html>", "null", "[]", '"x"', "{}", '{"choices":[]}', '{"choices":[{}]}',
        '{"choices":[null]}',
        '{"choices":"abc"}', '{"choices":{"a":1}}', '{"choices":[{"message":null}]}',
        '{"choices":[{"message":{"content":["x"]}}]}', "[" * 100_000,
    ],
    ids=lambda body: body[:20] or "empty",
)  # fmt: skip
def test_a_reply_of_any_other_shape_is_one_line(server: Server, body: str) -> None:
    server.refusals = ((200, "", body),)
    with pytest.raises(ModelError) as raised:
        at(server).answer(PROMPT, SCHEMA)
    assert "\n" not in str(raised.value)
    assert "cut off" not in str(raised.value)


def test_an_endless_answer_is_not_read(server: Server) -> None:
    server.content = json.dumps({"it": "a" * 200_000})
    with pytest.raises(ModelError, match="characters"):
        at(server).answer(PROMPT, SCHEMA)


def test_what_a_server_says_is_shown_without_the_key_and_without_control_characters(server: Server) -> None:
    server.refusals = ((401, "", '{"error":{"message":"bad key sk-SECRET \\u001b[31m"}}'),)
    with pytest.raises(ModelError) as raised:
        at(server, "sk-SECRET").answer(PROMPT, SCHEMA)
    assert "sk-SECRET" not in str(raised.value)
    assert str(raised.value).isprintable()


def test_a_server_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "_RETRIES", 0)
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:9") as caught:
        Endpoint("http://127.0.0.1:9/v1", "m").answer(PROMPT, SCHEMA)
    assert caught.value.why == "unreachable"


def test_a_server_that_takes_too_long_is_a_timeout(server: Server) -> None:
    server.hang.clear()
    with pytest.raises(ModelError) as caught:
        Endpoint(f"http://127.0.0.1:{server.server_port}/v1", "m", seconds=1).answer(PROMPT, SCHEMA)
    server.hang.set()
    assert caught.value.why == "timeout"


def test_the_longest_answer_is_asked_for(server: Server) -> None:
    Endpoint(f"http://127.0.0.1:{server.server_port}/v1", "m", tokens=77).answer(PROMPT, SCHEMA)
    assert [asked["max_tokens"] for asked in server.asked] == [77]


@pytest.mark.parametrize("given", ["0", "-1", "many", "1.5"])
def test_a_limit_that_is_no_whole_number_is_refused(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHARMAKON_LM_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("PHARMAKON_LM_MODEL", "m")
    monkeypatch.setenv("PHARMAKON_LM_TOKENS", "500")
    assert (model_settings().tokens, model_settings().seconds) == (500, endpoint.SECONDS)
    monkeypatch.setenv("PHARMAKON_LM_TOKENS", given)
    with pytest.raises(BadInput, match=r"PHARMAKON_LM_TOKENS is .*whole number above 0"):
        model_settings()


def test_the_key_is_sent_and_not_shown(server: Server) -> None:
    model = at(server, key="very-secret")
    model.answer(PROMPT, SCHEMA)
    assert server.keys == ["Bearer very-secret"]
    assert "very-secret" not in repr(model)


# ── trying again ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
def test_what_may_pass_is_tried_again(server: Server, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setattr(endpoint, "_RETRIES", 2)
    server.refusals = ((status, "", "{}"), (status, "0", "{}"))
    assert at(server).answer(PROMPT, SCHEMA) == {"it": "a tablet"}
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_will_not_pass_is_asked_once(server: Server, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setattr(endpoint, "_RETRIES", 2)
    server.refusals = ((status, "", "{}"),)
    with pytest.raises(ModelError) as caught:
        at(server).answer(PROMPT, SCHEMA)
    assert caught.value.why == "refused"
    assert len(server.asked) == 1


def test_a_server_that_wants_to_be_left_alone_for_longer_than_there_is_time_is_left_alone(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_RETRIES", 2)
    server.refusals = ((429, "3600", "{}"),)
    with pytest.raises(ModelError, match="429"):
        at(server).answer(PROMPT, SCHEMA)
    assert len(server.asked) == 1


def test_a_server_that_knows_no_schemas_is_told_the_shape_in_words(server: Server) -> None:
    server.refusals = ((400, "", '{"error": {"message": "response_format json_schema is not supported"}}'),)
    assert at(server).answer(PROMPT, SCHEMA) == {"it": "a tablet"}
    first, second = server.asked
    assert first["response_format"]["type"] == "json_schema"
    assert second["response_format"] == {"type": "json_object"}
    assert json.dumps(SCHEMA) in second["messages"][0]["content"]


def test_json_in_a_fence_after_a_thought_is_read(server: Server) -> None:
    server.content = '<think>{"it": "a thought"}</think>Here it is:\n```json\n{"it": "a tablet"}\n```'
    assert at(server).answer(PROMPT, SCHEMA) == {"it": "a tablet"}


def test_a_prompt_says_its_temperature_and_a_shorter_answer(server: Server) -> None:
    at(server).answer(replace(PROMPT, temperature=0.3, tokens=50), SCHEMA)
    at(server).answer(replace(PROMPT, tokens=999_999), SCHEMA)
    assert [(a["temperature"], a["max_tokens"]) for a in server.asked] == [(0.3, 50), (0, endpoint.MOST_TOKENS)]


# ── counting, remembering, cancelling ────────────────────────────────────────────────────────────────


def test_tokens_and_costs_are_kept_by_call_and_in_sum(server: Server) -> None:
    model = replace(at(server), price=Price(2.0, 10.0))
    model.answer(PROMPT, SCHEMA)
    model.answer(PROMPT, SCHEMA)
    first, _ = model.ledger.entries
    assert (first.prompt, first.model, first.usage) == ("test.v1", "m", Usage(1000, 100))
    assert first.cost == pytest.approx(0.003)
    assert model.ledger.tokens == Usage(2000, 200)
    assert model.ledger.spent == pytest.approx(0.006)


def test_an_answer_that_can_not_be_used_is_paid_for_all_the_same(server: Server) -> None:
    server.content = "no JSON"
    model = replace(at(server), price=Price(2.0, 10.0))
    with pytest.raises(ModelError):
        model.answer(PROMPT, SCHEMA)
    assert model.ledger.spent == pytest.approx(0.003)


def test_a_budget_that_is_spent_refuses_further_calls_in_one_line(server: Server) -> None:
    ledger = Ledger(budget=0.003)
    model = replace(at(server), price=Price(2.0, 10.0), ledger=ledger)
    model.answer(PROMPT, SCHEMA)
    with pytest.raises(ModelError, match=r"budget of 0\.003 .* is spent .*1 calls") as caught:
        replace(at(server), name="full", ledger=ledger).answer(PROMPT, SCHEMA)
    assert caught.value.why == "budget spent"
    assert len(server.asked) == 1


def test_the_same_question_is_asked_once(server: Server, tmp_path: Path) -> None:
    model = replace(at(server), remembered=Remembered(tmp_path / "new" / "answers.db"))
    assert model.answer(PROMPT, SCHEMA) == model.answer(PROMPT, SCHEMA) == {"it": "a tablet"}
    again = replace(at(server), remembered=Remembered(tmp_path / "new" / "answers.db"))
    assert again.answer(PROMPT, SCHEMA) == {"it": "a tablet"}
    assert len(server.asked) == 1
    assert (again.ledger.remembered, again.ledger.entries) == (1, [])


def test_another_prompt_schema_model_or_tier_is_another_question(server: Server, tmp_path: Path) -> None:
    model = replace(at(server), remembered=Remembered(tmp_path / "answers.db"))
    model.answer(PROMPT, SCHEMA)
    model.answer(replace(PROMPT, user="What else?"), SCHEMA)
    model.answer(PROMPT, {**SCHEMA, "required": []})
    replace(model, name="other").answer(PROMPT, SCHEMA)
    replace(model, tier="full").answer(PROMPT, SCHEMA)
    model.answer(replace(PROMPT, tokens=7), SCHEMA)
    assert len(server.asked) == 6


def test_a_warm_question_is_remembered_only_where_that_is_wanted(server: Server, tmp_path: Path) -> None:
    warm = replace(PROMPT, temperature=0.7)
    model = replace(at(server), remembered=Remembered(tmp_path / "answers.db"))
    model.answer(warm, SCHEMA)
    model.answer(warm, SCHEMA)
    assert len(server.asked) == 2
    keeping = replace(model, remembered=Remembered(tmp_path / "answers.db", warm=True))
    keeping.answer(warm, SCHEMA)
    keeping.answer(warm, SCHEMA)
    assert len(server.asked) == 3


def test_a_failure_is_not_remembered(server: Server, tmp_path: Path) -> None:
    model = replace(at(server), remembered=Remembered(tmp_path / "answers.db"))
    server.content = "no JSON"
    with pytest.raises(ModelError):
        model.answer(PROMPT, SCHEMA)
    server.content = '{"it": "a tablet"}'
    assert model.answer(PROMPT, SCHEMA) == {"it": "a tablet"}


def test_a_memory_that_is_broken_is_done_without(server: Server, tmp_path: Path) -> None:
    (tmp_path / "answers.db").write_bytes(b"this is no database" * 100)
    model = replace(at(server), remembered=Remembered(tmp_path / "answers.db"))
    assert model.answer(PROMPT, SCHEMA) == {"it": "a tablet"}


def test_a_call_under_way_ends_when_it_is_cancelled(server: Server) -> None:
    server.hang.clear()
    cancelled = threading.Event()
    model = replace(at(server), cancelled=cancelled)

    def cancel() -> None:
        while not server.asked:
            time.sleep(0.01)
        cancelled.set()

    threading.Thread(target=cancel, daemon=True).start()
    with pytest.raises(ModelError) as caught:
        model.answer(PROMPT, SCHEMA)
    server.hang.set()
    assert caught.value.why == "cancelled"


def test_nothing_is_asked_after_that(server: Server) -> None:
    model = at(server)
    model.cancelled.set()
    with pytest.raises(ModelError, match="cancelled"):
        model.answer(PROMPT, SCHEMA)
    assert server.asked == []
