"""The timings said in one instruction → one `Timing`, never less often than what was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pharmakon.link.dosing.readings import Item
from pharmakon.model.prescription import Timing


def summed(timings: Sequence[Timing]) -> Timing:
    """Several timings kept side by side: "Mon, Wed, Fri" and "the other days" are seven in seven days."""
    days = {timing.days for timing in timings}
    if len(days) == 1:
        return Timing(sum(t.low for t in timings), sum(t.high for t in timings), days.pop())
    return Timing(sum(t.per_day[0] for t in timings), sum(t.per_day[1] for t in timings), 1.0)


def _most_often(timings: Sequence[Timing]) -> Timing:
    return max(timings, key=lambda timing: timing.per_day[1])


def _capped(timing: Timing | None, caps: Sequence[Timing]) -> Timing | None:
    """ "every 4 hours, max 4 times a day"; a cap alone is a timing from never to the cap."""
    for cap in caps:
        if timing is None:
            timing = Timing(0, cap.high, cap.days)
        elif cap.per_day[1] < timing.per_day[1]:
            low = min(timing.per_day[0], cap.per_day[1]) * cap.days
            timing = Timing(low, cap.high, cap.days)
    return timing


def weekly_course(items: Iterable[Item]) -> tuple[Timing, float] | None:
    """ "every 12 hours x 3 doses weekly": three a week, and the most of them that fall on one day; else None."""
    said = list(items)
    count = next((item.count for item in said if item.kind == "course"), None)
    timings = [item.timing for item in said if item.kind == "timing" and item.timing]
    slow = [timing for timing in timings if timing.days >= 7]
    fast = [timing for timing in timings if timing.per_day[1] >= 1]
    if not count or not slow or not fast:
        return None
    period = min(timing.days / timing.high for timing in slow)
    return Timing(count, count, period), min(count, _most_often(fast).per_day[1])


def timing_of(items: Iterable[Item], named_days: frozenset[str] = frozenset()) -> Timing | None:
    """How often one dose is given, or None where nothing says so.

    Args:
        items: what one instruction says.
        named_days: the weekdays named for any dose of the step, so that "other days" are the rest.
    """
    items = list(items)
    timings = [item.timing for item in items if item.kind == "timing" and item.timing]
    apart = [item.timing for item in items if item.kind == "timing" and item.timing and item.joined]
    caps = [item.timing for item in items if item.kind == "cap" and item.timing]
    moments = [item for item in items if item.kind == "moments"]
    slots = len({slot for item in moments for slot in item.slots})
    days = {day for item in items if item.kind == "weekdays" for day in item.slots}
    course = next((item.count for item in items if item.kind == "course"), None)
    if course and (weekly := weekly_course(items)):
        return weekly[0]
    if course:  # so many doses in all are at most so many a day
        caps.append(Timing(0, course, 1.0))
    in_week = len(days - {"others"}) + (7 - len(named_days) if "others" in days else 0)
    found: Timing | None = None
    if timings:
        first = [timing for timing in timings if timing not in apart]
        found = summed([_most_often(first), *apart]) if first and apart else _most_often(timings)
        extra = sum(len(item.slots) for item in moments if item.joined and item.at > 0)
        said = sum(len(item.slots) for item in moments if item.tag != "meals")
        if extra:  # "three times a day and at bedtime"
            found = summed([found, Timing(extra, extra, 1.0)])
        elif found.days == 1 and said > found.high:  # "daily in the morning and evening"
            found = Timing(said, said, 1.0)
        if in_week and found.days == 1:  # "once daily on Monday and Thursday"
            found = Timing(found.low * in_week, found.high * in_week, 7.0)
        elif in_week and found.days == 7 and in_week > found.high:
            found = Timing(in_week, in_week, 7.0)
    elif slots or in_week:
        found = Timing(max(slots, 1) * (in_week or 1), max(slots, 1) * (in_week or 1), 7.0 if in_week else 1.0)
    return _capped(found, caps)
