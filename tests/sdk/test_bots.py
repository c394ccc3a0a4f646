"""The sample bots: always legal, in time, and better the more they think."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.ask import read_ask
from paddock.bots.monte_carlo import MonteCarloBot, best_choice
from paddock.match import read_match
from paddock_games import Brain, game_of, play
from tests.games.tables import TABLES, match, matches, states
from tests.sdk import wire

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)


@every_table
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_careful_is_legal_and_sees_no_more_than_its_view(
    form: str, seats: int, data: st.DataObject
) -> None:
    careful = game_of(form).brains["careful"]
    for state in states(data.draw(matches(form, seats))):
        for seat in state.to_move:
            view = state.view(seat)
            chosen = careful(view, Random(0))
            assert chosen in view.legal
            assert careful(view, Random(1)) == chosen  # it needs no luck


def share_of_wins(brain: Brain, form: str, seats: int, games: int) -> float:
    """How often one seat with this brain wins against greedy ones; a shared win counts in part."""
    game = game_of(form)
    wins = 0.0
    for number in range(games):
        brains = [game.brains["greedy"]] * seats
        brains[number % seats] = brain
        _, end = play(match(form, seats, number=number).start(), brains, [Random(number)] * seats)
        ranks = end.result().ranks()
        wins += (ranks[number % seats] == 1) / ranks.count(1)
    return wins / games


# The same games every time: nothing here is left to chance.
@pytest.mark.parametrize(
    ("form", "seats", "least"),
    [
        ("summer", 4, 0.45),
        ("winter", 4, 0.45),
        ("two-player", 2, 0.75),
        ("two-player-winter", 2, 0.75),
        ("dino-twist", 4, 0.38),
        ("dino-twist", 2, 0.58),
        ("dino-twist-small", 4, 0.38),
    ],
)
def test_careful_beats_greedy(form: str, seats: int, least: float) -> None:
    assert share_of_wins(game_of(form).brains["careful"], form, seats, 40) >= least


def test_monte_carlo_beats_greedy() -> None:
    def brain(view: Any, rng: Random) -> Any:
        worlds = iter(range(10))  # as many as that, whatever the machine's speed
        time_left = lambda: next(worlds, None) is not None  # noqa: E731
        return best_choice(game_of(view.format), view, rng, time_left)

    assert share_of_wins(brain, "two-player", 2, 8) >= 0.6


def test_monte_carlo_keeps_its_time() -> None:
    # A clock that shows a millisecond more whenever somebody looks.
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        return looks / 1000

    state = wire.first_state("two-player", 2)
    started = read_match(wire.started("M", state).match_started)
    ask = read_ask(wire.ask("M", 1, state).ask, started)._replace(time_ms=20)
    assert MonteCarloBot(clock).choose(ask) in ask.legal
    assert 8 <= looks <= 10  # its share of 20 ms, and then it stops


def test_monte_carlo_does_not_think_about_what_is_no_choice() -> None:
    for state in states(match("two-player", 2)):
        view = state.view(0)
        if len(view.legal) == 1:
            chosen = best_choice(
                game_of("two-player"), view, Random(0), lambda: pytest.fail("it thought")
            )
            assert chosen == view.legal[0]
