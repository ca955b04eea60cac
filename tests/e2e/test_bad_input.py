"""Everything a caller can get wrong: exit 2, one line that names the place, nothing on standard output."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pharmakon.app.api import schema_of
from tests.e2e.conftest import ROOT, Cli

Write = Callable[[str, object], Path]


def order(**fields: Any) -> dict[str, Any]:
    return {"medications": [{"drug": "warfarin 5 mg", **fields}]}


BAD: dict[str, tuple[object, str]] = {
    "truncated": (b'{"medications": [{"drug": "warf', "JSON"),
    "empty": (b"", "nothing"),
    "resource type": ({"resourceType": "Patient", "id": "1"}, "medication"),
    "negative dose": (order(dose={"value": -5, "unit": "mg"}), "medications[0].dose"),
    "zero dose": (order(dose={"value": 0, "unit": "mg"}), "medications[0].dose"),
    "unknown unit": ({"patient": {"creatinine": {"value": 1, "unit": "furlong"}}, **order()}, "furlong"),
    "unknown key": ({"patient": {"agee": 82}, **order()}, "'agee'"),
    "key twice": (b'{"medications": [], "medications": []}', "twice"),
    "not UTF-8": (b'{"medications": [{"drug": "\xff\xfe"}]}', "UTF-8"),
    "no medication": ({"medications": []}, "medication"),
    "end before start": (order(start="2026-03-01", end="2026-01-01"), "medications[0].end"),
    "impossible date": (order(start="2026-02-31"), "medications[0].start"),
    "deep nesting": (b'{"medications": ' + b"[" * 5000 + b"]" * 5000 + b"}", "deep"),
    "NaN": (b'{"patient": {"age": NaN}, "medications": [{"drug": "x"}]}', "NaN"),
    "two byte order marks": (b"\xef\xbb\xbf\xef\xbb\xbf{}", "a second byte order mark"),
    "a trimester of no pregnancy": ({"patient": {"pregnant": False, "trimester": 1}, **order()}, "patient.trimester"),
    "a novel for a direction": (order(sig="x" * 2001), "medications[0].sig"),
    "XML": (b"<Bundle/>", "XML"),
    "a list of numbers": (b"[1, 2]", ""),
    "text": (b'"warfarin"', ""),
    "line feeds in a name": (order(status="new\nline"), "status"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_that_names_the_file_and_exit_2(cli: Cli, write: Write, name: str) -> None:
    content, mention = BAD[name]
    path = write("bad.json", content)
    done = cli("audit", path)
    assert done.code == 2
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert done.err.startswith("pharmakon: ")
    assert "bad.json" in done.err
    assert mention in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", ["truncated", "unknown key", "deep nesting"])
def test_under_json_a_complaint_is_json_on_standard_output(cli: Cli, write: Write, name: str) -> None:
    done = cli("audit", write("bad.json", BAD[name][0]), "--json")
    assert done.code == 2
    assert done.err == ""
    Draft202012Validator(schema_of("error")).validate(done.json)
    assert "bad.json" in done.json["error"]["where"]


def test_a_file_larger_than_any_prescription_is_refused_without_reading_it_all(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.truncate(3 << 30)  # sparse: takes no room
    done = cli("audit", path)
    assert done.code == 2
    assert "huge.json: the input is too large" in done.err


@pytest.mark.parametrize(
    ("args", "mention"),
    [
        (["audit"], "FILE"),
        (["audit", "nowhere.json"], "nowhere.json"),
        (["audit", "./nowhere.json"], "nowhere.json"),
        (["audit", "examples"], "examples"),
        (["audit", "examples/community.json", "--lang", "fr"], "--lang"),
        (["audit", "examples/community.json", "--fail-on", "grave"], "--fail-on"),
        (["audit", "examples/community.json", "--as-of", "yesterday"], "--as-of"),
        (["audit", "examples/community.json", "--json", "--fhir"], "--fhir"),
        (["audit", "examples/community.json", "--jobs", "2"], "--jobs"),
        (["audit", "examples/community.json", "--mapping", "nowhere.toml"], "nowhere.toml"),
        (["audit", "examples/batch.ndjson", "--batch", "--html", "x.html"], "--html"),
        (["audit", "examples/community.json", "--nonsense"], "--nonsense"),
        (["nonsense"], "nonsense"),
        (["kb"], "kb"),
        (["doc", "show", "nothing-like-it"], "nothing-like-it"),
        (["kb", "cypher", "MATCH (n) DELETE n"], "DELETE"),
        (["schema-of", "nonsense"], "nonsense"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(cli: Cli, args: list[str], mention: str) -> None:
    done = cli(*args)
    assert done.code == 2
    assert mention in (done.err + done.out)
    assert done.err.count("\n") <= 1
    assert "Traceback" not in done.err


def test_what_a_reader_would_wait_for_is_refused(cli: Cli, tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    for args in (["audit", fifo], ["audit", fifo, "--batch"], ["kb", "lint", fifo]):
        done = cli(*args)
        assert done.code == 2
        assert f"{fifo}: it is no regular file" in done.err
    for option in ("--against", "--mapping"):
        assert "no regular file" in cli("audit", "examples/community.json", option, fifo).err


def test_a_pipe_that_a_shell_has_opened_is_read(cli: Cli) -> None:
    ours, theirs = os.pipe()
    os.write(theirs, (ROOT / "examples" / "community.json").read_bytes())
    os.close(theirs)
    try:
        assert cli("audit", f"/dev/fd/{ours}").code == 0
    finally:
        os.close(ours)


def test_a_folder_where_no_knowledge_can_be_is_exit_3(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    done = cli("audit", ROOT / "examples" / "community.json", "--home", tmp_path / "file")
    assert done.code == 3
    assert done.err.count("\n") == 1


def test_a_broken_knowledge_base_is_exit_3(cli: Cli, home: Path, tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    for file in (home / "knowledge").iterdir():
        if file.is_file() and file.stat().st_size:
            (tmp_path / "knowledge" / file.name).write_bytes(b"this is no database " * 500)
    done = cli("audit", ROOT / "examples" / "community.json", "--home", tmp_path)
    assert done.code == 3
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
