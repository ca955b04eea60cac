"""A long run that is told to end: it ends as by Ctrl-C, so that its processes and locks are put away."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Exit codes, as a shell reports a program that a signal ended.
INTERRUPTED = 130
TERMINATED = 143


class Terminated(KeyboardInterrupt):
    """SIGTERM came."""


@contextmanager
def stopped_by_sigterm() -> Iterator[None]:
    """SIGTERM raises `Terminated` in the block, where Python would end at once and leave its processes behind."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread may take signals
        yield
        return
    before = signal.signal(signal.SIGTERM, _raise)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _raise(_signal: int, _frame: FrameType | None) -> None:
    raise Terminated
