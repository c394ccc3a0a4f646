"""Statistics of blocks: right by hand, and as often right as they say."""

from math import inf, sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from paddock_ladder.blocks import (
    Estimate,
    complete,
    differences,
    estimate,
    saving,
)
from paddock_ladder.schedules import Outcome


def test_blocks_of_one_size_give_the_mean_of_means() -> None:
    blocks = [[1, 3], [4, 6], [2, 2]]
    found = estimate(blocks)
    means = [fmean(block) for block in blocks]
    assert found.mean == pytest.approx(3)
    assert found.error == pytest.approx(stdev(means) / sqrt(3))
    assert (found.blocks, found.matches) == (3, 6)


def test_too_little_has_no_error() -> None:
    assert estimate([]) == Estimate(0.0, None, 0, 0)
    assert estimate([[2, 4], []]) == Estimate(3.0, None, 1, 2)
    assert estimate([[2, 4]]).interval() is None


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """Matches that hang together by block, and one block in three incomplete."""
    rng = Random(5)
    covered = {0.9: 0, 0.95: 0}
    by_match = 0
    runs = 600
    for _ in range(runs):
        blocks = []
        for _ in range(12):
            deal = rng.gauss(0, 3)
            size = rng.choice([4, 4, 2])
            blocks.append([10 + deal + rng.gauss(0, 2) for _ in range(size)])
        for level in covered:
            low, high = estimate(blocks).interval(level) or (inf, -inf)
            covered[level] += low <= 10 <= high
        low, high = estimate([[x] for block in blocks for x in block]).interval(0.95) or (inf, -inf)
        by_match += low <= 10 <= high
    for level, times in covered.items():
        margin = 3 * sqrt(level * (1 - level) / runs)
        assert level - margin - 0.015 <= times / runs <= level + margin
    assert by_match / runs < 0.85  # counting matches instead of blocks would promise too much


def test_differences_within_a_match() -> None:
    def ended(block: str, bots: str, totals: tuple[int, ...], declared: bool = False) -> Outcome:
        return Outcome(block, "summer", tuple(bots), (1, 1, 1), totals, block, 1, declared)

    matches = [
        ended("x", "abc", (5, 3, 9)),
        ended("x", "bca", (5, 3, 9)),
        ended("x", "cab", (5, 3, 9), declared=True),
        ended("y", "acd", (1, 2, 3)),
        ended("z", "bad", (1, 2, 3)),
    ]
    found = differences(matches, "a", "b")
    assert found == {"x": [2, 4], "z": [1]}
    assert complete(found, 2) == {"x": [2, 4]}


def test_a_saving_is_what_the_parts_of_the_variance_say() -> None:
    rng = Random(8)

    def blocks(deal: float, seat: float, rest: float) -> list[list[float]]:
        made = []
        for _ in range(4000):
            luck = rng.gauss(0, deal)
            seats = [seat, -seat]
            made.append([luck + seats[at] + rng.gauss(0, rest) for at in range(2)])
        return made

    assert saving(blocks(0, 0, 1)) == pytest.approx(1, abs=0.1)
    assert saving(blocks(0, 1, 1)) == pytest.approx(2, abs=0.2)
    assert saving(blocks(3, 0, 1)) < 0.6  # what only adds to a block's mean makes it worth less
    assert saving([[1.0, -1.0], [2.0, -2.0]]) == inf


def test_a_saving_needs_blocks_of_one_size() -> None:
    for blocks in ([], [[1.0, 2.0]], [[1.0, 2.0], [1.0]]):
        with pytest.raises(ValueError, match=r"^blocks: "):
            saving(blocks)
