"""Killed at any point, opened again: nothing is torn, and what was acknowledged is there (KB-8)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import open_embedded
from tests.unit.adapters.store.crashing_writer import member, next_change

ROOT = Path(__file__).resolve().parents[4]
KILLS = 32


def write_until_killed(folder: Path, project: bool, seconds: float) -> int:
    """The last change that was acknowledged before SIGKILL; 0 where none was."""
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.unit.adapters.store.crashing_writer",
            str(folder),
            "project" if project else "no",
        ],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
    )
    assert child.stdout is not None
    first = child.stdout.readline()  # the clock starts when it writes, not while it loads
    time.sleep(seconds)
    child.kill()
    rest = child.stdout.read()
    child.stdout.close()
    child.wait()
    lines = (first + rest).decode().splitlines(keepends=True)
    return max((int(line) for line in lines if line.endswith("\n")), default=0)


@pytest.mark.slow
def test_killed_at_random_points_it_never_loses_or_tears_anything(tmp_path: Path) -> None:
    rng = random.Random(20260301)
    folder = tmp_path / "kb"
    halves_swept = 0
    for kill in range(KILLS):
        project = kill % 2 == 0
        acknowledged = write_until_killed(folder, project, rng.uniform(0, 0.5 if project else 0.05))
        halves_swept += (folder / "graph.building").exists()
        knowledge = open_embedded(folder)
        assert list(knowledge.check()) == [], f"after kill {kill}"
        number = knowledge.change_no()
        assert acknowledged <= number <= acknowledged + 1
        for each in {number, rng.randint(1, number), 1}:
            expected = next_change(each).statements
            assert len(knowledge.statements([s.id for s in expected])) == (2 if each == number else 1)
            assert member(0) in knowledge.ancestors([member(each)])[member(each)]
            assert knowledge.document(f"own-{each}") is not None
        assert [version for id, version, _ in knowledge.documents() if id == "log"] == [str(number)]
        if project:
            knowledge.project()
            assert list(knowledge.check()) == []
        knowledge.close()
    assert halves_swept, "no kill ever hit a projection: the test has lost its point"
