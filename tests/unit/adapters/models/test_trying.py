"""Trying again, without a clock: waits are drawn as nothing, or never begun."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest

from pharmakon.adapters.models.trying import Cancelled, OutOfTime, Passing, Patience, retry_after, trying

PATIENCE = Patience(retries=2, seconds=5, total=60)


class Flaky:
    """Fails so many times, then gives its count."""

    def __init__(self, failures: int, after: float | None = None) -> None:
        self.failures, self.after, self.count = failures, after, 0

    def __call__(self, seconds: float) -> int:
        self.count += 1
        if self.count <= self.failures:
            raise Passing("busy", "refused", self.after)
        return self.count


def at_once() -> float:
    return 0.0


def test_what_passes_is_waited_for() -> None:
    assert trying(Flaky(2), PATIENCE, threading.Event(), at_once) == 3


def test_what_does_not_pass_is_given_up_with_its_reason() -> None:
    flaky = Flaky(9)
    with pytest.raises(Passing, match="busy"):
        trying(flaky, PATIENCE, threading.Event(), at_once)
    assert flaky.count == 3


def test_a_wait_that_would_end_too_late_is_not_begun() -> None:
    flaky = Flaky(1, after=3600)
    with pytest.raises(Passing):
        trying(flaky, PATIENCE, threading.Event())
    assert flaky.count == 1


def test_a_wait_is_cut_short_by_cancelling() -> None:
    cancelled = threading.Event()
    flaky = Flaky(1, after=50)

    def attempt(seconds: float) -> int:
        threading.Timer(0.01, cancelled.set).start()
        return flaky(seconds)

    with pytest.raises(Cancelled):
        trying(attempt, PATIENCE, cancelled)


def test_without_time_nothing_is_tried() -> None:
    flaky = Flaky(0)
    with pytest.raises(OutOfTime):
        trying(flaky, Patience(2, 5, total=0), threading.Event())
    assert flaky.count == 0


def test_other_failures_come_through_at_once() -> None:
    def attempt(seconds: float) -> int:
        raise KeyError(seconds)

    with pytest.raises(KeyError):
        trying(attempt, PATIENCE, threading.Event())


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7.0), ("0.5", 0.5), (None, None), ("", None), ("soon", None), ("Mon, 02 Mar 2026 10:00:30 GMT", 30.0)],
)
def test_a_server_says_when_in_seconds_or_by_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, datetime(2026, 3, 2, 10, tzinfo=UTC)) == seconds


def test_a_date_that_is_past_is_now() -> None:
    assert retry_after("Mon, 02 Mar 2020 10:00:30 GMT") == 0.0
