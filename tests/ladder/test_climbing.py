"""Ladders of graded bots are played as asked, kept as they come, and summed up rightly."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean

import numpy as np
import pytest
from bench.claims import said_held, said_top
from bench.climbing import (
    LOT,
    PAIRINGS,
    Checkpoint,
    Climb,
    Results,
    Task,
    climbed,
    gaps,
    measure,
    summaries,
)
from bench.coverage import Few, of_few, simulated
from bench.graded import GRADES, Result, scores
from bench.information import information
from bench.truth import Effort, graded_part

from paddock_ladder.joint import Posterior
from paddock_ladder.rating import Rating
from tests.ladder.reference import PARAMETERS

BOTS = [grade.name for grade in GRADES]
STEPS = (2, 4)
TASKS = [Task("two-player", how, number) for number in range(2) for how in PAIRINGS]


@pytest.mark.parametrize("how", PAIRINGS)
def test_a_ladder_is_the_same_each_time_and_knows_everybody(how: str) -> None:
    climb = climbed(Task("two-player", how, 3), STEPS)
    assert climb == climbed(Task("two-player", how, 3), STEPS)
    assert climb.checkpoints != climbed(Task("two-player", how, 4), STEPS).checkpoints
    assert [one.matches for one in climb.checkpoints] == [2, 4]
    for one in climb.checkpoints:
        assert sorted(one.intervals) == sorted(BOTS)
        assert all(1 <= low <= high <= len(BOTS) for low, high in one.intervals.values())
        assert all(len(set(best)) == 3 for best in one.top.values())
        assert 0.9 <= one.said_held <= 1  # ranks are whole numbers
        assert all(0 < said < 1 for said in one.said_top.values())


def test_a_run_that_was_killed_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    whole = Results(file)
    measure(whole, TASKS, steps=STEPS)
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == len(TASKS)
    file.write_text("".join(lines[:2]) + lines[2][:20])
    again = Results(file)
    assert len(again.climbs) == 2
    measure(again, TASKS, steps=STEPS)
    assert file.read_text().splitlines(keepends=True) == lines
    assert list(summaries(Results(file))) == list(summaries(whole))


def after(
    matches: int,
    top: Mapping[str, Sequence[str]],
    intervals: Mapping[str, Sequence[int]],
    said_held: float = 0.9,
) -> Checkpoint:
    """A ladder after some matches, whose standing says this of itself."""
    said_top = {"standing": 0.8, "points": 0.7}
    return Checkpoint(matches, top, intervals, said_held, said_top)


def climb(pairing: str, number: int, order: list[str], checkpoint: Checkpoint) -> Climb:
    """A ladder in which bots scored in this order."""
    points = {bot: 1 - rank / len(order) for rank, bot in enumerate(order)}
    return Climb(Task("two-player", pairing, number), points, [checkpoint])


def test_a_ladder_is_judged_by_the_others_by_lot() -> None:
    swapped = [BOTS[1], BOTS[0], *BOTS[2:]]
    intervals = {bot: (rank, rank + 1) for rank, bot in enumerate(BOTS, 1)}
    tops = dict.fromkeys(("live", "history", "standing", "points"), BOTS[:3])
    checkpoint = after(100, tops | {"live": swapped[:3]}, intervals)
    results = Results()
    results.add(climb("by lot", 0, BOTS, checkpoint))
    results.add(climb("by lot", 1, swapped, checkpoint))
    results.add(climb("by lot", 2, BOTS, checkpoint))
    results.add(climb("by the ladder", 0, swapped, checkpoint))
    assert results.order(Task("two-player", "by lot", 1)) == BOTS
    assert results.order(Task("two-player", "by the ladder", 0)) == BOTS
    ladder, lot = sorted(summaries(results), key=lambda line: line.ladders)
    assert (lot.ladders, ladder.ladders) == (3, 1)
    assert (ladder.live, ladder.history, ladder.standing, ladder.points) == (0, 1, 1, 1)
    assert (ladder.held, ladder.width) == (1, 2)


def test_an_interval_that_misses_the_true_rank_does_not_hold() -> None:
    late = {bot: (rank + rank % 2, rank + 2) for rank, bot in enumerate(BOTS, 1)}
    tops = dict.fromkeys(("live", "history", "standing", "points"), BOTS[1:4])
    results = Results()
    for number in range(2):
        results.add(climb("by lot", number, BOTS, after(100, tops, late, number)))
    (line,) = summaries(results)
    assert (line.held, line.width, line.points) == (0.5, 2.5, 0)
    assert (line.said_held, line.said_standing, line.said_points) == (0.5, 0.8, 0.7)


def test_gaps_say_how_many_matches_tell_neighbours_apart() -> None:
    """Two that lie as far apart as their luck strays are in order in 84 % of ladders; 95 % take
    1.645 squared as many matches."""
    results = Results()
    tops = dict.fromkeys(("live", "history", "standing", "points"), BOTS[:3])
    for number, luck in enumerate((-0.1, 0.0, 0.1)):
        made = climb("by lot", number, BOTS, after(400, tops, {}))
        results.add(
            made._replace(scores={**made.scores, BOTS[0]: made.scores[BOTS[1]] + 0.1 + luck})
        )
    first, *others = gaps(results, "two-player")
    assert (first.ladders, first.better, first.worse) == (3, BOTS[0], BOTS[1])
    assert (first.apart, first.luck) == pytest.approx((0.1, 0.1))
    assert first.matches == pytest.approx(400 * 1.645**2, rel=1e-3)
    assert [(gap.better, gap.worse) for gap in others] == [tuple(BOTS[1:3]), tuple(BOTS[2:4])]
    assert all(gap.luck == pytest.approx(0, abs=1e-12) for gap in others)


def test_the_goals_go_by_the_standing_of_the_formats_asked_for(tmp_path: Path) -> None:
    """What is shown to nobody, the whole history without its covariance, is no goal."""
    results = Results(tmp_path / "results.jsonl")
    tops = dict.fromkeys(("live", "standing", "points"), BOTS[:3]) | {"history": BOTS[1:4]}
    intervals = {bot: (rank, rank) for rank, bot in enumerate(BOTS, 1)}
    for pairing in PAIRINGS:
        for number in range(2):
            results.add(climb(pairing, number, BOTS, after(400, tops, intervals)))
    other = climb("by lot", 0, BOTS, after(400, tops, intervals))
    results.add(other._replace(task=Task("winter", "by lot", 0)))
    effort = Effort(
        quick=False, jobs=1, results=tmp_path / "results.jsonl", ladders=2, formats=("two-player",)
    )
    part = graded_part(effort)
    assert [(row[0], row[3]) for row in part.table.rows] == [("two-player", "2")] * 2
    goals = {goal.subject: goal for goal in part.goals if goal.at_least}
    at_most = {goal.subject: goal for goal in part.goals if not goal.at_least}
    for pairing in PAIRINGS:
        assert goals[f"two-player {pairing}, standing"].measured == 100
        coverage = f"two-player {pairing}, 400, coverage"
        assert (goals[coverage].wanted, goals[coverage].met) == (88, True)
        assert (at_most[coverage].wanted, at_most[coverage].met) == (96, False)
    assert len(part.goals) == 6
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == 5  # nothing was played


def test_scores_count_those_ranked_above_and_half_of_equals() -> None:
    seats = tuple(BOTS[:4])
    results = [Result(seats, (1, 2, 2, 4), (9, 5, 5, 0))]
    results += [Result((bot, seats[0]), (1, 2), (1, 0)) for bot in BOTS[4:]]
    by_bot = scores(results)
    assert [by_bot[bot] for bot in seats[1:]] == [0.5, 0.5, 0]
    assert by_bot[seats[0]] == pytest.approx(1 / 9)


def test_standings_of_a_few_bots_say_rightly_how_often_they_hold() -> None:
    cases = [of_few(simulated(5.5, LOT, 40, seed, bots=12)) for seed in range(40)]
    seen = Few(*map(fmean, zip(*cases, strict=True)))
    assert seen.said_held > 0.94  # more than the 90 % that intervals were made for
    assert abs(seen.held - seen.said_held) < 0.04
    assert abs(seen.top - seen.said_top) < 0.25


def test_what_a_table_says_of_itself_is_its_own_likelihood() -> None:
    """Of two bots it is known exactly: one is better with the chance that superiority says."""
    posterior = Posterior(("ada", "bob"), np.array([1.0, 0.0]), np.diag([0.5, 0.5]))
    better = NormalDist().cdf(1.0)
    assert said_top(posterior, 1) == pytest.approx(better, abs=0.02)
    assert said_top(posterior, 2) == pytest.approx(better, abs=0.02)
    assert said_held(posterior, {"ada": (1, 1), "bob": (2, 2)}) == pytest.approx(better, abs=0.02)
    assert said_held(posterior, {"ada": (1, 2), "bob": (1, 1)}) == pytest.approx(
        (2 - better) / 2, abs=0.02
    )


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
