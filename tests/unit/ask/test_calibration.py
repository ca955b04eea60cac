from __future__ import annotations

import random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ask.calibration import FEWEST, calibrate
from pharmakon.ask.routing import Thresholds
from pharmakon.model.answer import Route


def routes(*z: float | None) -> list[Route]:
    return [Route("general", "naive", z=value) for value in z]


def around(centre: float, n: int, seed: int = 1) -> list[float]:
    draw = random.Random(seed)
    return [min(max(draw.gauss(centre, 0.04), 0.0), 1.0) for _ in range(n)]


def test_thresholds_are_proposed_in_the_valleys_between_three_hills() -> None:
    found = calibrate(routes(*around(0.2, 80), *around(0.5, 60, 2), *around(0.8, 40, 3)))
    assert found.proposed is not None
    assert 0.3 < found.proposed.tau1 < 0.4
    assert 0.6 < found.proposed.tau2 < 0.7
    agents = dict(found.agents_proposed)
    assert abs(agents["naive"] - 80) <= 2
    assert abs(agents["deep_search"] - 40) <= 2
    assert "valleys" in found.why


def test_with_one_valley_the_second_threshold_is_on_the_last_flank() -> None:
    found = calibrate(routes(*around(0.2, 80), *around(0.6, 60, 2)))
    assert found.proposed is not None
    assert 0.3 < found.proposed.tau1 < 0.5
    assert 0.6 < found.proposed.tau2 < 0.8


def test_with_one_hill_the_thresholds_are_its_two_flanks() -> None:
    found = calibrate(routes(*(0.5 + 0.003 * (i - 50) for i in range(101))))
    assert found.proposed is not None
    assert found.proposed.tau1 < 0.45
    assert found.proposed.tau2 > 0.55
    assert "no valley" in found.why


def test_the_flanks_of_a_normal_distribution_are_one_deviation_from_its_middle() -> None:
    found = calibrate(routes(*(NormalDist(0.5, 0.1).inv_cdf((i + 0.5) / 2000) for i in range(2000))))
    assert found.proposed is not None
    assert found.proposed.tau1 == pytest.approx(0.4, abs=0.01)
    assert found.proposed.tau2 == pytest.approx(0.6, abs=0.01)


def test_a_dip_of_chance_is_no_valley() -> None:
    found = calibrate(routes(*around(0.4, 150), *around(0.42, 150, 2), 0.9))
    assert "no valley" in found.why


def test_a_hill_at_the_end_of_the_scale_has_its_flank_inside() -> None:
    found = calibrate(routes(*(abs(z) for z in around(0.0, 100))))
    assert found.proposed is not None
    assert found.proposed.tau1 == 0
    assert 0 < found.proposed.tau2 < 0.2


def test_a_small_or_uniform_sample_proposes_nothing_and_says_why() -> None:
    few = calibrate(routes(*[0.1] * (FEWEST - 1)))
    same = calibrate(routes(*[0.4] * 100))
    assert few.proposed is None
    assert str(FEWEST) in few.why
    assert same.proposed is None
    assert "same z" in same.why


def test_questions_that_left_early_are_counted_apart() -> None:
    found = calibrate(routes(None, None, 0.1, 0.5))
    assert (found.questions, found.early) == (4, 2)
    assert sum(b.count for b in found.histogram) == 2


def test_no_question_at_all_is_an_ordinary_answer() -> None:
    nothing = calibrate([])
    assert (nothing.questions, nothing.quantiles, nothing.proposed) == (0, (), None)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_the_histogram_counts_every_question_and_the_quantiles_never_fall(z: list[float]) -> None:
    found = calibrate(routes(*z), Thresholds(0.2, 0.9))
    assert sum(b.count for b in found.histogram) == len(z)
    values = [value for _, value in found.quantiles]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (min(z), max(z))
    assert sum(count for _, count in found.agents) == len(z)
    if found.proposed is not None:
        assert 0 <= found.proposed.tau1 <= found.proposed.tau2 <= 1
