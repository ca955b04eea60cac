"""The `frequency` field of the plain form → `Timing`, by the same grammar as directions; and a `Timing` as words."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from pharmakon.link.dosing.grammar import Step, read_steps
from pharmakon.link.dosing.readings import Item
from pharmakon.link.dosing.timing import timing_of
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Timing

_EXPECTED = "a frequency such as 'twice daily', 'q8h', '1-0-1', 'once weekly', 'every 72 hours'"


#: characters a frequency may have
_LIMIT = 1000


def read_frequency(text: str) -> Timing:
    """How often, as a range. A complaint ("as needed for pain") is passed over; every other word must be understood.

    Raises:
        BadInput: the text says no frequency, several after one another, a dose, or something that is not understood.
    """
    if len(text) > _LIMIT:
        raise BadInput(f"frequency {text[:40]!r}… of {len(text):,} characters", expected=_EXPECTED)
    return _read(text)


@lru_cache(maxsize=8192)  # a ward writes the same few words all day
def _read(text: str) -> Timing:
    steps = [step for step in read_steps(text) if step.words]
    if len(steps) == 1:
        step = steps[0]
        named = frozenset(day for item in step.of("weekdays") for day in item.slots) - {"others"}
        timing = timing_of([*step.items, *_limits(step)], named)
        doses = [item for item in step.of("dose") if not item.bare]
        known = {(word.start, word.end) for word in step.reason}
        unread = [text[word.start : word.end] for word in step.unread if (word.start, word.end) not in known]
        if timing and not doses and not unread:
            return timing
        if timing and unread:
            raise BadInput(f"frequency {text!r}: {' '.join(unread)!r} is not understood", expected=_EXPECTED)
    raise BadInput(f"frequency {text!r}", expected=_EXPECTED)


def _limits(step: Step) -> list[Item]:
    """ "q4-6h prn max 4/24h": a limit without a unit is so many times a day; one in mg needs the dose (`read_sig`)."""
    if not step.of("timing", "moments", "weekdays"):
        return []
    limits = [(item, item.amount.high) for item in step.of("limit") if item.bare and item.amount]
    return [replace(item, kind="cap", timing=Timing(0, most, 1.0)) for item, most in limits if most >= 1]


def _figure(value: float) -> str:
    """A figure without an exponent, so that it can be read back."""
    return format(Decimal(repr(value)).normalize(), "f")


def render(timing: Timing) -> str:
    """A timing as words that `read_frequency` reads as the same: "2 times a day", "every 8 hours".

    Raises:
        BadInput: a timing without a finite, positive period.
    """
    if not (math.isfinite(timing.days) and timing.days > 0 and math.isfinite(timing.high) and timing.high > 0):
        raise BadInput(f"timing {timing}", expected="a positive number of times in a positive number of days")
    low, high, days = timing.low, timing.high, timing.days
    times = _figure(high) if low == high else f"{_figure(low)} to {_figure(high)}"
    if low == high == 1 and days < 1:
        hours = round(days * 24, 9)
        return "every hour" if hours == 1 else f"every {_figure(hours)} hours"
    count = f"{times} time" if low == high == 1 else f"{times} times"
    if days == 1:
        return "once a day" if low == high == 1 else f"{count} a day"
    if days == 7:
        return "once a week" if low == high == 1 else f"{count} a week"
    if low == high == 1 and days == int(days):
        return f"every {int(days)} days"
    if days < 1:
        return f"{count} every {_figure(round(days * 24, 9))} hours"
    return f"{count} every {_figure(days)} days"
