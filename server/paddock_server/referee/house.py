"""House bots: the seats that the server plays itself."""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from paddock_games import Match, game_of
from paddock_games.game import Brain
from paddock_server.basics.name import HOUSE
from paddock_server.referee.commands import Ask

_LABEL: Final = b"paddock-house-1"


def house_brains(format_name: str, bots: Sequence[str]) -> dict[int, Brain]:
    """The brains of house bots by seat; KeyError where there is no such house bot."""
    brains = game_of(format_name).brains
    return {
        seat: brains[bot.removeprefix(HOUSE)]
        for seat, bot in enumerate(bots)
        if bot.startswith(HOUSE)
    }


class House:
    """The house bots of one match.

    Their chance comes from the match's secret seed and the ask, so nobody can foretell a choice,
    and after a restart it is the same.
    """

    def __init__(self, match: Match) -> None:
        self._brains = house_brains(match.format, [seated.bot for seated in match.seats])
        self.seats = frozenset(self._brains)
        self._secret = hashlib.sha256(_LABEL + match.seed + match.id.encode()).digest()

    def choice(self, ask: Ask) -> Any:
        """The choice of a house bot."""
        seed = hashlib.sha256(self._secret + ask.ask_id.to_bytes(8)).digest()
        return self._brains[ask.seat](ask.state.view(ask.seat), Random(seed))
