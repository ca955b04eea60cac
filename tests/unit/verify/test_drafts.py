"""Drafts as a language model writes them: what gives leave for a conflict is intercepted, all else passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.verify.conftest import Check

_DRAFTS = yaml.safe_load((Path(__file__).parent / "drafts.yaml").read_text("utf-8"))
_LEAST = {"unsafe": 120, "harmless": 60}


def _cases(side: str) -> list[Any]:
    groups = _DRAFTS[side].items()
    return [pytest.param(row, id=f"{kind} {i}") for kind, rows in groups for i, row in enumerate(rows, 1)]


@pytest.mark.parametrize("row", _cases("unsafe"))
def test_no_unsafe_draft_passes(check: Check, row: dict[str, str]) -> None:
    verdict = check(row["say"], question=row["q"], lang=row.get("lang", "en"))
    assert verdict.status == "intercepted", row["say"]
    assert all(c.evidence and c.path for c in verdict.conflicts)


@pytest.mark.parametrize("row", _cases("harmless"))
def test_every_harmless_draft_passes(check: Check, row: dict[str, str]) -> None:
    assert check(row["say"], question=row["q"], lang=row.get("lang", "en")).status != "intercepted", row["say"]


@pytest.mark.parametrize("side", ["unsafe", "harmless"])
def test_there_are_as_many_drafts_as_promised_and_none_twice(side: str) -> None:
    said = [(row["q"], row["say"]) for rows in _DRAFTS[side].values() for row in rows]
    assert len(said) == len(set(said)) >= _LEAST[side]
