"""Metrics declare their own truth: range, direction, and what they are a share of. Tests hold them to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pharmakon.evaluate.matching import Score


@dataclass(frozen=True, slots=True)
class Metric:
    """A number over scores of cases, in [0, 1], the higher the better. `None` where there was nothing to count.

    `misleads` says when the number looks better than the system is.
    """

    name: str
    what: str
    misleads: str
    of: Callable[[Sequence[Score]], float | None]
    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = True


def ratio(part: int, whole: int) -> float | None:
    """`part` of `whole`; None where there is no whole.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, None)
    """
    return part / whole if whole else None


def harmonic(precision: float | None, recall: float | None) -> float | None:
    """F1: 2PR / (P + R), 0 where both are 0. A precision nobody earned (nothing was raised) counts as 0.

    >>> harmonic(0.5, 1.0), harmonic(None, 0.0), harmonic(1.0, None)
    (0.6666666666666666, 0.0, None)
    """
    if recall is None:
        return None
    p = precision or 0.0
    return 2 * p * recall / (p + recall) if p + recall else 0.0


def _sum(values: Iterable[int]) -> int:
    return sum(values)


def precision(scores: Sequence[Score]) -> float | None:
    right = _sum(s.raised_right for s in scores)
    return ratio(right, right + _sum(s.raised_wrong for s in scores))


def precision_strict(scores: Sequence[Score]) -> float | None:
    right = _sum(s.found for s in scores)
    return ratio(right, right + _sum(s.wrong_strict for s in scores))


def recall(scores: Sequence[Score]) -> float | None:
    return ratio(_sum(s.found for s in scores), _sum(s.expected for s in scores))


def _share(of: Callable[[Score], int], whole: Callable[[Score], int]) -> Callable[[Sequence[Score]], float | None]:
    return lambda scores: ratio(_sum(of(s) for s in scores), _sum(whole(s) for s in scores))


METRICS: dict[str, Metric] = {
    m.name: m
    for m in (
        Metric(
            "precision",
            "of findings of tier warning or above: expected ones against those forbidden or of the case's own type",
            "when false alarms are of other types than the case's own",
            precision,
        ),
        Metric(
            "precision_strict",
            "of findings of any tier and type: those expected, against those neither expected nor derivable",
            "when also_true is long: what it lists is not counted at all",
            precision_strict,
        ),
        Metric("recall", "expected findings that came, at any tier", "when all findings are of tier info", recall),
        Metric(
            "f1",
            "harmonic mean of precision and recall",
            "as both of them do",
            lambda s: harmonic(precision(s), recall(s)),
        ),
        Metric(
            "f1_strict",
            "harmonic mean of precision_strict and recall",
            "as both of them do",
            lambda s: harmonic(precision_strict(s), recall(s)),
        ),
        Metric(
            "recall_type_or",
            "expected findings that came under their type or another defensible one",
            "when type_or lists are long",
            _share(lambda s: s.found_type_or, lambda s: s.expected),
        ),
        Metric(
            "recall_warning",
            "expected findings of tier warning or above that came at tier warning or above",
            "when few rules are that strong",
            _share(lambda s: s.found_warning, lambda s: s.expected_warning),
        ),
        Metric(
            "tier_accuracy",
            "found expectations whose finding has at least the tier asked for",
            "when everything is critical: only too low a tier is counted",
            _share(lambda s: s.tier_right, lambda s: s.found),
        ),
        Metric(
            "near_miss_specificity",
            "near misses without a forbidden finding of tier warning or above",
            "when other findings than the forbidden come",
            _share(lambda s: s.near_miss_quiet, lambda s: s.near_miss),
        ),
        Metric(
            "recall_also_true",
            "further rules that the prescriptions break which came as findings",
            "never more than the rest: these rules were not aimed at",
            _share(lambda s: s.also_found, lambda s: s.also),
        ),
        Metric(
            "gap_recall",
            "missing factors that were named as gaps",
            "when every factor is named always",
            _share(lambda s: s.gaps_found, lambda s: s.gaps),
        ),
    )
}  # fmt: skip
