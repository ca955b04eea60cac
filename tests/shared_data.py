"""Where the real files are: beside the project in `../shared`, or where PHARMAKON_SHARED says. Never committed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared(*parts: str) -> Path:
    """A path under the shared data folder (`shared("cds-hooks", "golden")`); skips the test where it is absent."""
    base = Path(os.environ.get("PHARMAKON_SHARED") or ROOT.parent / "shared")
    path = base.joinpath("data", *parts)
    if not path.exists():
        pytest.skip(f"needs {'/'.join(('../shared/data', *parts))}, which is not here")
    return path
