"""The patients a clause speaks of, as a box: one interval or set per question. Narrower rules are smaller boxes.

This is how a generator knows which of several true dose rules decides, without asking the audit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pharmakon.model.statements import Condition

_Question = tuple[str, str, bool]
"""Factor, side, negated."""


@dataclass(frozen=True, slots=True)
class Box:
    """`spans` are closed at an end where its flag is 0, open where it is 1; `sets` hold the values allowed."""

    spans: dict[_Question, tuple[tuple[float, int], tuple[float, int]]]
    sets: dict[_Question, frozenset[str]]


def box(clause: Iterable[Condition]) -> Box:
    """All conditions on one question met into one interval or set."""
    spans: dict[_Question, tuple[tuple[float, int], tuple[float, int]]] = {}
    sets: dict[_Question, frozenset[str]] = {}
    for c in clause:
        question = (c.factor, c.of, c.negated)
        if c.values:
            # "without a or b" narrows by adding, everything else by leaving out
            known = sets.get(question, frozenset(c.values))
            sets[question] = known | set(c.values) if c.negated else known & set(c.values)
            continue
        low, high = spans.get(question, ((float("-inf"), 0), (float("inf"), 0)))
        if c.op in (">", ">="):
            low = max(low, (c.number, int(c.op == ">")))
        else:
            high = min(high, (c.number, -int(c.op == "<")))
        spans[question] = (low, high)
    return Box(spans, sets)


def inside(a: Box, b: Box) -> bool:
    """Whether every patient of `a` is one of `b`."""
    for question, (low, high) in b.spans.items():
        mine = a.spans.get(question)
        if mine is None or mine[0] < low or mine[1] > high:
            return False
    for question, allowed in b.sets.items():
        values = a.sets.get(question)
        if values is None or not (values >= allowed if question[2] else values <= allowed):
            return False
    return True


def narrower(a: Box, b: Box) -> bool:
    """Whether `a` is inside `b` and not the same."""
    return inside(a, b) and not inside(b, a)
