"""Word lists, weights and vocabulary: TOML files that are shipped beside the code that reads them."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


def read_table(package: str, *path: str) -> dict[str, Any]:
    """The file at `path` within `package` as plain data. Read anew each time: who calls it often keeps what it made."""
    return tomllib.loads(resources.files(package).joinpath(*path).read_text("utf-8"))
