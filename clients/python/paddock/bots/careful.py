"""Thinks of later turns and of what it passes on. `python -m paddock.bots.careful`."""

from random import Random
from typing import Any

from paddock import Ask, Bot, run_from_command_line
from paddock_games import GAMES
from paddock_games.draftosaurus.careful import careful


class CarefulBot(Bot):
    """Thinks of later turns and of what it passes on."""

    name = "careful"
    formats = tuple(GAMES["draftosaurus"].formats)  # it knows what pens promise, so only this game

    def __init__(self) -> None:
        self._rng = Random()

    def choose(self, ask: Ask) -> Any:
        """The choice that promises the most points in the end."""
        return careful(ask.view, self._rng)


if __name__ == "__main__":
    run_from_command_line(CarefulBot())
