"""Hosted bots: those that the arena runs itself, whether they run now or not."""

from collections.abc import Callable
from typing import NamedTuple

from paddock_server.lobby.session import Session


class HostedBot(NamedTuple):
    """A bot that is started when a match waits for it."""

    owner: str
    version: str
    formats: tuple[str, ...]
    max_matches: int  # at once
    available: bool = True  # False: it did not start several times


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

    @property
    def hosted(self) -> bool:
        """True: the arena runs this bot."""
        return True

    def vouches(self, later: Callable[[bool], None]) -> bool:
        """False while the stream is broken and nobody knows whether the bot or its runner failed.

        The lobby hears of it, and has the tables wait for the bot or judge it.
        """
        del later
        return not self.broken


class Hosted:
    """The hosted bots of a server, and the runs that may open a session now."""

    def __init__(self) -> None:
        self.bots: dict[str, HostedBot] = {}
        self.runs: dict[bytes, Run] = {}  # by the hash of their token
        self.changed: Callable[[], None] = lambda: None  # called when more may be wanted
        self.entered: Callable[[HostedSession], None] = lambda _: None
        self.left: Callable[[HostedSession], None] = lambda _: None

    def find(self, bot: str) -> HostedBot | None:
        """The hosted bot of this name that can be started; None where there is none."""
        found = self.bots.get(bot)
        return found if found is not None and found.available else None
