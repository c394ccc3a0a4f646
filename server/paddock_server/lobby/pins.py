"""Pins: the versions of hosted bots that tournaments are played with."""

from collections.abc import Mapping

from paddock_server.lobby.hosted import Hosted


class Pins:
    """The pinned versions of hosted bots, by tournament."""

    def __init__(self, hosted: Hosted) -> None:
        self._hosted = hosted
        self._versions: dict[str, dict[str, str]] = {}  # by tournament and bot

    def pin(self, tournament: str, versions: Mapping[str, str]) -> None:
        """Have a tournament played with these versions of its bots; empty: the newest."""
        self._versions[tournament] = dict(versions)

    def unpin(self, tournament: str) -> None:
        """Forget a tournament that is over."""
        self._versions.pop(tournament, None)

    def version(self, bot: str, tournament: str) -> str:
        """The version of a hosted bot that is to play a match of a tournament."""
        return self._versions.get(tournament, {}).get(bot, "") or self._hosted.version(bot)
