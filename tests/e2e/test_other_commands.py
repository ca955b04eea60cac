"""`kb`, `doc`, `schema-of`, help and version; and how the process behaves as a whole."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pharmakon import __version__
from pharmakon.app.api import SHAPES
from pharmakon.model.vocabulary import read_schema
from tests.e2e.conftest import ROOT, Cli

Write = Callable[[str, object], Path]
#: A job that a shell put into the background ignores interrupts, and all that it starts inherits that.
_INTERRUPTIBLE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from pharmakon.faces.cli.main import main
main()
"""
_LISTEN = """
import sys
from pharmakon.faces.cli.main import run
code = run(sys.argv[1:])
print(code, sorted({"rich", "jinja2", "yaml", "sqlite3", "pharmakon.app", "pharmakon.audit"} & set(sys.modules)))
"""


def process(*args: str, home: Path, code: str = "") -> subprocess.Popen[bytes]:
    call = [sys.executable, "-c", code] if code else [sys.executable, "-m", "pharmakon.faces.cli"]
    environment = {**os.environ, "PHARMAKON_HOME": str(home), "PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen(
        [*call, *args], cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_version_is_the_packages(cli: Cli) -> None:
    assert cli("--version").out == f"pharmakon {__version__}\n"


def test_without_a_command_help_is_shown(cli: Cli) -> None:
    assert "audit" in cli().out


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_has_a_schema_to_print(cli: Cli, shape: str) -> None:
    Draft202012Validator.check_schema(cli("schema-of", shape).json)


def test_stats_count_concepts_and_statements_and_say_what_can_be_done(cli: Cli) -> None:
    found = cli("kb", "stats", "--json").json
    assert found["concepts"]["ingredient"] > 1
    assert found["statements"]["interacts_with"] > 1
    assert found["coverage"]["deep"] > 1
    assert set(found["capabilities"]) >= {"text", "cypher"}
    assert "interacts_with" in cli("kb", "stats").out


def test_a_sound_knowledge_base_passes_its_check(cli: Cli) -> None:
    done = cli("kb", "check")
    assert done.code == 0
    assert "nothing is inconsistent" in done.out
    assert cli("kb", "check", "--json").json["inconsistencies"] == []


def test_every_inconsistency_is_a_line_and_exit_3(cli: Cli, home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "knowledge", tmp_path / "knowledge")
    database = next(f for f in (tmp_path / "knowledge").iterdir() if f.read_bytes()[:15] == b"SQLite format 3")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE section SET text = 'x' || text WHERE no = (SELECT section FROM evidence LIMIT 1)")
    done = cli("kb", "check", "--home", tmp_path)
    assert done.code == 3
    assert "does not stand" in done.out
    assert cli("kb", "check", "--home", tmp_path, "--json").json["inconsistencies"] == done.out.splitlines()


@pytest.mark.slow
def test_building_the_starter_knowledge_says_so_once_and_only_when_asked(cli: Cli, tmp_path: Path) -> None:
    first = cli("audit", "examples/community.json", "--home", tmp_path / "a", "-v")
    assert first.code == 0
    assert first.err == "pharmakon: building the starter knowledge base\n"
    assert cli("audit", "examples/community.json", "--home", tmp_path / "a", "-v").err == ""
    assert cli("audit", "examples/community.json", "--home", tmp_path / "b").err == ""


def test_rebuilding_changes_nothing_that_is_known(cli: Cli) -> None:
    before = cli("kb", "stats", "--json").json["statements"]
    assert cli("kb", "rebuild").code == 0
    assert cli("kb", "stats", "--json").json["statements"] == before
    assert cli("kb", "check").code == 0


def test_documents_are_listed_and_shown(cli: Cli) -> None:
    listed = [row["document"] for row in cli("doc", "list", "--json").json]
    assert "monograph-ingredient-warfarin" in listed
    shown = cli("doc", "show", "monograph-ingredient-warfarin")
    assert "Contraindications" in shown.out
    assert cli("doc", "show", "monograph-ingredient-warfarin", "--json").json["sections"]


def test_a_document_that_is_not_there_brings_up_the_nearest(cli: Cli) -> None:
    assert "monograph-ingredient-warfarin" in cli("doc", "show", "monograph-ingredient-warfrin").err


def test_cypher_answers_with_columns_and_rows(cli: Cli) -> None:
    pytest.importorskip("ladybug", reason="the graph needs Ladybug")
    found = cli("kb", "cypher", "MATCH (c:Concept) RETURN c.kind AS kind, count(*) AS n", "--json").json
    assert found["columns"] == ["kind", "n"]
    assert dict(found["rows"])["ingredient"] > 1


def test_a_shipped_monograph_has_nothing_wrong_with_it(cli: Cli) -> None:
    path = ROOT / "src" / "pharmakon" / "formulary" / "ingredients" / "metformin.yaml"
    assert cli("kb", "lint", path).code == 0


def test_lint_names_file_and_line_of_every_slip(cli: Cli, write: Write) -> None:
    text = (ROOT / "src" / "pharmakon" / "formulary" / "ingredients" / "metformin.yaml").read_text("utf-8")
    path = write("slips.yaml", text.replace("tier: critical", "tier: fatal").encode())
    done = cli("kb", "lint", path)
    assert done.code == 2
    assert all("slips.yaml:" in line for line in done.err.splitlines())
    assert "fatal" in done.err


def test_lint_holds_a_monograph_to_the_rules_of_the_house(cli: Cli, write: Write) -> None:
    text = (ROOT / "src" / "pharmakon" / "formulary" / "ingredients" / "metformin.yaml").read_text("utf-8")
    done = cli("kb", "lint", write("unread.yaml", text.replace("read: yes", "read: no").encode()))
    assert done.code == 2
    assert "a critical statement whose source was not read" in done.err


def test_lint_names_what_a_monograph_says_twice(cli: Cli, write: Write) -> None:
    text = (ROOT / "src" / "pharmakon" / "formulary" / "ingredients" / "metformin.yaml").read_text("utf-8")
    first = text.index("  - says:")
    entry = text[first : text.index("  - says:", first + 1)]
    done = cli("kb", "lint", write("twice.yaml", text.replace(entry, entry + entry).encode()))
    assert done.code == 2
    assert "says what another entry says already" in done.err


def test_help_imports_nothing_heavy(home: Path) -> None:
    with process("--help", home=home, code=_LISTEN) as running:
        out, err = running.communicate()
    assert err == b""
    assert out.decode().splitlines()[-1] == "0 []"


def test_a_reader_who_leaves_early_causes_no_noise(home: Path) -> None:
    with process("audit", "examples/elderly-ward.json", "--json", home=home) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() in (0, 141)  # as much as the pipe holds is written in any case


@pytest.mark.parametrize("more", [[], ["--json"], ["--html", "-"], ["--fail-on", "info"]])
def test_a_closed_pipe_is_told_apart_from_a_finding(home: Path, more: list[str]) -> None:
    with process("audit", "examples/elderly-ward.json", *more, home=home) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 141


def shell(call: str, home: Path) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PHARMAKON_HOME": str(home), "PYTHONPATH": str(ROOT / "src")}
    line = call.replace("pharmakon", f"'{sys.executable}' -m pharmakon.faces.cli", 1)
    return subprocess.run(["/bin/sh", "-c", line], cwd=ROOT, env=environment, capture_output=True, timeout=60)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "call",
    [
        "pharmakon audit examples/community.json >&-",
        "pharmakon audit examples/community.json >/dev/full",
        "pharmakon audit examples/community.json --json >/dev/full",
        "pharmakon audit examples/community.json --html - >/dev/full",
        "pharmakon kb stats --json >/dev/full",
    ],
)
def test_output_that_can_not_be_written_is_one_line_and_exit_2(home: Path, call: str) -> None:
    done = shell(call, home)
    assert done.returncode == 2
    assert done.stderr.startswith(b"pharmakon: standard output: the output could not be written (")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        ("pharmakon audit - <&-", "standard input: there is none"),
        ("pharmakon audit - 0>/dev/null", "standard input: it can't be read"),
        ("pharmakon audit ''", "the name of the file is empty"),
        ("pharmakon audit /proc/self/mem", "/proc/self/mem: it can't be read"),
    ],
)
def test_input_that_can_not_be_read_is_one_line_and_exit_2(home: Path, call: str, mention: str) -> None:
    if "/proc" in call and not Path("/proc/self/mem").exists():
        pytest.skip("needs /proc")
    done = shell(call, home)
    assert done.returncode == 2
    assert mention in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_nothing_is_said_where_nobody_listens(home: Path) -> None:
    assert shell("pharmakon audit nowhere.json 2>&-", home).returncode == 2
    assert shell("pharmakon audit examples/community.json 2>&-", home).returncode == 0


