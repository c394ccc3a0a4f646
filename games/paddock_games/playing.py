"""A match from the first state to the last, played in one process."""

from collections.abc import Sequence
from random import Random
from typing import Any

from paddock_games.game import Brain, State, Step


def play(start: State, brains: Sequence[Brain], rngs: Sequence[Random]) -> tuple[list[Step], Any]:
    """The steps and the last state, with a brain and its own randomness in every seat."""
    steps: list[Step] = []
    state = start
    while state.to_move:
        choices = {seat: brains[seat](state.view(seat), rngs[seat]) for seat in state.to_move}
        steps.append(Step(state, choices))
        state = state.step(choices)
    return steps, state
