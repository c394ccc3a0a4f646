"""Pings: the lag of the bots in matches is measured again and again."""

import asyncio

from paddock_server.lobby.hall import Hall
from paddock_server.lobby.under_way import UnderWay


class Pings:
    """A timer that pings the bots in matches; idle bots are not pinged."""

    def __init__(self, hall: Hall, under_way: UnderWay, every_seconds: float) -> None:
        self._hall = hall
        self._under_way = under_way
        self._seconds = every_seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Ping the bots in matches, now and after every interval."""
        for bot in self._under_way:
            session = self._hall.find(bot)
            if session is not None:
                session.ping()
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self.start)

    def stop(self) -> None:
        """Ping no more."""
        if self._timer is not None:
            self._timer.cancel()
