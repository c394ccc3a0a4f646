"""Whole histories: in no order, at rest, as certain as they say."""

import json
import math
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.evidence import BATCH
from paddock_ladder.history import STILL, Progress, rate_history
from paddock_ladder.rating import SIGMA, BadRating, Parameters, Rating
from paddock_ladder.update import rate
from tests.ladder.reference import PARAMETERS, apart, ranking

STEADY = Parameters(draw_probability=0.05, tau=0.0)
Played = tuple[list[str], list[int]]


def played_by_model(
    rng: Random, bots: int, matches: int, spread: float = 6.0
) -> tuple[dict[str, float], list[Played]]:
    """Bots of known strength, and matches of two to six of them."""
    strengths = {f"bot{number}": rng.gauss(25, spread) for number in range(bots)}
    played = []
    for _ in range(matches):
        who = rng.sample(sorted(strengths), rng.randint(2, min(6, bots)))
        played.append((who, ranking(rng, [strengths[bot] for bot in who], PARAMETERS.margin)))
    return strengths, played


@pytest.mark.parametrize("ranks", [[1, 2], [1, 1], [1, 2, 3, 4], [1, 2, 2, 4], [1, 1, 1]])
def test_one_match_is_its_update(ranks: list[int]) -> None:
    bots = [f"bot{number}" for number in range(len(ranks))]
    found = rate_history([(bots, ranks)], STEADY, still=1e-7)
    wanted = rate([STEADY.first] * len(ranks), ranks, STEADY)
    assert apart([found[bot] for bot in bots], wanted) < 1e-3


def _slowly(played: list[Played]) -> dict[str, Rating]:
    """The same by the book: each match by `rate`, given all others, until nothing moves."""
    prior = STEADY.sigma**-2
    said = [dict.fromkeys(bots, (0.0, 0.0)) for bots, _ in played]
    known = {bot: [prior, prior * STEADY.mu] for bots, _ in played for bot in bots}
    moved = 1.0
    while moved > 1e-6:
        moved = 0.0
        for (bots, ranks), parts in zip(played, said, strict=True):
            without = [
                (known[bot][0] - parts[bot][0], known[bot][1] - parts[bot][1]) for bot in bots
            ]
            rated = rate([Rating(tau / pi, pi**-0.5) for pi, tau in without], ranks, STEADY)
            for bot, (mu, sigma), (pi, tau) in zip(bots, rated, without, strict=True):
                parts[bot] = sigma**-2 - pi, mu * sigma**-2 - tau
                moved = max(moved, abs(known[bot][1] / known[bot][0] - mu))
                known[bot] = [sigma**-2, mu * sigma**-2]
    return {bot: Rating(tau / pi, pi**-0.5) for bot, (pi, tau) in known.items()}


def test_a_history_is_what_going_through_it_by_the_book_comes_to() -> None:
    _, played = played_by_model(Random(3), 8, 60)
    wanted = _slowly(played)
    for still in (STILL, 1e-6):
        found = rate_history(played, STEADY, still=still)
        for bot, (mu, sigma) in wanted.items():
            assert apart([found[bot]], [Rating(mu, sigma)]) < max(2 * still, 1e-3) * sigma


@pytest.mark.parametrize("seed", range(4, 16))
def test_few_matches_with_any_result_come_to_rest_at_the_same_place(seed: int) -> None:
    rng = Random(seed)
    played = []
    for _ in range(rng.randint(1, 6)):
        who = rng.sample([f"bot{number}" for number in range(7)], rng.randint(2, 6))
        played.append((who, [rng.randint(1, 4) for _ in who]))
    found = rate_history(played, STEADY, still=1e-3)
    for bot, rating in _slowly(played).items():
        assert apart([found[bot]], [rating]) < 0.005 * rating.sigma


