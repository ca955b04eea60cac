"""`pharmakon ingest`: what is no label is one clear line and leaves nothing; a label goes without a trace."""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import open_embedded
from pharmakon.app.api import Pharmakon
from pharmakon.app.ingest import BATCH
from tests.e2e.conftest import ROOT, Cli
from tests.unit.ingest.printed import lines, pdf
from tests.unit.ingest.spl_files import ingredient, label, p, product, section, thing

Write = Callable[[str, object], Path]

INTERACTIONS, CONTRAINDICATIONS = "34073-7", "34070-3"


def spl(number: int, drug: str, interactions: str, version: int = 1) -> bytes:
    """A label of one drug that is in the starter formulary."""
    return label(
        section(CONTRAINDICATIONS, "4 CONTRAINDICATIONS", p(f"{drug.title()} is contraindicated in active bleeding.")),
        section(INTERACTIONS, "7 DRUG INTERACTIONS", p(interactions)),
        title=f"<title>{drug.title()} tablets</title>",
        ids=f'<id root="id-{number}-{version}"/><setId root="5e0d7d2e-0000-4000-8000-{number:012d}"/>'
        f'<versionNumber value="{version}"/>',
        products=product(thing(drug.title(), ingredient(drug.upper(), unii=""), ndc="")),
    )


