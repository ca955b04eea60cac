"""`pharmakon audit --batch`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import ROOT, Cli

Write = Callable[[str, object], Path]
GOOD = [json.dumps({"medications": [{"drug": d}], "as_of": "2026-03-02"}) for d in ("warfarin", "metformin")]


def test_every_line_answers_in_its_place_and_a_failed_one_says_why(cli: Cli, write: Write) -> None:
    lines = [GOOD[0], '{"medications": [', GOOD[1], '{"medications": [{"drug": "w", "dosee": 1}]}']
    path = write("b.ndjson", "\n".join(lines).encode())
    done = cli("audit", path, "--batch")
    assert done.code == 0
    assert [line["line"] for line in done.lines] == [1, 2, 3, 4]
    assert [("error" in line) for line in done.lines] == [False, True, False, True]
    assert [line["drugs"][0]["name"] for line in done.lines if "drugs" in line] == ["warfarin", "metformin"]
    assert "line 2" in done.lines[1]["error"]["where"]
    assert "dosee" in done.lines[3]["error"]["what"]
    assert "b.ndjson: 2 of 4 prescriptions could not be read" in done.err
    assert done.err.count("\n") == 1


def test_the_shipped_batch_runs(cli: Cli) -> None:
    assert len(cli("audit", ROOT / "examples" / "batch.ndjson", "--batch").lines) == 4


@pytest.mark.parametrize("content", [b"", b"\n\n", b'{"medications"\nnot json\n'])
def test_a_batch_in_which_nothing_can_be_read_is_exit_2(cli: Cli, write: Write, content: bytes) -> None:
    done = cli("audit", write("b.ndjson", content), "--batch")
    assert done.code == 2
    assert "b.ndjson" in done.err
    assert done.err.count("\n") == 1


def test_a_batch_fails_on_the_worst_of_its_lines(cli: Cli, write: Write) -> None:
    bad = {
        "patient": {"labs": {"egfr": {"value": 22, "unit": "mL/min/1.73m2"}}},
        "medications": [{"drug": "metformin"}],
    }
    path = write("b.ndjson", f"{GOOD[0]}\n{json.dumps(bad)}\n{GOOD[1]}\n".encode())
    assert cli("audit", path, "--batch", "--fail-on", "critical").code == 1
    assert cli("audit", write("g.ndjson", GOOD[0].encode()), "--batch", "--fail-on", "critical").code == 0


def test_a_batch_can_answer_in_fhir(cli: Cli) -> None:
    lines = cli("audit", "-", "--batch", "--fhir", stdin="\n".join(GOOD).encode()).lines
    assert [line["resourceType"] for line in lines] == ["Bundle", "Bundle"]


@pytest.mark.slow
def test_several_processes_say_what_one_says_in_the_same_order(cli: Cli, write: Write) -> None:
    lines = [GOOD[n % 2] if n % 7 else '{"medications": 3}' for n in range(60)]
    path = write("b.ndjson", "\n".join(lines).encode())
    assert cli("audit", path, "--batch", "--jobs", 2).out == cli("audit", path, "--batch").out