def test_no_order_of_matches_or_seats_changes_a_bit() -> None:
    rng = Random(5)
    _, played = played_by_model(rng, 12, 300)
    found = rate_history(played, PARAMETERS)
    shuffled = []
    for bots, ranks in rng.sample(played, len(played)):
        seats = rng.sample(range(len(bots)), len(bots))
        shuffled.append(([bots[seat] for seat in seats], [ranks[seat] for seat in seats]))
    assert rate_history(iter(shuffled), PARAMETERS) == found


def test_a_match_taken_out_is_as_if_it_had_never_been() -> None:
    rng = Random(6)
    _, played = played_by_model(rng, 10, 80)
    once = rate_history(played, PARAMETERS)
    more = [*played, (["bot1", "bot2"], [2, 1]), (["stranger", "bot3"], [1, 2])]
    assert rate_history(more, PARAMETERS) != once
    assert rate_history(more[:-2], PARAMETERS) == once
    assert rate_history([*played[40:], *played[:40]], PARAMETERS) == once


def test_names_mean_nothing() -> None:
    _, played = played_by_model(Random(7), 9, 120)
    found = rate_history(played, PARAMETERS)
    turned = {f"bot{number}": f"bot{8 - number}" for number in range(9)}
    renamed = [([turned[bot] for bot in bots], ranks) for bots, ranks in played]
    again = rate_history(renamed, PARAMETERS)
    for bot, other in turned.items():
        assert apart([found[bot]], [again[other]]) < 2 * STILL * found[bot].sigma


def test_ratings_are_as_certain_as_they_say() -> None:
    misses, ratings = 0, 0
    for seed in range(6):
        strengths, played = played_by_model(Random(seed), 40, 500)
        found = rate_history(played, PARAMETERS)
        # Matches tell differences only, so where all of them lie is left to the prior.
        shift = sum(found[bot].mu - strengths[bot] for bot in found) / len(found)
        for bot, (mu, sigma) in found.items():
            misses += abs(mu - shift - strengths[bot]) > 1.645 * sigma
            ratings += 1
    wanted = 0.1 * ratings
    assert abs(misses - wanted) < 3 * math.sqrt(wanted * 0.9)


def test_many_bots_and_ties_only() -> None:
    bots = [f"bot{number}" for number in range(30)]
    found = rate_history([(bots, [1] * 30)] * 3, PARAMETERS)
    assert len({round(rating.mu, 6) for rating in found.values()}) == 1


def test_a_bot_that_always_wins_stays_within_reason() -> None:
    found = rate_history([(["best", "rest"], [1, 2])] * 5000, PARAMETERS)
    assert -50 < found["rest"].mu < 25 < found["best"].mu < 100
    assert all(math.isfinite(number) for rating in found.values() for number in rating)


@pytest.mark.parametrize("ratio", [1e-3, 1.0, 2.0, 5.0])
@pytest.mark.parametrize("beta", [1e-3, 1e3])
@pytest.mark.parametrize("draw_probability", [0.0, 0.02, 0.3])
def test_unusual_parameters(ratio: float, beta: float, draw_probability: float) -> None:
    sigma = ratio * beta
    parameters = Parameters(draw_probability=draw_probability, sigma=sigma, beta=beta)
    _, played = played_by_model(Random(1), 6, 25)
    for mu, width in rate_history(played, parameters).values():
        assert math.isfinite(mu)
        assert 0 < width <= sigma * (1 + 1e-9)


def test_matches_that_contradict_the_parameters_come_to_rest_all_the_same() -> None:
    _, played = played_by_model(Random(2), 6, 25)  # hardly a tie
    parameters = Parameters(draw_probability=0.9, sigma=5, beta=1)
    roughly, exactly = (rate_history(played, parameters, still=still) for still in (STILL, 1e-6))
    for bot, rating in exactly.items():
        assert apart([roughly[bot]], [rating]) < 2 * STILL * rating.sigma


def test_what_never_is_close_enough_is_refused() -> None:
    _, played = played_by_model(Random(2), 3, 4)
    with pytest.raises(BadRating, match="no convergence within"):
        rate_history(played, PARAMETERS, still=1e-300)


