"""Trying again: what may pass is waited for, longer each time, within one limit for all of it and until cancelled.

Full jitter (Brooker 2015, "Exponential Backoff And Jitter"): a wait is drawn between nothing and twice the last bound,
so that many callers do not come back at once. A server that says when (`Retry-After`) is taken at its word.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

T = TypeVar("T")
#: Seconds: the bound of the first wait, and of any.
_FIRST, _LONGEST = 0.5, 20.0
_LOOK = 0.05  #: how often a wait for an answer looks whether it was cancelled


class Passing(Exception):
    """A failure that may be over the next time; `after` seconds if the server says so."""

    def __init__(self, message: str, why: str, after: float | None = None) -> None:
        super().__init__(message)
        self.why, self.after = why, after


class Cancelled(Exception):
    """The caller wants no answer any more."""


class OutOfTime(Exception):
    """No answer within the time for all attempts."""


@dataclass(frozen=True, slots=True)
class Patience:
    """`retries` after the first attempt; `seconds` for one attempt; `total` for all of them with their waits."""

    retries: int
    seconds: float
    total: float


def trying(
    attempt: Callable[[float], T],
    patience: Patience,
    cancelled: threading.Event,
    drawn: Callable[[], float] = random.random,
) -> T:
    """What `attempt` gives; it is told how many seconds it has.

    Raises the last `Passing`, `Cancelled`, `OutOfTime`, and what `attempt` raises beyond them.
    """
    end = time.monotonic() + patience.total
    for count in range(patience.retries + 1):
        left = end - time.monotonic()
        if left <= 0:
            raise OutOfTime
        try:
            return _watched(attempt, min(patience.seconds, left), cancelled)
        except Passing as failure:
            wait = failure.after if failure.after is not None else drawn() * min(_LONGEST, _FIRST * 2.0**count)
            if count == patience.retries or wait > end - time.monotonic():
                raise
        if cancelled.wait(wait):
            raise Cancelled
    raise OutOfTime


def _watched(attempt: Callable[[float], T], seconds: float, cancelled: threading.Event) -> T:
    """`attempt` in a thread of its own, which is left to itself where the caller wants no answer any more."""
    if cancelled.is_set():
        raise Cancelled
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(attempt(seconds))
        except BaseException as error:  # noqa: BLE001 - raised again below, in the thread that asked
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    end = time.monotonic() + seconds
    while thread.is_alive():
        thread.join(_LOOK)
        if thread.is_alive() and cancelled.is_set():
            raise Cancelled
        if thread.is_alive() and time.monotonic() > end:
            raise Passing(f"no answer within {seconds:g} seconds", "timeout")
    if failed:
        raise failed[0]
    return found[0]


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """The seconds of a `Retry-After` header: a number, or a date (RFC 9110, 10.2.3). None where it says nothing.

    >>> retry_after("3"), retry_after("soon")
    (3.0, None)
    """
    text = (value or "").strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())
