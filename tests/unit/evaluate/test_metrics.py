"""Metrics keep to the range and direction they declare."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.evaluate.matching import Score
from pharmakon.evaluate.metrics import METRICS, harmonic, precision, precision_strict, recall
from pharmakon.evaluate.runner import by_type
from pharmakon.model.vocabulary import risk_types


def _score(kind: str, type_: str, n: tuple[int, ...]) -> Score:
    """Counts that one case can have: parts are never more than their whole."""
    expected, strong, near = n[0], min(n[0], n[1]), int(kind == "near_miss")
    found = min(expected, n[2])
    return Score(
        "case", type_, kind, expected=expected, found=found, found_type_or=max(found, min(expected, n[3])),
        tier_right=min(found, n[4]), expected_warning=strong, found_warning=min(strong, n[5]),
        raised_right=min(found, n[6]), raised_wrong=n[7], wrong_strict=n[8], also=n[9], also_found=min(n[9], n[1]),
        near_miss=near, near_miss_quiet=min(near, n[2]), gaps=n[3], gaps_found=min(n[3], n[4]),
    )  # fmt: skip


def scores() -> st.SearchStrategy[Score]:
    counts = st.tuples(*[st.integers(0, 3)] * 10)
    kinds = st.sampled_from(["violation", "near_miss", "gap"])
    return st.builds(_score, kinds, st.sampled_from(sorted(risk_types())), counts)


@given(st.lists(scores(), max_size=5))
def test_every_metric_stays_in_its_range(found: list[Score]) -> None:
    for metric in METRICS.values():
        value = metric.of(found)
        assert value is None or metric.low <= value <= metric.high, metric.name


@given(st.lists(scores(), max_size=5))
def test_the_order_of_cases_does_not_matter(found: list[Score]) -> None:
    for metric in METRICS.values():
        assert metric.of(found) == metric.of(found[::-1]), metric.name


@pytest.mark.parametrize("name", sorted(METRICS))
def test_nothing_to_count_is_no_number(name: str) -> None:
    assert METRICS[name].of([]) is None


@given(st.lists(scores(), min_size=1, max_size=6))
def test_a_false_alarm_never_raises_precision(found: list[Score]) -> None:
    worse = [replace(found[0], raised_wrong=found[0].raised_wrong + 1, wrong_strict=found[0].wrong_strict + 1)]
    for metric in (precision, precision_strict):
        before, after = metric(found), metric(worse + found[1:])
        assert after is not None
        assert before is None or after <= before


@given(st.lists(scores(), min_size=1, max_size=6))
def test_a_missed_expectation_lowers_recall(found: list[Score]) -> None:
    before, after = recall(found), recall([*found, Score("x", "DOSAGE_ERROR", "violation", expected=1)])
    assert after is not None
    assert before is None or after <= before


@given(st.floats(0, 1), st.floats(0, 1))
def test_f1_lies_between_its_parts_and_below_their_mean(p: float, r: float) -> None:
    f1 = harmonic(p, r)
    assert f1 is not None
    assert min(p, r) - 1e-9 <= f1 <= (p + r) / 2 + 1e-9


def test_a_system_that_says_nothing_has_no_precision_and_no_f1() -> None:
    silent = [Score("a", "DOSAGE_ERROR", "violation", expected=1)]
    assert precision(silent) is None
    assert METRICS["f1"].of(silent) == 0.0


def test_a_system_that_calls_everything_info_has_recall_but_no_weight() -> None:
    meek = [Score("a", "DOSAGE_ERROR", "violation", expected=1, found=1, expected_warning=1)]
    assert METRICS["recall"].of(meek) == 1.0
    assert METRICS["recall_warning"].of(meek) == 0.0
    assert METRICS["tier_accuracy"].of(meek) == 0.0
    assert METRICS["f1"].of(meek) == 0.0


@given(st.lists(scores(), max_size=10))
def test_the_types_of_a_table_account_for_every_case_of_a_type(found: list[Score]) -> None:
    table = by_type(found, ["recall"])
    counted = sum(int(row["violation"] or 0) + int(row["near_miss"] or 0) for row in table.values())
    assert counted == sum(s.kind != "gap" for s in found)
