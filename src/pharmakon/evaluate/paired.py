"""Whether one system is better than another on the same cases: paired tests, for shares and for means."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import comb


def mcnemar(ours: Sequence[bool], theirs: Sequence[bool]) -> float:
    """The two-sided p of McNemar's exact test: of cases where just one is right, each is as likely to be the one.

    McNemar 1947, doi:10.1007/BF02295996; exact by the binomial distribution. 1 where they never differ.

    >>> mcnemar([True] * 10, [False] * 10), mcnemar([True], [True])
    (0.001953125, 1.0)
    """
    won = sum(a and not b for a, b in zip(ours, theirs, strict=True))
    lost = sum(b and not a for a, b in zip(ours, theirs, strict=True))
    n, least = won + lost, min(won, lost)
    p: float = 2 * sum(comb(n, k) for k in range(least + 1)) / 2**n
    return min(1.0, p)


def bootstrap(ours: Sequence[float], theirs: Sequence[float], seed: int, draws: int = 2000) -> tuple[float, float]:
    """The 95 % interval of the mean difference, ours less theirs, over cases drawn again (Efron 1979, percentile).

    Raises `ValueError` where there are no cases, or not the same ones.
    """
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    if not differences:
        raise ValueError("no cases to draw from")
    rng = random.Random(seed)
    n = len(differences)
    means = sorted(sum(rng.choices(differences, k=n)) / n for _ in range(draws))
    return means[int(0.025 * draws)], means[int(0.975 * draws) - 1]
