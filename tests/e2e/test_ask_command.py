"""`pharmakon ask` and `pharmakon trace` as their users have them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.e2e.conftest import Cli

WARFARIN = "Can I take ibuprofen with warfarin?"


def test_an_answer_has_numbered_sources_with_the_place_of_publication(cli: Cli) -> None:
    out = cli("ask", WARFARIN).out
    assert "raises the risk of serious bleeding. [1]" in out
    assert "[1] warfarin: our statements, Drug interactions" in out
    assert "https://dailymed.nlm.nih.gov" in out


def test_json_has_the_published_shape(cli: Cli) -> None:
    schema = cli("schema-of", "ask").json
    for question in (WARFARIN, "What does warfarin cost?", "华法林和丹参能一起吃吗？"):
        found = cli("ask", question, "--json").json
        jsonschema.validate(found, schema)
        places = [c for s in found["sentences"] for c in s["citations"]]
        assert set(places) == set(range(len(found["citations"])))


def test_every_line_of_standard_input_is_a_turn(cli: Cli) -> None:
    found = cli("ask", "-", "--json", stdin=b"Can I take ibuprofen?\n\nand with warfarin?\n")
    assert len(found.lines) == 2
    assert any("ibuprofen" in note for note in found.lines[1]["notes"])


def test_the_route_is_explained_with_its_figures(cli: Cli) -> None:
    out = cli("ask", "What is amlodipine?", "--explain-route").out
    for figure in ("V = ", "D = ", "z = ", "τ₁ = 0.35"):
        assert figure in out
    early = cli("ask", WARFARIN, "--explain-route").out
    assert "drug_interaction" in early
    assert "nothing was measured" in early


def test_an_agent_can_be_named(cli: Cli) -> None:
    assert cli("ask", WARFARIN, "--agent", "dual_granularity", "--json").json["agent"] == "dual_granularity"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("",), "the question is empty"),
        (("x" * 5000,), "5000 characters"),
        ((WARFARIN, "--agent", "oracle"), "no agent 'oracle'"),
        ((WARFARIN, "--lang", "tlh"), "'tlh'"),
    ],
)
def test_a_call_that_can_not_be_taken_gets_one_line(cli: Cli, arguments: tuple[str, ...], complaint: str) -> None:
    found = cli("ask", *arguments)
    assert found.code == 2
    assert complaint in found.err
    assert len(found.err.splitlines()) == 1


def test_standard_input_without_a_question_or_that_is_no_text_is_refused(cli: Cli) -> None:
    assert cli("ask", "-", stdin=b"\n").code == 2
    assert cli("ask", "-", stdin=b"\xff\xfe").code == 2


def test_a_trace_is_kept_when_asked_for_and_drawn(cli: Cli) -> None:
    id = cli("ask", WARFARIN, "--trace-text", "--json").json["trace_id"]
    assert id in cli("trace", "list").out
    shown = cli("trace", "show", id).out
    assert WARFARIN in shown
    assert "decompose" in shown
    assert cli("trace", "export", id).out.startswith("flowchart TD")
    assert json.loads(cli("trace", "export", id, "--as", "json").out)["id"] == id
    again = cli("trace", "replay", id)
    assert (again.code, "the same" in again.out) == (0, True)


def test_a_trace_holds_no_question_unless_told_to(cli: Cli) -> None:
    id = cli("ask", "Can Mrs Featherstone take ibuprofen?", "--trace", "--json").json["trace_id"]
    assert "Featherstone" not in cli("trace", "export", id, "--as", "json").out
    refused = cli("trace", "replay", id)
    assert (refused.code, "does not hold its question" in refused.err) == (2, True)


def test_nothing_is_kept_unless_asked_for(cli: Cli, tmp_path: Path) -> None:
    before = cli("trace", "list").out
    assert cli("ask", WARFARIN, "--json").json["trace_id"] is None
    assert cli("trace", "list").out == before
    assert cli("trace", "list", "--home", tmp_path).out == ""


def test_an_unknown_trace_is_an_error(cli: Cli) -> None:
    assert cli("trace", "show", "tr-nothing").code == 2
