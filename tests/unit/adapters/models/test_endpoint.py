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


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.keys.append(self.headers.get("Authorization", ""))
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
    ("content", "finish", "status", "says"),
    [
        ("no JSON", "stop", 200, "is no JSON"),
        ("[1]", "stop", 200, "no JSON object"),
        ('{"it": "cut', "length", 200, "cut off"),
        ("{}", "stop", 401, "401"),
    ],
)
def test_what_it_can_not_use_is_one_line(server: Server, content: str, finish: str, status: int, says: str) -> None:
    server.content, server.finish, server.status = content, finish, status
    with pytest.raises(ModelError, match=says) as caught:
        at(server, key="very-secret").answer(PROMPT, SCHEMA)
    assert "\n" not in str(caught.value)
    assert "very-secret" not in str(caught.value)


def test_a_server_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "_RETRIES", 0)
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:9"):
        Endpoint("http://127.0.0.1:9/v1", "m").answer(PROMPT, SCHEMA)


def test_the_key_is_sent_and_not_shown(server: Server) -> None:
    model = at(server, key="very-secret")
    model.answer(PROMPT, SCHEMA)
    assert server.keys == ["Bearer very-secret"]
    assert "very-secret" not in repr(model)
