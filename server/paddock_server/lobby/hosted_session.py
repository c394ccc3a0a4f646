"""The session of a hosted bot: whose run it is, and how long its host kept it from a processor."""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

from paddock_server.lobby.session import Session
from paddock_server.wire.host_delay import take_host_delay

_MOST_KEPT: Final = 30.0  # seconds of one ask: no runner may hold up a match without end
_REPORT_SECONDS: Final = 2.0  # that are waited for a report of a runner


class Run(NamedTuple):
    """A run of a hosted bot, which its session is opened with."""

    lease: str
    bot: str
    version: str
    language: str
    max_matches: int


class HostedSession(Session):
    """The session of a hosted bot. Whether its bot is to blame when it breaks is known later."""

    run: Run
    broken = False
    started = False  # whether its runner said that it is up, and with which share of a core
    _reported = False  # whether the runner said something about the open ask
    _unsure: tuple[Callable[[bool], None], ...] = ()  # who waits for its next report

    @property
    def hosted(self) -> bool:
        """True: the arena runs this bot."""
        return True

    def start(self, cpu_share: float) -> None:
        """Its runner says that it is up: the bot's next matches are told its share of a core."""
        self.entrant = self.entrant._replace(cpu_share=cpu_share)
        self.started = True

    def ask(self, item: bytes, ask_id: int) -> None:
        """Queue an ask for the bot; nothing of its time is kept from it yet."""
        self.host_delay, self._reported = 0.0, False
        super().ask(item, ask_id)

    def note_host_delay(self, frame: bytes) -> bytes:
        """What the bot itself sent of a frame; the rest says what its host kept from it."""
        sent, kept = take_host_delay(frame)
        self.host_delay = min(kept, _MOST_KEPT)
        if not sent:
            self._reported = True
            self._vouch()
        return sent

    def _vouch(self) -> None:
        waiting, self._unsure = self._unsure, ()
        for later in waiting:
            later(True)

    def vouches(self, later: Callable[[bool], None]) -> bool:
        """False while the stream is broken and nobody knows whether the bot or its runner failed.

        The lobby hears of it, and has the tables wait for the bot or judge it. While a runner
        reports what it keeps from a bot that thinks, its next report decides.
        """
        if self.broken or not self._reported:
            return not self.broken
        self._unsure = (*self._unsure, later)
        asyncio.get_running_loop().call_later(_REPORT_SECONDS, self._vouch)
        return False
