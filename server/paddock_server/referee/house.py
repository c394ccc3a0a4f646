"""House bots: the seats that the server plays itself."""

from collections.abc import Sequence
from typing import Final

from paddock_games import game_of
from paddock_games.game import Brain

HOUSE: Final = "house-"
"""The beginning of the names of house bots; other names may not begin like this."""


def house_brains(format_name: str, bots: Sequence[str]) -> dict[int, Brain]:
    """The brains of house bots by seat; KeyError where there is no such house bot."""
    brains = game_of(format_name).brains
    return {
        seat: brains[bot.removeprefix(HOUSE)]
        for seat, bot in enumerate(bots)
        if bot.startswith(HOUSE)
    }
