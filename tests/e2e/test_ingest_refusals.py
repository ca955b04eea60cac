"""`pharmakon ingest` where much is refused: what is shown, what can be had in full, and the exit code."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.app.gathering import files, gather
from pharmakon.app.summary import Summary
from tests.e2e.conftest import ROOT, Cli
from tests.e2e.test_ingest_command import WARFARIN, Write, changes
from tests.shared_data import shared


def test_the_pages_of_this_project_are_no_labels(cli: Cli, home: Path) -> None:
    before = changes(home)
    done = cli("ingest", ROOT / "docs", ROOT / "README.md", "--json")
    assert done.code == 2
    assert done.json["stored"] == 0
    assert len(done.json["refused"]) == len([*(ROOT / "docs").rglob("*.md")]) + 1
    assert all("# drug: NAME" in refused["expected"] for refused in done.json["refused"])
    assert changes(home) == before


def test_a_change_log_among_labels_is_one_line_that_says_what_was_expected(cli: Cli, own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    (folder / "w.xml").write_bytes(WARFARIN)
    (folder / "CHANGELOG.md").write_text("# Changelog\n\n## Warnings\n\n- Interactions with ibuprofen are found.\n")
    done = cli("ingest", folder, "--home", own)
    assert done.code == 0
    assert done.out.startswith("1 documents stored, 1 refused")
    assert done.err.count("\n") == 1
    assert "CHANGELOG.md" in done.err
    assert '"# drug: NAME"' in done.err


def test_real_labels_that_came_as_loose_texts_are_all_believed(home: Path) -> None:
    texts = sorted(shared("fda-cv-ddi-labels").glob("*.txt"))
    summary = Summary()
    with Pharmakon(home) as pharmakon:
        gathered = gather(pharmakon.knowledge, files(texts), summary)
    assert [str(refused) for refused in summary.refused] == []
    assert gathered.total == len(texts)


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A zip of files that are no labels: 300 of one kind and three of another."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(300):
            archive.writestr(f"part/{number}.xml", f"<feed><entry>{number}</entry></feed>")
        for number in range(3):
            archive.writestr(f"part/{number}.json", '{"resourceType": "Patient"}')
    path = tmp_path / "many.zip"
    path.write_bytes(buffer.getvalue())
    return path


def test_of_many_refusals_a_few_of_each_kind_are_shown_and_the_others_counted(cli: Cli, many: Path) -> None:
    done = cli("ingest", many)
    assert done.code == 2
    lines = done.err.splitlines()
    assert len(lines) == 5 + 1 + 3
    assert lines[5] == "pharmakon: 295 more like these (--json and --refused FILE list all)"
    assert lines[0].startswith(f"pharmakon: {many}/part/0.xml: ")
    assert "303 refused" in done.out


def test_all_refusals_are_in_json_and_in_the_file_asked_for(cli: Cli, many: Path, tmp_path: Path) -> None:
    listed = tmp_path / "refused.txt"
    done = cli("ingest", many, "--json", "--refused", listed)
    assert done.code == 2
    assert len(done.json["refused"]) == 303
    lines = listed.read_text("utf-8").splitlines()
    assert len(lines) == 303
    assert lines[299].startswith(f"{many}/part/299.xml: ")


def test_an_endless_name_makes_no_endless_line(cli: Cli, write: Write) -> None:
    done = cli("ingest", write("a.md", f"# drug: {'x' * 100_000}\n\n## Warnings\n\nCare.\n".encode()))
    assert done.code == 2
    assert len(done.err) < 400
    assert "100,000 characters" in done.err


def test_an_ingest_of_what_is_there_already_succeeds_beside_refusals(cli: Cli, own: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "w.xml").write_bytes(WARFARIN)
    (tmp_path / "in" / "feed.xml").write_bytes(b"<feed/>")
    assert cli("ingest", tmp_path / "in", "--home", own).code == 0
    again = cli("ingest", tmp_path / "in", "--home", own)
    assert again.code == 0
    assert again.out.startswith("0 documents stored, 1 unchanged, 1 refused")


def test_the_exit_codes_of_ingest_are_in_its_help(cli: Cli) -> None:
    said = " ".join(cli("ingest", "--help").out.split())
    assert "Exit 0 when anything came in" in said
    assert "2 when all there was is refused" in said


def test_json_is_valid_where_a_path_is_no_text(cli: Cli, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.xml"
    with open(path, "wb") as file:
        file.write(b"<feed/>")
    done = cli("ingest", tmp_path, "--json")
    assert done.code == 2
    (refused,) = done.json["refused"]
    assert refused["where"].endswith("/\N{REPLACEMENT CHARACTER}.xml")
