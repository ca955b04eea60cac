"""What a face calls: the list of suites, and a run that complains before it works."""

from __future__ import annotations

from pathlib import Path

import pytest

from pharmakon.app.evaluation import list_suites, run_suite
from pharmakon.evaluate.suites import SUITES, SURVEYS
from pharmakon.model.errors import BadInput


def test_every_suite_is_listed_with_its_question() -> None:
    assert [s.name for s in list_suites()] == [*SUITES, *SURVEYS]
    assert all(s.question.endswith("?") or s.question.endswith(".") for s in list_suites())


def test_an_unknown_suite_is_refused_before_anything_is_built(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="audit-redteam or audit-labels"):
        run_suite("audit-luck", home=tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_built(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        run_suite("audit-labels", home=tmp_path / "home", out=tmp_path / "nowhere" / "result.json")
    assert not (tmp_path / "home").exists()


def test_foreign_cases_are_scored_and_written_down(tmp_path: Path) -> None:
    case = (
        '{"id": "a", "type": "INTERACTION_DRUG_DRUG", "kind": "violation", "expect": [{"type": "INTERACTION_DRUG_DRUG",'
        ' "drugs": ["ibuprofen", "warfarin"], "tier_at_least": "warning"}], "prescription": {"medications":'
        ' [{"drug": "warfarin 5 mg tablet"}, {"drug": "ibuprofen 400 mg"}], "as_of": "2026-03-02"}}\n'
    )
    (tmp_path / "cases.jsonl").write_text(case, "utf-8")
    result = run_suite("audit-labels", home=tmp_path / "home", data=tmp_path, out=tmp_path / "result.json")
    assert (result["n"], result["metrics"]["recall"]) == (1, 1.0)
    assert (tmp_path / "result.md").read_text("utf-8").startswith("# audit-labels v2")
    assert (tmp_path / "result.cases.jsonl").exists()
