"""What the authoring commands say when they can't begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from authoring.__main__ import main


def test_a_folder_without_gold_is_one_line_and_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interactions", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(tmp_path) in line
    assert "expected" in line


def test_an_unknown_command_prints_the_usage_and_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-command"]) == 2
    assert capsys.readouterr().err.startswith("usage:")