def test_a_frozen_ladder_with_a_bot_that_loses_everything_comes_to_rest() -> None:
    """Six tables, again and again; its way to rest once led to 1e133 and beyond."""
    with (Path(__file__).parents[1] / "data" / "history-runs-away.json").open() as file:
        played = [(bots, ranks) for bots, ranks in json.load(file)]
    parameters = Parameters(draw_probability=0.02)
    found = rate_history(played, parameters)
    worst = min(found, key=lambda bot: found[bot].mu)
    assert all(ranks[bots.index(worst)] == 4 for bots, ranks in played if worst in bots)
    assert all(0 < rating.mu < 40 and 0.3 < rating.sigma < 3 for rating in found.values())
    exactly = rate_history(played, parameters, still=1e-6)
    for bot, rating in exactly.items():
        assert apart([found[bot]], [rating]) < 3 * STILL * rating.sigma


@st.composite
def histories(draw: st.DrawFn) -> list[Played]:
    """Ladders that froze, fell apart, tied always, or have bots that win or lose whatever they
    play."""
    rng = Random(draw(st.integers(0, 2**32)))
    bots = [f"bot{number}" for number in range(draw(st.integers(2, 12)))]
    spread = draw(st.sampled_from([1.0, 8.0, 30.0]))
    strengths = {
        bot: draw(st.sampled_from([rng.gauss(25, spread)] * 3 + [-1e6, 1e6])) for bot in bots
    }
    tables = [
        rng.sample(bots, rng.randint(2, min(6, len(bots))))
        for _ in range(draw(st.sampled_from([1, 2, 4, 50])))
    ]
    margin = draw(st.sampled_from([0.0, PARAMETERS.margin, 1e9]))
    played: list[Played] = []
    for _ in range(draw(st.sampled_from([1, 5, 20, 80]))):
        who = rng.choice(tables)
        result = who, ranking(rng, [strengths[bot] for bot in who], margin)
        played += [result] * draw(st.sampled_from([1, 1, 1, 40]))
    return played


@settings(max_examples=60, deadline=None)
@given(histories(), st.sampled_from([0.0, 0.02, 0.3, 0.9]), st.sampled_from([0.5, 2.0, 5.0]))
def test_every_history_ends(played: list[Played], draws: float, ratio: float) -> None:
    parameters = Parameters(draw_probability=draws, beta=SIGMA / ratio)
    for mu, sigma in rate_history(played, parameters).values():
        assert abs(mu - parameters.mu) < 100 * parameters.sigma
        assert 0 < sigma <= parameters.sigma * (1 + 1e-9)


def test_without_luck_there_is_no_history() -> None:
    with pytest.raises(BadRating, match="5 betas"):
        rate_history([], Parameters(draw_probability=0.1, sigma=8, beta=0.01))


def test_progress_is_told() -> None:
    told: list[Progress] = []
    _, played = played_by_model(Random(8), 30, BATCH + 1000)
    rate_history(played, PARAMETERS, told.append)
    (of,) = {one.of for one in told}
    assert BATCH < of < BATCH + 1000  # some went the same way
    assert {one.weighed for one in told} == {0, BATCH, of}
    assert [one.sweep for one in told] == sorted(one.sweep for one in told)
    assert told[-1].ahead < told[len(told) // 2].ahead


def test_what_is_never_reached_is_refused() -> None:
    with pytest.raises(BadRating, match="still: 0"):
        rate_history([], PARAMETERS, still=0)


def test_nothing_was_played() -> None:
    assert rate_history([], PARAMETERS) == {}


@pytest.mark.parametrize("wrong", [(["a"], [1]), (["a", "b"], [1]), (["a", "a"], [1, 2]), ([], [])])
def test_what_is_no_match_is_named(wrong: Played) -> None:
    with pytest.raises(BadRating, match="match 2: bots"):
        rate_history([(["a", "b"], [1, 2]), wrong], PARAMETERS)
