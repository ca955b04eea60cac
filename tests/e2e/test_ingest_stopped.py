"""`pharmakon ingest` that is told to end: one line, a code that says so, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from pharmakon.app.ingest import BATCH
from tests.e2e.conftest import ROOT, Cli
from tests.e2e.test_ingest_command import ingredients, spl, stored_labels

LABELS = 2 * BATCH + 50


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there are no such signals there")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.parametrize("to_all", [False, True], ids=["to the process alone", "to all its processes"])
def test_an_ingest_told_to_end_says_so_in_one_line_and_the_next_one_goes_on(
    cli: Cli,
    own: Path,
    home: Path,
    tmp_path: Path,
    sent: signal.Signals,
    code: int,
    to_all: bool,
) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    for number, (drug, other) in enumerate(pairwise(ingredients(home, LABELS + 1))):
        (folder / f"{number:03}.xml").write_bytes(spl(number, drug, f"Avoid concomitant use of {drug} and {other}."))
    child = subprocess.Popen(
        [sys.executable, "-m", "pharmakon", "ingest", str(folder), "--home", str(own), "--jobs", "2", "--verbose"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        start_new_session=True,
    )
    assert child.stderr is not None
    while (line := child.stderr.readline()) and b"reading labels" not in line:
        pass
    (os.killpg if to_all else os.kill)(child.pid, sent)
    out, err = child.communicate()
    said = [line for line in err.decode().splitlines() if "reading labels" not in line]
    assert said == ["pharmakon: stopped; what was stored stays, and the next run goes on from there"]
    assert (child.returncode, out) == (code, b"")
    assert len(stored_labels(own)) < LABELS, "it was at its end: the test has lost its point"
    assert cli("kb", "check", "--home", own).code == 0
    assert cli("ingest", folder, "--home", own, "--jobs", 1).code == 0
    assert len(stored_labels(own)) == LABELS
