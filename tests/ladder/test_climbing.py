"""Ladders of graded bots are played as asked, kept as they come, and summed up rightly."""

import math
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean

import pytest
from bench.climbing import (
    PAIRINGS,
    Checkpoint,
    Climb,
    Results,
    Scale,
    Task,
    Truth,
    climbed,
    measure,
    summaries,
)
from bench.graded import GRADES
from bench.information import information

from paddock_ladder.rating import Rating
from tests.ladder.reference import PARAMETERS

BOTS = [grade.name for grade in GRADES]
SMALL = Scale(times={2: 1}, steps=(2, 4))
TASKS = [Task("two-player", how, number) for number in range(2) for how in PAIRINGS]


@pytest.mark.parametrize("how", PAIRINGS)
def test_a_ladder_is_the_same_each_time_and_knows_everybody(how: str) -> None:
    climb = climbed(Task("two-player", how, 3), SMALL.steps)
    assert climb == climbed(Task("two-player", how, 3), SMALL.steps)
    assert climb.checkpoints != climbed(Task("two-player", how, 4), SMALL.steps).checkpoints
    assert [one.matches for one in climb.checkpoints] == [2, 4]
    for one in climb.checkpoints:
        assert sorted(one.intervals) == sorted(BOTS)
        assert all(1 <= low <= high <= len(BOTS) for low, high in one.intervals.values())
        assert all(len(set(best)) == 3 for best in one.top.values())


def test_a_run_that_was_killed_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    whole = Results(file)
    measure(whole, TASKS, SMALL)
    wanted = list(summaries(whole, TASKS, SMALL))
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + len(TASKS)
    file.write_text("".join(lines[:3]) + lines[3][:20])
    again = Results(file)
    assert len(again.climbs) == 2
    measure(again, TASKS, SMALL)
    assert sorted(file.read_text().splitlines(keepends=True)) == sorted(lines)
    assert list(summaries(Results(file), TASKS, SMALL)) == wanted


def test_what_ladders_come_to() -> None:
    results = Results(None)
    results.add_truth(Truth("two-player", 1, BOTS))
    swapped = [BOTS[1], BOTS[0], BOTS[2]]
    for number, best in enumerate((BOTS[:3], swapped)):
        top = {"live": swapped, "history": best, "standing": best, "points": BOTS[:3]}
        off = {bot: (rank + number, rank + 2) for rank, bot in enumerate(BOTS, 1)}
        checkpoint = Checkpoint(100, top, off)
        results.add_climb(Climb(Task("two-player", "by lot", number), [checkpoint]))
    (line,) = summaries(results, list(results.climbs), SMALL)
    assert (line.live, line.history, line.standing, line.points) == (0, 0.5, 0.5, 1)
    assert (line.ladders, line.held, line.width) == (2, 0.5, 2.5)


def test_information_is_what_is_not_known_yet() -> None:
    """The mutual information of two strengths and their match, against draws of the strengths."""
    one, other = Rating(27.0, 5.0), Rating(24.0, 3.0)
    nats = information((one, other), PARAMETERS)
    assert nats == information((other, one), PARAMETERS)
    rng, cdf = Random(4), NormalDist().cdf
    chances = [
        cdf((rng.gauss(*one) - rng.gauss(*other)) / (math.sqrt(2) * PARAMETERS.beta))
        for _ in range(20_000)
    ]

    def entropy(chance: float) -> float:
        return -sum(part * math.log(part) for part in (chance, 1 - chance) if part > 0)

    assert nats == pytest.approx(entropy(fmean(chances)) - fmean(map(entropy, chances)), rel=0.05)


def test_information_is_more_the_less_is_known_and_the_closer_bots_are() -> None:
    def of(distance: float, sigma: float) -> float:
        return information((Rating(25 + distance, sigma), Rating(25, sigma)), PARAMETERS)

    assert of(0, 8) > of(0, 4) > of(0, 1) > 0
    assert of(0, 2) > of(5, 2) > of(20, 2)
    three = [Rating(25, 2)] * 3
    assert information(three, PARAMETERS) == pytest.approx(3 * of(0, 2))
