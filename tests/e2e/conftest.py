"""The command line as its users have it: one knowledge base for the session, every call through `run`."""

from __future__ import annotations

import gc
import io
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.faces.cli.main import run

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Cli = Callable[..., Outcome]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the starter knowledge base in it."""
    folder = tmp_path_factory.mktemp("home")
    Pharmakon(folder).close()
    return folder


@pytest.fixture
def own(home: Path, tmp_path: Path) -> Path:
    """A copy of the starter knowledge base."""
    gc.collect()  # a reader that nobody holds any more takes the log with it, and not while it is copied
    return Path(shutil.copytree(home, tmp_path / "own"))


@pytest.fixture
def cli(home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Cli:
    """`cli("audit", file)` → exit code, standard output, standard error."""
    monkeypatch.setenv("PHARMAKON_HOME", str(home))
    monkeypatch.setenv("COLUMNS", "160")  # what is looked for must not be wrapped, whatever the path is
    monkeypatch.chdir(ROOT)

    def call(*args: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfd.readouterr()
        code = run([str(a) for a in args])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, object], Path]:
    """`write("a.json", {…})` → the path of a file that holds it; bytes as they are."""

    def put(name: str, content: object) -> Path:
        path = tmp_path / name
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        path.write_bytes(data)
        return path

    return put
