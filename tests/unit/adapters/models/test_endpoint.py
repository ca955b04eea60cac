"""A server that speaks chat completions, and every way in which one fails."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from pharmakon.adapters.models import endpoint
from pharmakon.adapters.models.endpoint import Endpoint
from pharmakon.app.settings import model_settings
from pharmakon.model.errors import BadInput
from pharmakon.ports.language_model import ModelError, Prompt

pytest.importorskip("openai", reason="the extra `lm` is not installed")

PROMPT = Prompt("test.v1", "You answer.", "What is it?")
SCHEMA = {"type": "object", "properties": {"it": {"type": "string"}}, "required": ["it"]}


class Server(ThreadingHTTPServer):
    content: str = '{"it": "a tablet"}'
    finish: str = "stop"
    status: int = 200

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
        message = {"role": "assistant", "content": self.server.content}
        choice = {"index": 0, "finish_reason": self.server.finish, "message": message}
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]})
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(endpoint, "_RETRIES", 0)
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
