"""Presence of bots: who is connected, and whether a bot can play a format now."""

from enum import StrEnum
from typing import NamedTuple

from paddock_server.lobby.guest import Guest
from paddock_server.lobby.hall import Hall
from paddock_server.lobby.hosted import Hosted
from paddock_server.lobby.probation import Probation
from paddock_server.lobby.under_way import UnderWay


class Hindrance(StrEnum):
    """The reason why a bot can't play a match now."""

    AWAY = "away"  # it is not connected
    FORMAT = "format"  # it is connected and does not play the format
    PROBATION = "probation"  # it gets trial matches only
    BUSY = "busy"  # it plays as many matches as it takes


class Connected(NamedTuple):
    """A bot that is connected, and what it plays."""

    bot: str
    owner: str
    formats: tuple[str, ...]
    max_matches: int  # at once


class Presence:
    """A read-only view of who is connected and who can play which format."""

    def __init__(
        self, hall: Hall, probation: Probation, hosted: Hosted, under_way: UnderWay
    ) -> None:
        self._hall = hall
        self._hosted = hosted
        self._probation = probation
        self._under_way = under_way

    def __len__(self) -> int:
        return len(self._hall)

    def __contains__(self, bot: object) -> bool:
        return bot in self._hall

    def everybody(self) -> list[Connected]:
        """All connected bots."""
        return list(map(_connected, self._hall))

    def players(self) -> list[Connected]:
        """All bots that can play: those that are connected, and hosted ones that are started."""
        hosted = [
            Connected(name, bot.owner, bot.formats, bot.max_matches)
            for name, bot in self._hosted
            if bot.available and name not in self._hall
        ]
        return self.everybody() + hosted

    def find(self, bot: str) -> Connected | None:
        """The bot of this name; None where it is not connected."""
        session = self._hall.find(bot)
        return None if session is None else _connected(session)

    def open_matches_of(self, bot: str) -> int:
        """How many matches a bot is playing."""
        return self._under_way.count(bot)

    def open_version(self, bot: str) -> str:
        """The version that a bot plays its open matches with; empty: it plays none."""
        return self._under_way.version(bot)

    def open_share(self, bot: str) -> float:
        """The largest share of a core that a bot's open matches began with; 0: none."""
        return self._under_way.cpu_share(bot)

    def in_open_matches(self) -> list[str]:
        """The bots that are playing."""
        return list(self._under_way)

    def plays(self, tournament: str) -> bool:
        """Whether a match of a tournament is under way."""
        return self._under_way.has(tournament)

    def probation(self, bot: str) -> str:
        """Why a bot gets trial matches only; empty: it does not."""
        return self._probation.reason(bot)

    def on_probation(self) -> dict[str, str]:
        """The bots that get trial matches only, and why."""
        return self._probation.reasons()

    def hindrance(self, bot: str, format_name: str) -> Hindrance | None:
        """Why a bot can't play this format, whatever room it has; None where it can."""
        player = self._hall.find(bot) or self._hosted.find(bot)
        if player is None:
            return Hindrance.AWAY
        if format_name not in player.formats:
            return Hindrance.FORMAT
        return Hindrance.PROBATION if self._probation.reason(bot) else None


def _connected(session: Guest) -> Connected:
    return Connected(session.bot, session.entrant.owner, session.formats, session.max_matches)
