"""Where the thresholds of the router belong for a sample of questions (FG-2).

FusionGraphRAG, section 3.2.2: "Distribution analysis of Z_C across representative medical query samples identifies
inflection points". Here the density f of z is estimated with Gaussian kernels (Silverman's bandwidth, 1986, Eq. 3.31),
and a threshold is an inflection of the distribution F = ∫f where it turns from levelling off to rising: a valley of f,
where few questions lie and few change agent if it moves a little. The two deepest valleys are τ₁ and τ₂; a dip of less
than a tenth of the highest hill is none. Where there is one valley, it is τ₁, and τ₂ is the inflection of f on the far
flank of the hill behind it; where there is none, τ₁ and τ₂ are the inflections of f on both flanks of the only hill (of
a normal distribution they are one standard deviation from the middle).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import pstdev, quantiles

from pharmakon.ask.routing import Thresholds, choose_agent, published
from pharmakon.model.answer import Route

#: Fewer questions say nothing about a distribution.
FEWEST = 30
_BINS = 20
_STEPS = 400  #: of the grid on [0, 1]
_LEAST_DEPTH = 0.1  #: of a valley, as a share of the highest hill
_PERCENTS = (0, 5, 10, 25, 50, 75, 90, 95, 100)


@dataclass(frozen=True, slots=True)
class Bin:
    """How many z lie in [`start`, `end`), the last bin with its end."""

    start: float
    end: float
    count: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a sample says. `proposed` is None where it says nothing, and `why` tells how it was found, or why not."""

    questions: int
    early: int  #: sent to deep search by the sentinel: they have no z
    intents: tuple[tuple[str, int], ...]  #: the most frequent first
    quantiles: tuple[tuple[int, float], ...]  #: (percent, z)
    histogram: tuple[Bin, ...]
    current: Thresholds
    agents: tuple[tuple[str, int], ...]  #: of measured questions, by the thresholds in force
    proposed: Thresholds | None
    agents_proposed: tuple[tuple[str, int], ...]
    why: str


def calibrate(routes: Iterable[Route], current: Thresholds | None = None) -> Calibration:
    """The distribution of z over a sample, and thresholds from its inflections. Pure, and nothing is changed by it."""
    sample = list(routes)
    limits = current or published()
    z = sorted(route.z for route in sample if route.z is not None)
    proposed, why = _proposal(z)
    return Calibration(
        questions=len(sample),
        early=len(sample) - len(z),
        intents=_counted(route.intent for route in sample),
        quantiles=tuple(zip(_PERCENTS, _quantiles(z), strict=True)) if z else (),
        histogram=_histogram(z),
        current=limits,
        agents=_counted(choose_agent(value, limits) for value in z),
        proposed=proposed,
        agents_proposed=_counted(choose_agent(value, proposed) for value in z) if proposed else (),
        why=why,
    )


def _proposal(z: Sequence[float]) -> tuple[Thresholds | None, str]:
    if len(z) < FEWEST:
        return None, f"{len(z)} measured questions; a proposal needs at least {FEWEST}"
    width = bandwidth(z)
    if width == 0.0:
        return None, "all questions have the same z"
    f = density(z, width)
    deep = [at for at in _valleys(f) if _depth(f, at) >= _LEAST_DEPTH * max(f)]
    match sorted(sorted(deep, key=lambda at: -_depth(f, at))[:2]):
        case [low, high]:
            found, why = (low, high), "the two deepest valleys of the density of z"
        case [low]:
            found = low, _flank(f, _top(f, low), 1)
            why = "the valley of the density of z, and the inflection on the flank behind it"
        case _:
            found = _flank(f, _top(f, 0), -1), _flank(f, _top(f, 0), 1)
            why = "the inflections on both flanks of the density of z, which has no valley"
    return Thresholds(*(round(at / _STEPS, 3) for at in found)), f"{why} (kernel width {width:.3f})"


def bandwidth(z: Sequence[float]) -> float:
    """0.9 · min(s, IQR / 1.34) · n^(−1/5), by s alone where the quartiles are the same."""
    lower, _, upper = quantiles(z, n=4, method="inclusive")
    spread = pstdev(z)
    return 0.9 * (min(spread, (upper - lower) / 1.34) or spread) * float(len(z) ** -0.2)


def density(z: Sequence[float], width: float) -> list[float]:
    """f at 0, 1/400, …, 1, not normalised. What a kernel throws over an end is thrown back: z has no tail out there."""
    mirrored = [*z, *(-value for value in z), *(2.0 - value for value in z)]
    return [
        math.fsum(math.exp(-0.5 * ((at / _STEPS - value) / width) ** 2) for value in mirrored)
        for at in range(_STEPS + 1)
    ]


def _valleys(f: Sequence[float]) -> list[int]:
    """Places with a higher one on both sides before a lower one; of a flat bottom the middle."""
    found: list[int] = []
    fell_at: int | None = None
    for at in range(1, len(f)):
        if f[at] < f[at - 1]:
            fell_at = at
        elif f[at] > f[at - 1] and fell_at is not None:
            found.append((fell_at + at - 1) // 2)
            fell_at = None
    return found


def _depth(f: Sequence[float], at: int) -> float:
    """How far the lower of the two hills around a valley stands over it."""
    return min(max(f[:at]), max(f[at:])) - f[at]


def _top(f: Sequence[float], start: int) -> int:
    """The highest place from `start` on."""
    return max(range(start, len(f)), key=lambda at: f[at])


def _flank(f: Sequence[float], top: int, step: int) -> int:
    """The first inflection from a top in the direction of `step`; the end of the grid where there is none."""
    at = top + step
    while 0 < at < _STEPS and f[at - 1] - 2.0 * f[at] + f[at + 1] < 0.0:
        at += step
    return min(max(at, 0), _STEPS)


def _quantiles(z: Sequence[float]) -> list[float]:
    """By linear interpolation between the sorted values."""
    found = []
    for percent in _PERCENTS:
        place = (len(z) - 1) * percent / 100
        low, high = math.floor(place), math.ceil(place)
        found.append(z[low] + (z[high] - z[low]) * (place - low))
    return found


def _histogram(z: Sequence[float]) -> tuple[Bin, ...]:
    counts = [0] * _BINS
    for value in z:
        counts[min(int(value * _BINS), _BINS - 1)] += 1
    return tuple(Bin(at / _BINS, (at + 1) / _BINS, count) for at, count in enumerate(counts))


def _counted(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
