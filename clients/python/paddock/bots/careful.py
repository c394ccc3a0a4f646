"""The careful bot: it considers later turns. `python -m paddock.bots.careful`."""

from typing import Any

from paddock import Ask, Bot, run_from_command_line
from paddock_games import game_of


class CarefulBot(Bot):
    """A bot that considers later turns and what it leaves to others."""

    name = "careful"

    def choose(self, ask: Ask) -> Any:
        """The choice that promises the most points in the end."""
        return game_of(ask.match.format).brains["careful"](ask.view, ask.rng)


if __name__ == "__main__":
    run_from_command_line(CarefulBot())