def zipped(name: str, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


def content(stats: dict[str, object]) -> dict[str, object]:
    """What is held, whatever happened on the way there."""
    return {k: v for k, v in stats.items() if k not in ("changes", "knowledge_version", "home")}


def stored_labels(home: Path) -> list[str]:
    with closing(open_embedded(home / "knowledge")) as knowledge:
        return [id for id, *_ in knowledge.documents() if "5e0d7d2e" in id]


def changes(home: Path) -> int:
    with closing(open_embedded(home / "knowledge")) as knowledge:
        return knowledge.change_no()


def counts(cli: Cli, home: Path) -> dict[str, object]:
    return dict(cli("kb", "stats", "--json", "--home", home).json)


WARFARIN = spl(1, "warfarin", "Avoid concomitant use of warfarin and ibuprofen.")
LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE document [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><document xmlns="urn:hl7-org:v3"><title>&c;</title></document>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE document [<!ENTITY a SYSTEM "file:///etc/passwd">]>
<document xmlns="urn:hl7-org:v3"><title>&a;</title></document>"""

#: name → (file name, what it holds, what the line must mention)
HOSTILE: dict[str, tuple[str, bytes, str]] = {
    "truncated XML": ("a.xml", WARFARIN[: len(WARFARIN) // 2], "XML"),
    "billion laughs": ("a.xml", LAUGHS, "DOCTYPE"),
    "an entity from outside": ("a.xml", OUTSIDE, "DOCTYPE"),
    "XML of something else": ("a.xml", b"<feed><entry>Warfarin</entry></feed>", "urn:hl7-org:v3"),
    "a name that leads out of its zip": ("a.zip", zipped("../../out.xml", WARFARIN), "../../out.xml"),
    "a zip bomb": ("a.zip", zipped("a.xml", b"<a>" + b" " * 300_000_000), "times"),
    "a zip cut short": ("a.zip", zipped("a.xml", WARFARIN)[:200], "zip"),
    "XML in another encoding than it says": ("a.xml", WARFARIN.replace(b"tablets", b"\xff\xfe\xfd"), "encoding"),
    "text in no encoding": ("a.txt", b"Warfarin\n\xff\xfe\xfd\x00\x81 contraindicated", "UTF-8"),
    "JSON cut short": ("a.json", b'{"meta": {}, "results": [{"id": "1"', "cut off"),
    "a number that never ends": ("a.json", b'{"results":[{"set_id":"s","version":' + b"9" * 5000 + b"}]}", "digits"),
    "JSON nested too deep": ("a.json", b'{"results":' + b"[" * 100_000 + b"]" * 100_000 + b"}", ""),
    "half a character": ("a.json", b'[{"drug":"a\\ud800","section":"Uses","text":"\\ud800"}]', "half a character"),
    "HTML nested too deep": ("a.html", b"<html><body>" + b"<div>" * 50_000 + b"x", "deep"),
    "JSON of something else": ("a.json", b'{"resourceType": "Patient"}', "openFDA"),
    "an empty PDF": ("a.pdf", pdf(), "no pages"),
    "an encrypted PDF": ("a.pdf", pdf(lines("Gout."), encrypt=True), "encrypted"),
    "a PDF cut short": ("a.pdf", pdf(lines("Gout."))[:400], "damaged"),
    "a file of no bytes": ("a.xml", b"", "empty"),
    "a text of no bytes": ("a.txt", b"", "empty"),
    "a label without sections": ("a.xml", label(), "section"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_label_is_one_line_and_nothing_is_stored(cli: Cli, home: Path, write: Write, name: str) -> None:
    file, data, mention = HOSTILE[name]
    if file.endswith(".pdf"):
        pytest.importorskip("pdfplumber")
    before = changes(home)
    done = cli("ingest", write(file, data))
    assert done.code == 2
    assert done.err.count("\n") == 1, done.err
    assert file in done.err
    assert mention in done.err
    assert "Traceback" not in done.err + done.out
    assert changes(home) == before


def test_what_can_not_be_read_keeps_nothing_else_out(cli: Cli, own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    for name, (file, data, _) in HOSTILE.items():
        if not file.endswith(".pdf"):
            (folder / f"{name} {file}").write_bytes(data)
    (folder / "warfarin.xml").write_bytes(WARFARIN)
    done = cli("ingest", folder, "--home", own)
    assert done.code == 0
    assert done.out.startswith("1 documents stored")
    assert done.err.count("\n") == sum(not file.endswith(".pdf") for file, _, _ in HOSTILE.values())


def test_ingested_changed_and_deleted_a_label_leaves_what_was_there_before(cli: Cli, own: Path, write: Write) -> None:
    before = counts(cli, own)
    first = cli("ingest", write("w.xml", WARFARIN), "--json", "--home", own).json
    assert first["stored"] == 1
    assert first["statements"]["new"] > 0
    changed = spl(1, "warfarin", "Avoid concomitant use of warfarin and naproxen.", version=2)
    second = cli("ingest", write("w.xml", changed), "--json", "--home", own).json
    assert second["statements"]["retired"] == 1
    assert cli("kb", "check", "--home", own).code == 0
    (id,) = stored_labels(own)
    assert cli("doc", "delete", id, "--why", "a test", "--home", own).code == 0
    assert cli("doc", "traces", id, "--home", own).code == 0
    assert cli("kb", "check", "--home", own).code == 0
    assert content(counts(cli, own)) == content(before)


LABELS = 230  # more than two batches
KILLS = 4
MARKS = ("looking", f"reading labels: {BATCH} ", f"reading labels: {2 * BATCH} ")


@pytest.mark.slow
def test_killed_at_any_point_nothing_is_torn_and_the_next_run_ends_where_one_would_have(
    cli: Cli, own: Path, home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    drugs = ingredients(home, LABELS + 1)
    for number, (drug, other) in enumerate(pairwise(drugs)):
        text = f"Avoid concomitant use of {drug} and {other}."
        (folder / f"{number:03}.xml").write_bytes(spl(number, drug, text))
    whole = tmp_path / "whole"
    shutil.copytree(own, whole)
    rng = random.Random(20261130)
    halfway = 0
    assert cli("ingest", folder, "--home", whole).code == 0
    for kill in range(KILLS):
        ingest_until_killed(folder, own, MARKS[kill % len(MARKS)], rng.uniform(0, 0.4))
        assert cli("kb", "check", "--home", own).code == 0, f"after kill {kill}"
        stored = len(stored_labels(own))
        assert stored in (0, BATCH, 2 * BATCH, LABELS), "a batch is stored whole or not at all"
        halfway += 0 < stored < LABELS
    assert halfway, "no kill came between two batches: the test has lost its point"
    assert cli("ingest", folder, "--home", own).code == 0
    assert cli("kb", "check", "--home", own).code == 0
    assert content(counts(cli, own)) == content(counts(cli, whole))


def ingredients(home: Path, number: int) -> list[str]:
    with Pharmakon(home) as pharmakon:
        names = {
            c: n.text for _, c, n in pharmakon.knowledge.names({"ingredient"}) if n.lang == "en" and n.text.isalpha()
        }
    return [names[c] for c in sorted(names)[:number]]


def ingest_until_killed(folder: Path, home: Path, mark: str, seconds: float) -> None:
    """SIGKILL so long after a line of progress with `mark` in it, or at the end if none comes."""
    child = subprocess.Popen(
        [sys.executable, "-m", "pharmakon", "ingest", str(folder), "--home", str(home), "--verbose"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert child.stderr is not None
    while (line := child.stderr.readline().decode()) and mark not in line:
        pass
    time.sleep(seconds)
    child.kill()
    child.stderr.close()
    child.wait()


def test_of_two_versions_the_higher_is_kept_whichever_comes_first_and_however_they_come(
    cli: Cli, own: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    for version in (1, 3, 2):
        text = f"Avoid concomitant use of warfarin and {('ibuprofen', 'naproxen', 'ketorolac')[version - 1]}."
        (folder / f"{'acb'[version - 1]}.xml").write_bytes(spl(1, "warfarin", text, version=version))
    done = cli("ingest", folder, "--home", own)
    assert done.code == 0
    assert "version 2 is older than 3, which is held" in done.err
    assert cli("kb", "check", "--home", own).code == 0
    with closing(open_embedded(own / "knowledge")) as knowledge:
        assert [version for id, version, _ in knowledge.documents() if "5e0d7d2e" in id] == ["3"]


def test_a_path_that_was_left_empty_takes_in_nothing(cli: Cli, own: Path) -> None:
    done = cli("ingest", "", "--home", own)
    assert done.code == 2
    assert "empty" in done.err


def test_an_argument_that_is_no_text_is_one_line(cli: Cli, own: Path) -> None:
    done = cli("doc", "show", "\udcff", "--home", own)
    assert done.code == 2
    assert done.err.count("\n") == 1
