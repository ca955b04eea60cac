"""The published JSON Schemas (2020-12) of what goes in and what comes out."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, cast

from pharmakon.model.errors import BadInput

SHAPES = ("ask", "audit", "error", "prescription")


def schema_of(name: str) -> dict[str, Any]:
    """The schema of a shape; BadInput names the shapes there are."""
    if name not in SHAPES:
        raise BadInput(f"there is no shape {name!r}", expected=", ".join(SHAPES))
    text = resources.files(__package__).joinpath("schemas", f"{name}.schema.json").read_text("utf-8")
    return cast("dict[str, Any]", json.loads(text))