def test_two_first_starts_at_once_build_one_knowledge_base(tmp_path: Path) -> None:
    starts = [process("kb", "stats", "--json", home=tmp_path) for _ in range(2)]
    found = [json.loads(start.communicate(timeout=120)[0]) for start in starts]
    assert [start.returncode for start in starts] == [0, 0]
    assert [f["changes"] for f in found] == [1, 1]
    assert len({f["knowledge_version"] for f in found}) == 1


def test_stats_list_the_kinds_in_the_order_of_the_vocabulary(cli: Cli) -> None:
    order = list(read_schema("vocabulary.toml")["concept_kinds"])
    kinds = list(cli("kb", "stats", "--json").json["concepts"])
    assert kinds == sorted(kinds, key=order.index)


def test_an_interrupt_ends_quietly(home: Path) -> None:
    with process("audit", "-", home=home, code=_INTERRUPTIBLE) as running:
        assert running.stdin
        assert running.stderr
        running.stdin.write(b'{"medications": [')
        running.stdin.flush()
        _until_it_reads(running.pid)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=30) == 130
        assert b"Traceback" not in running.stderr.read()


def _until_it_reads(pid: int) -> None:
    """Wait until the process sleeps in a read of its standard input."""
    import time

    place = Path(f"/proc/{pid}/wchan")
    if not place.exists():
        pytest.skip("needs /proc to see when the process waits for input")
    for _ in range(300):
        if "pipe" in place.read_text():
            return
        time.sleep(0.1)
    pytest.skip("this system does not say what a process waits for")


def test_no_colour_where_none_is_wanted_and_ascii_signs_where_the_terminal_knows_no_more(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("NO_COLOR", "1")
    with process("audit", "examples/elderly-ward.json", home=home) as running:
        out, err = running.communicate()
    assert err == b""
    assert running.returncode == 0
    assert b"\x1b" not in out
    assert b"!! CRITICAL" in b" ".join(out.split())
