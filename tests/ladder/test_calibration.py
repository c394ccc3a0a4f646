"""Calibration: what was said against what was seen."""

import math
from collections.abc import Sequence
from random import Random
from statistics import NormalDist

import pytest

from paddock_ladder.calibration import (
    Band,
    Prediction,
    bands,
    calibration,
    coverage,
    fitted_spread,
    log_loss,
)
from paddock_ladder.rating import BadRating

NORMAL = NormalDist()


def predicted(seed: int, count: int, spread: float) -> list[Prediction]:
    """Predictions that are `spread` times too sure."""
    rng = Random(seed)
    some = []
    for _ in range(count):
        z = rng.gauss(0, 1)
        some.append(Prediction(NORMAL.cdf(spread * z), rng.random() < NORMAL.cdf(z)))
    return some


@pytest.mark.parametrize("spread", [0.6, 1.0, 1.7])
def test_the_spread_that_is_missing_is_found(spread: float) -> None:
    found = fitted_spread(predicted(1, 5_000, spread))
    assert math.isclose(found, spread, rel_tol=0.1)


def test_honest_predictions_are_seen_as_said() -> None:
    found = bands(predicted(2, 20_000, 1.0))
    assert sum(band.number for band in found) == 20_000
    assert [band.low for band in found] == [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]
    for band in found:
        assert abs(band.said - band.seen) < 4 * band.error + 1e-3
        assert band.low <= band.said


def test_who_says_too_much_is_seen_to() -> None:
    last = bands(predicted(3, 20_000, 2.0))[-2]
    assert last.said - last.seen > 5 * last.error


def test_predictions_below_one_half_are_turned_round() -> None:
    (band,) = bands([Prediction(0.25, true=False), Prediction(0.75, true=True)])
    assert band == (0.7, 2, 0.75, 1.0, 0.0)


def test_predictions_of_one_match_count_as_one_measurement() -> None:
    alone = bands(predicted(5, 4_000, 0.0))[0]
    assert math.isclose(alone.error, math.sqrt(alone.seen * (1 - alone.seen) / alone.number))
    rng = Random(5)
    together = [
        Prediction(0.55, true, match)
        for match, true in enumerate(rng.random() < 0.55 for _ in range(1_000))
        for _ in range(4)
    ]
    (band,) = bands(together)
    (apart,) = bands(Prediction(0.55, one.true) for one in together)
    assert band[:4] == apart[:4]
    assert math.isclose(band.error, 2 * apart.error)  # four times the same is one measurement
    width, narrow = (each.interval.high - each.interval.low for each in (band, apart))
    assert math.isclose(width, 2 * narrow, rel_tol=0.02)


def test_intervals_hold_as_often_as_they_say() -> None:
    rng = Random(6)
    held = []
    for _ in range(2_000):
        (band,) = bands([Prediction(0.9, rng.random() < 0.9) for _ in range(40)])
        held.append(band.interval.holds(0.9))
    assert 0.93 < sum(held) / len(held) < 0.98


def test_an_interval_is_never_a_point_nor_beyond_what_can_be() -> None:
    for seen in (0.0, 1.0):
        low, high = Band(0.5, 10, 0.6, seen, 0.0).interval
        assert 0 <= low < high <= 1
        assert low <= seen <= high
    assert Band(0.5, 10, 0.6, 0.5, 0.0).interval.holds(0.5)  # by chance no deviation is left


def test_a_calibration_is_all_of_it() -> None:
    assert calibration(0, []) is None
    some = predicted(7, 500, 1.3)
    result = calibration(400, some)
    assert result is not None
    assert (result.matches, result.predictions, result.coverage) == (400, 500, None)
    assert (result.log_loss, result.spread) == (log_loss(some), fitted_spread(some))
    assert list(result.bands) == bands(some)


def test_the_spread_is_that_of_the_least_log_loss() -> None:
    some = predicted(8, 3_000, 1.4)
    best = fitted_spread(some)

    def loss(spread: float) -> float:
        return log_loss(
            Prediction(NORMAL.cdf(NORMAL.inv_cdf(one.chance) / spread), one.true) for one in some
        )

    assert all(loss(best) <= loss(best * by) + 1e-9 for by in (0.98, 0.995, 1.005, 1.02))


def test_log_loss() -> None:
    assert math.isclose(log_loss([Prediction(0.5, true=True)] * 3), math.log(2))
    assert log_loss([Prediction(1.0, true=True)]) == 0
    assert math.isfinite(log_loss([Prediction(1.0, true=False)]))


def test_coverage_by_drawing_matches_again() -> None:
    """Who is first, N(0, 1) or N(0.5, 1), by means of ten and an interval of two sigmas."""
    rng = Random(4)
    matches = [(rng.gauss(0, 1), rng.gauss(0.5, 1)) for _ in range(2000)]

    def intervals(some: Sequence[tuple[float, float]]) -> dict[str, tuple[int, int]]:
        gap = sum(b - a for a, b in some) / len(some)
        margin = 2 * math.sqrt(2 / len(some))
        if abs(gap) < margin:
            return {"a": (1, 2), "b": (1, 2)}
        return {"a": (2, 2), "b": (1, 1)} if gap > 0 else {"a": (1, 1), "b": (2, 2)}

    found = coverage(matches, intervals, {"a": 2, "b": 1}, size=10, draws=200)
    assert found.held > 0.98
    assert 1 < found.width < 2
    assert found == coverage(matches, intervals, {"a": 2, "b": 1}, size=10, draws=200)


def test_nothing_says_nothing() -> None:
    assert bands([]) == []
    for measure in (log_loss, fitted_spread):
        with pytest.raises(BadRating, match="predictions"):
            measure([])
    with pytest.raises(BadRating, match=r"chance: 1\.5"):
        log_loss([Prediction(1.5, true=True)])
    with pytest.raises(BadRating, match="matches"):
        coverage([], lambda _: {}, {}, 1, 1)
