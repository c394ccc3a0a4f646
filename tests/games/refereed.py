"""Matches as a referee brings them to their end: with a clock, faults and seats that forfeit."""

from random import Random
from typing import Any, NamedTuple

from paddock_games import Match, Step, Timing
from paddock_games.clock import Clock
from paddock_games.forfeit import Forfeit
from paddock_games.game import FAULTS

CLOCK = Clock(1500, 20_000, 250, max_faults=2)


class Refereed(NamedTuple):
    match: Match
    steps: list[Step]
    end: Any


class _Conduct:
    """A seat that now and then leaves its decision to the referee, until it may decide no more."""

    def __init__(self, chooser: Random, trouble: float) -> None:
        self.forfeit: Forfeit | None = None
        self._chooser = chooser
        self._trouble = trouble
        self._in_a_row = 0

    def decide(self, state: Any, seat: int, step: int) -> tuple[Any, Timing]:
        """What the seat chooses, or the referee for it."""
        if self.forfeit is not None:
            return state.default(seat), Timing(fault=self.forfeit.reason)
        spent = self._chooser.randrange(2000) / 8
        times = (spent + 1, 0.5)
        if self._chooser.random() >= self._trouble:
            self._in_a_row = 0
            return self._chooser.choice(state.legal(seat)), Timing(*times, None, spent)
        fault = self._chooser.choice(FAULTS)
        self._in_a_row += 1
        if fault == "RESIGNED" or self._in_a_row == CLOCK.max_faults:
            self.forfeit = Forfeit(fault, step)
        return state.default(seat), Timing(*times, fault, spent)


def refereed(one: Match, trouble: float = 0.25) -> Refereed:
    """The match played at random, in so much trouble: the same for equal matches."""
    chooser = Random(one.seed)
    seats = [_Conduct(chooser, trouble) for _ in one.seats]
    steps: list[Step] = []
    state = one.start()
    while state.to_move:
        decided = {seat: seats[seat].decide(state, seat, len(steps)) for seat in state.to_move}
        choices = {seat: choice for seat, (choice, _) in decided.items()}
        timings = {seat: timing for seat, (_, timing) in decided.items()}
        steps.append(Step(state, choices, timings))
        state = state.step(choices)
    seated = [
        each._replace(forfeit=seat.forfeit is not None, forfeited=seat.forfeit)
        for each, seat in zip(one.seats, seats, strict=True)
    ]
    return Refereed(one._replace(seats=seated, clock=CLOCK), steps, state)
