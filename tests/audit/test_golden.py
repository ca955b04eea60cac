"""Golden cases of every check: it fires, it stays silent beside that, and it says so where data are lacking.

Each case is a whole prescription; `found` lists every finding of its report, `gaps` every gap, so that nothing else may
be said. `checked` is the result this check reports about the first drug.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from pharmakon.audit.checks import CHECKS
from pharmakon.model.finding import Report
from tests.audit import world

FOLDER = Path(__file__).parent / "golden"
SITUATIONS = ("fires", "silent", "lacks_data")
KEYS = {"says", "orders", "patient", "found", "gaps", "checked", "unresolved"}


def _cases() -> Iterator[Any]:
    for check in CHECKS:
        file = FOLDER / f"{check.NAME}.yaml"
        listed = yaml.safe_load(file.read_text("utf-8")) if file.exists() else {}
        for situation in SITUATIONS:
            for case in listed.get(situation, ()):
                assert case.keys() <= KEYS, case
                yield pytest.param(check.NAME, situation, case, id=f"{check.NAME}-{situation}-{case['says']}")


@pytest.mark.parametrize(("check", "situation", "case"), list(_cases()))
def test_golden(check: str, situation: str, case: dict[str, Any], prescribe: Callable[..., Report]) -> None:
    report = prescribe(*case["orders"], **case.get("patient", {}))
    assert world.found(report) == sorted(case.get("found", []))
    assert [g.needs for g in report.gaps] == sorted(case.get("gaps", []))
    assert [u.text for u in report.unresolved] == case.get("unresolved", [])
    if "checked" in case:
        name = report.drugs[0][2]
        assert case["checked"] in [c.result for c in report.checked if c.task == check and name in c.drugs]
    if situation == "lacks_data" and ("gaps" in case or "unresolved" in case) and "found" not in case:
        assert report.verdict == "not_assessable"
    for finding in report.findings:
        assert finding.evidence
        assert finding.management


@pytest.mark.parametrize("check", [c.NAME for c in CHECKS])
def test_every_check_has_golden_cases_of_all_three_situations(check: str) -> None:
    cases = yaml.safe_load((FOLDER / f"{check}.yaml").read_text("utf-8"))
    assert [s for s in SITUATIONS if not cases.get(s)] == []


def test_every_golden_file_belongs_to_a_check() -> None:
    assert {f.stem for f in FOLDER.glob("*.yaml")} == {c.NAME for c in CHECKS}
