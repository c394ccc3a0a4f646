"""Presence: whether a bot can play a format now, and if not, why."""

from enum import StrEnum

from paddock_server.arena.hall import Hall
from paddock_server.arena.probation import Probation


class Hindrance(StrEnum):
    """Why a bot can't play a match now."""

    AWAY = "away"  # it is not connected
    FORMAT = "format"  # it is connected and does not play the format
    PROBATION = "probation"  # it gets trial matches only
    BUSY = "busy"  # it plays as many matches as it takes


class Presence:
    """Who can play what, given who is connected and who is on probation."""

    def __init__(self, hall: Hall, probation: Probation) -> None:
        self._hall = hall
        self._probation = probation

    def hindrance(self, bot: str, format_name: str) -> Hindrance | None:
        """Why a bot can't play this format, whatever room it has; None where it can."""
        session = self._hall.sessions.get(bot)
        if session is None:
            return Hindrance.AWAY
        if format_name not in session.formats:
            return Hindrance.FORMAT
        return Hindrance.PROBATION if bot in self._probation.why else None
