"""An embeddings endpoint, and every way in which one fails."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from pharmakon.adapters.models import embeddings, trying
from pharmakon.adapters.models.embeddings import EmbeddingsEndpoint
from pharmakon.ports.embedder import NoEmbedder

pytest.importorskip("openai", reason="the extra `lm` is not installed")


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[list[str]] = []
        self.vectors: Callable[[list[str]], list[Any]] = lambda texts: [[float(len(t)), 1.0, 0.0] for t in texts]
        self.statuses: list[int] = []


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked["input"])
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        vectors = enumerate(self.server.vectors(asked["input"]))
        rows: list[Any] = [{"object": "embedding", "index": n, "embedding": v} for n, v in vectors]
        body = {"object": "list", "model": "m", "data": rows[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body if status == 200 else {}).encode())

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(trying, "_FIRST", 0.0)
    found = Server()
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def at(server: Server, **prefixes: str) -> EmbeddingsEndpoint:
    return EmbeddingsEndpoint(f"http://127.0.0.1:{server.server_port}/v1", "m", "very-secret", **prefixes)


def test_vectors_come_in_the_order_of_the_texts_and_of_unit_length(server: Server) -> None:
    found = at(server).passages(["a", "bbb"])
    assert found.shape == (2, 3)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, rtol=1e-6)
    assert found[1, 0] > found[0, 0]


def test_many_texts_are_sent_in_batches(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "BATCH", 2)
    assert at(server).passages(["a", "b", "c", "d", "e"]).shape == (5, 3)
    assert [len(asked) for asked in server.asked] == [2, 2, 1]


def test_the_name_tells_the_model_and_its_dimension(server: Server) -> None:
    embedder = at(server)
    assert (embedder.dimension, embedder.name) == (3, "m/3")


def test_questions_and_passages_get_the_prefixes_a_model_wants(server: Server) -> None:
    embedder = at(server, query_prefix="query: ", passage_prefix="passage: ")
    embedder.query("a")
    embedder.passages(["b"])
    assert server.asked == [["query: a"], ["passage: b"]]


def test_a_busy_server_is_asked_again(server: Server) -> None:
    server.statuses = [503, 429]
    assert at(server).query("a").shape == (3,)


def test_no_passages_are_no_vectors(server: Server) -> None:
    assert at(server).passages([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("vectors", "says"),
    [([], "one vector"), ([[0.0, 0.0]], "no length"), ([[float("nan"), 1.0]], "one vector")],
)
def test_what_it_can_not_use_is_one_line_without_the_key(server: Server, vectors: list[Any], says: str) -> None:
    server.vectors = lambda _: vectors
    with pytest.raises(NoEmbedder, match=says) as caught:
        at(server).query("a")
    assert "very-secret" not in str(caught.value)


def test_a_model_that_changes_its_dimension_is_refused(server: Server) -> None:
    embedder = at(server)
    embedder.query("a")
    server.vectors = lambda _: [[1.0, 0.0]]
    with pytest.raises(NoEmbedder, match="2 numbers after 3"):
        embedder.query("b")


def test_a_server_that_refuses_is_one_line(server: Server) -> None:
    server.statuses = [401]
    with pytest.raises(NoEmbedder, match="401"):
        at(server).query("a")
    assert "very-secret" not in repr(at(server))
