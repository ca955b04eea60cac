"""Every suite's spec holds together, without running anything."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from pharmakon.evaluate.metrics import METRICS
from pharmakon.evaluate.spec import load_cases, read_spec
from pharmakon.evaluate.suites import SUITES, SURVEYS
from pharmakon.evaluate.surveys.survey import MEASURES
from pharmakon.model.errors import BadInput

EVALS = Path(__file__).resolve().parents[3] / "evals"


def write(folder: Path, **changes: object) -> Path:
    """The red-team spec with some keys changed; None takes a key out."""
    spec = yaml.safe_load((EVALS / "audit-redteam" / "spec.yaml").read_text("utf-8")) | changes
    (folder / "spec.yaml").write_text(yaml.safe_dump({k: v for k, v in spec.items() if v is not None}), "utf-8")
    return folder


@pytest.mark.parametrize("suite", [*SUITES, *SURVEYS])
def test_every_suite_has_a_spec_named_after_its_folder(suite: str) -> None:
    spec = read_spec(EVALS / suite)
    assert spec.suite == suite
    assert set(spec.metrics) <= (MEASURES[spec.survey] if spec.survey else METRICS).keys()
    assert (EVALS / suite / "README.md").read_text("utf-8").startswith(f"# {suite}")


@pytest.mark.parametrize("suite", [*SUITES, *SURVEYS])
def test_every_metric_of_a_suite_says_in_its_spec_or_table_how_it_counts(suite: str) -> None:
    spec = read_spec(EVALS / suite)
    assert spec.matching
    named = (*spec.metrics, *spec.also_reported)
    if spec.survey:
        assert all(MEASURES[spec.survey][name] for name in named)
    else:
        assert all(METRICS[name].what and METRICS[name].misleads for name in named)


def test_every_folder_of_evals_is_a_suite_or_a_page() -> None:
    assert {p.name for p in EVALS.iterdir() if (p / "spec.yaml").exists()} == {*SUITES, *SURVEYS}


def test_cases_that_differ_from_the_hash_are_refused(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text('{"id": "a", "kind": "gap", "prescription": {"medications": []}}\n', "utf-8")
    source = {"cases": "cases.jsonl", "sha256": "0" * 64, "licence": "Apache-2.0"}
    spec = read_spec(write(tmp_path, source=source))
    with pytest.raises(BadInput, match="sha256"):
        load_cases(spec, tmp_path)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"metrics": ["precison"]}, "'precison' is not known"),
        ({"metrics": None}, "'metrics' is missing"),
        ({"source": {"licence": "MIT"}}, "neither of cases and generator"),
        ({"source": {"cases": "a.jsonl"}}, "no sha256"),
        ({"name": "audit-redteam"}, "SUITE.vN"),
        ({"seed": "lucky"}, "whole number"),
        ({"ablations": ["no_luck"]}, "'no_luck' is not known"),
        ({"also_reported": ["recall"]}, "in metrics and in also_reported"),
        ({"matching": {"vibes": "good"}}, "unknown key 'vibes'"),
    ],
)
def test_a_spec_that_says_what_nobody_reads_is_refused(
    tmp_path: Path, changes: dict[str, object], complaint: str
) -> None:
    with pytest.raises(BadInput, match=complaint):
        read_spec(write(tmp_path, **changes))


def test_a_folder_without_a_spec_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"there is no spec\.yaml"):
        read_spec(tmp_path)
