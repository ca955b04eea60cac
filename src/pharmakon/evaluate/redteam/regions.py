"""The patients a clause speaks of, as a box: one interval or set per question. Narrower rules are smaller boxes.

This is how a generator knows which of several true dose rules decides, without asking the audit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Condition

Above = Mapping[ConceptId, frozenset[ConceptId]]
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


def inside(a: Box, b: Box, above: Above = MappingProxyType({})) -> bool:
    """Whether every patient of `a` is one of `b`; `above` says what a concept is, so that a kind of it is inside it."""
    for question, (low, high) in b.spans.items():
        mine = a.spans.get(question)
        if mine is None or mine[0] < low or mine[1] > high:
            return False
    for question, allowed in b.sets.items():
        values = a.sets.get(question)
        if values is None:
            return False
        if question[2]:
            if not values >= allowed:
                return False
        elif not all(allowed & above.get(ConceptId(v), frozenset({v})) for v in values):
            return False
    return True


def narrower(a: Box, b: Box, above: Above = MappingProxyType({})) -> bool:
    """Whether `a` is inside `b` and not the same."""
    return inside(a, b, above) and not inside(b, a, above)
