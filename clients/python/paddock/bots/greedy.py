"""The greedy bot: it takes the best immediate points. `python -m paddock.bots.greedy`."""

from typing import Any

from paddock import Ask, Bot, run_from_command_line
from paddock_games import game_of


class GreedyBot(Bot):
    """A bot that takes the best immediate points."""

    name = "greedy"

    def choose(self, ask: Ask) -> Any:
        """The choice after which this seat would have the most points."""
        return game_of(ask.match.format).brains["greedy"](ask.view, ask.rng)


if __name__ == "__main__":
    run_from_command_line(GreedyBot())
