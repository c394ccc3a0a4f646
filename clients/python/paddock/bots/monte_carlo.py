"""The Monte Carlo bot: it plays on from every choice. `python -m paddock.bots.monte_carlo`."""

import time
from collections.abc import Callable
from random import Random
from typing import Any, Final

from paddock import Ask, Bot, run_from_command_line
from paddock_games import Game, State, game_of

SHARE_OF_TIME: Final = 0.4  # of what a decision may take: other matches want to think too
LEAST_WORLDS: Final = 2  # however little time there is
FEWEST: Final = 3  # choices that are compared to the end


class MonteCarloBot(Bot):
    """Imagines what it can't see, plays on from every choice, takes the best."""

    name = "monte-carlo"
    max_matches = 2  # playing on is work, and Python does one thing at a time

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock

    def choose(self, ask: Ask) -> Any:
        """The choice that came out best in as many worlds as the time allowed."""
        ends = self._clock() + SHARE_OF_TIME * ask.time_ms / 1000
        game = game_of(ask.match.format)
        return best_choice(game, ask.view, ask.rng, lambda: self._clock() < ends)


def best_choice(game: Game, view: Any, rng: Random, time_left: Callable[[], bool]) -> Any:
    """The legal choice that comes out best, tried in one imagined world after the other.

    All choices are tried in the same worlds, so that luck can't favour one of them; after every
    world the worse half is dropped, so that the time goes to the choices that are hard to tell.
    """
    sums = dict.fromkeys(view.legal, 0.0)
    worlds = 0
    while len(sums) > 1 and (worlds < LEAST_WORLDS or time_left()):
        world = game.imagine(view, rng)  # other hands, rolls to come: all that the seat can't see
        for choice in sums:
            sums[choice] += _outcome(game, world, view.seat, choice, rng)
        worlds += 1
        ranked = sorted(sums, key=lambda choice: -sums[choice])
        sums = {choice: sums[choice] for choice in ranked[: max(FEWEST, (len(sums) + 1) // 2)]}
    return next(iter(sums))


def _outcome(game: Game, world: State, seat: int, choice: Any, rng: Random) -> float:
    """How far ahead the seat is in the end, if it chooses this and then everybody is greedy."""
    greedy = game.brains["greedy"]
    state = world
    while state.to_move:
        choices = {other: greedy(state.view(other), rng) for other in state.to_move}
        if state is world:
            choices[seat] = choice
        state = state.step(choices)
    totals = state.result().totals
    others = [total for other, total in enumerate(totals) if other != seat]
    return totals[seat] - (max(others) + sum(others) / len(others)) / 2


if __name__ == "__main__":
    run_from_command_line(MonteCarloBot())
