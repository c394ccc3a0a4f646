"""Calibration: what was said against what was seen."""

import math
from collections.abc import Sequence
from random import Random
from statistics import NormalDist

import pytest

from paddock_ladder.calibration import Prediction, bands, coverage, fitted_spread, log_loss
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
