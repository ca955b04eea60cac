"""What a program gets over HTTP: the same shapes as on the command line, one clear complaint, nothing lost."""

from __future__ import annotations

import json
import os
import signal
from typing import Any

import httpx
import jsonschema
import pytest

from pharmakon.app import api
from pharmakon.app.api import Pharmakon
from pharmakon.app.service import Service
from pharmakon.faces.api.bodies import LARGEST

ORDERS: dict[str, Any] = {
    "patient": {"age": 82},
    "medications": [{"drug": "warfarin 5 mg"}, {"drug": "ibuprofen 400 mg"}],
    "as_of": "2026-03-02",
}


def test_an_audit_is_the_report_of_the_command_line(client: httpx.Client, pharmakon: Pharmakon) -> None:
    found = client.post("/v1/audit", json=ORDERS)
    assert found.status_code == 200
    assert found.json() == api.as_dict(pharmakon.audit(ORDERS))
    jsonschema.validate(found.json(), api.schema_of("audit"))


def test_findings_come_as_fhir_where_they_are_asked_for_so(client: httpx.Client) -> None:
    found = client.post("/v1/audit?fhir=true", json=ORDERS)
    assert found.headers["content-type"] == "application/fhir+json"
    assert {e["resource"]["resourceType"] for e in found.json()["entry"]} >= {"DetectedIssue"}


def test_our_words_are_in_the_language_asked_for(client: httpx.Client) -> None:
    assert client.post("/v1/audit?lang=nl", json=ORDERS).json() != client.post("/v1/audit", json=ORDERS).json()


@pytest.mark.parametrize(
    ("body", "status", "what"),
    [
        (b"{", 400, "JSON"),
        (b"", 400, ""),
        (b'{"medication": []}', 400, "unknown key 'medication'"),
        (b"\xff\xfe", 400, "UTF-8"),
        (b" " * (LARGEST + 1), 413, "too large"),
    ],
)
def test_what_is_wrong_is_one_complaint_in_the_error_shape(
    client: httpx.Client, body: bytes, status: int, what: str
) -> None:
    found = client.post("/v1/audit", content=body)
    assert found.status_code == status
    jsonschema.validate(found.json(), api.schema_of("error"))
    assert what in found.json()["error"]["what"]


@pytest.mark.parametrize("query", ["lang=fr", "as_of=yesterday", "explain=perhaps"])
def test_a_wrong_parameter_is_named(client: httpx.Client, query: str) -> None:
    found = client.post(f"/v1/audit?{query}", json=ORDERS)
    assert found.status_code == 422
    assert query.partition("=")[0] in found.json()["error"]["where"]


def test_a_batch_gives_one_line_for_each_in_order_and_loses_none(client: httpx.Client) -> None:
    lines = [json.dumps(ORDERS), "no JSON", "", json.dumps({**ORDERS, "as_of": "2026-03-03"})] * 10
    found = client.post("/v1/audit/batch", content="\n".join(lines))
    rows = [json.loads(line) for line in found.text.splitlines()]
    assert [row["line"] for row in rows] == [n for n, line in enumerate(lines, 1) if line]
    assert [("error" in row) for row in rows] == [line == "no JSON" for line in lines if line]


def test_an_answer_has_its_sources_and_goes_on_in_a_session(client: httpx.Client) -> None:
    first = client.post("/v1/ask", json={"question": "Can I take ibuprofen with warfarin?"}).json()
    session = first.pop("session")
    jsonschema.validate(first, api.schema_of("ask"))
    assert first["citations"]
    after = client.post("/v1/ask", json={"question": "and paracetamol?", "session": session}).json()
    assert "warfarin" in after["answer"].casefold()
    assert after["session"] == session


def test_a_session_that_nobody_was_given_is_refused(client: httpx.Client) -> None:
    found = client.post("/v1/ask", json={"question": "and with alcohol?", "session": "guessed"})
    assert found.status_code == 400
    assert found.json()["error"]["where"] == "session"


def test_an_unknown_path_is_a_complaint_too(client: httpx.Client) -> None:
    found = client.get("/v1/nothing")
    assert found.status_code == 404
    jsonschema.validate(found.json(), api.schema_of("error"))


def test_who_calls_this_machine_by_another_name_is_refused(client: httpx.Client) -> None:
    found = client.post("/v1/audit", json=ORDERS, headers={"Host": "attacker.example"})
    assert found.status_code == 400
    assert found.json()["error"]["where"] == "Host"


def test_nothing_about_people_is_kept_by_what_stands_between(client: httpx.Client) -> None:
    found = client.post("/v1/audit", json=ORDERS)
    assert found.headers["cache-control"] == "no-store"
    assert found.headers["x-content-type-options"] == "nosniff"


def test_the_openapi_document_holds_the_published_shapes(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    assert set(api.SHAPES) <= document["components"]["schemas"].keys()
    for reference in _references(document):
        _resolve(document, reference)


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [r for v in value.values() for r in _references(v)]
    return [r for v in value for r in _references(v)] if isinstance(value, list) else []


def _resolve(document: Any, reference: str) -> Any:
    found = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def test_it_says_which_knowledge_it_is_ready_with(client: httpx.Client, pharmakon: Pharmakon) -> None:
    assert client.get("/health").json() == {"status": "alive"}
    assert client.get("/ready").json()["knowledge_version"] == pharmakon.knowledge.version()


def test_a_process_that_is_killed_is_said_and_replaced(client: httpx.Client, service: Service) -> None:
    assert client.post("/v1/audit", json=ORDERS).status_code == 200
    for process in list(service._pool._processes.values()):
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
    statuses = [client.post("/v1/audit", json=ORDERS).status_code for _ in range(2)]
    assert statuses[-1] == 200
