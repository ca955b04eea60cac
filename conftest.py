"""Docstrings' examples are run; those that open a knowledge base find `home`."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _home_for_examples(doctest_namespace: dict[str, Any], request: pytest.FixtureRequest) -> None:
    """`home` is a folder of the test run, built once, for examples only."""
    if type(request.node).__name__ == "DoctestItem" and "app/api" in str(request.node.path):
        factory = request.getfixturevalue("tmp_path_factory")
        doctest_namespace["home"] = factory.getbasetemp() / "examples"
