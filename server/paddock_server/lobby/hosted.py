"""Hosted bots: those that the arena runs itself, whether they run now or not."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from paddock_server.lobby.hosted_session import HostedSession, Run


class HostedBot(NamedTuple):
    """A bot that is started when a match waits for it."""

    owner: str
    version: str
    formats: tuple[str, ...]
    max_matches: int  # at once
    available: bool = True  # False: it did not start several times


class HostedListener(Protocol):
    """A listener to what hosted bots do, and to what may need them."""

    def entered(self, session: HostedSession) -> None:
        """A hosted bot is connected."""

    def left(self, session: HostedSession) -> None:
        """The session of a hosted bot is over."""

    def learned_deal(self, session: HostedSession) -> None:
        """A hosted bot begins a match whose deal others play too."""

    def matches_added(self) -> None:
        """More matches wait."""


class Hosted:
    """The hosted bots of a server, and the runs that may open a session now."""

    def __init__(self) -> None:
        self._bots: dict[str, HostedBot] = {}
        self._runs: dict[bytes, Run] = {}  # by the hash of their token
        self._listeners: list[HostedListener] = []

    # --- bots -------------------------------------------------------------------------------

    def host(self, name: str, bot: HostedBot) -> None:
        """Have the arena run this version of a bot from now on."""
        self._bots[name] = bot

    def is_hosted(self, name: str) -> bool:
        """Whether the arena runs this bot."""
        return name in self._bots

    def version(self, name: str) -> str:
        """The version of a bot that plays from now on; empty: the arena does not run it."""
        bot = self._bots.get(name)
        return "" if bot is None else bot.version

    def set_available(self, name: str, *, available: bool) -> None:
        """Say whether a hosted bot can be started now."""
        bot = self._bots.get(name)
        if bot is not None:
            self._bots[name] = bot._replace(available=available)

    def find(self, name: str) -> HostedBot | None:
        """The hosted bot of this name that can be started; None where there is none."""
        bot = self._bots.get(name)
        return bot if bot is not None and bot.available else None

    def __iter__(self) -> Iterator[tuple[str, HostedBot]]:
        """All hosted bots with their names."""
        return iter(self._bots.items())

    # --- runs -------------------------------------------------------------------------------

    def admit(self, token_hash: bytes, run: Run) -> None:
        """Let a run open sessions with this token."""
        self._runs[token_hash] = run

    def dismiss(self, token_hash: bytes) -> None:
        """Let nobody open a session with this token any more."""
        self._runs.pop(token_hash, None)

    def run_of(self, token_hash: bytes) -> Run | None:
        """The run that may open a session with this token; None: no run."""
        return self._runs.get(token_hash)

    # --- listeners --------------------------------------------------------------------------

    def add_listener(self, listener: HostedListener) -> None:
        """Tell this listener from now on."""
        self._listeners.append(listener)

    def entered(self, session: HostedSession) -> None:
        """Tell the listeners that a hosted bot is connected."""
        for listener in self._listeners:
            listener.entered(session)

    def left(self, session: HostedSession) -> None:
        """Tell the listeners that the session of a hosted bot is over."""
        for listener in self._listeners:
            listener.left(session)

    def learned_deal(self, session: HostedSession) -> None:
        """Tell the listeners that a hosted bot knows a deal that others play too."""
        for listener in self._listeners:
            listener.learned_deal(session)

    def matches_added(self) -> None:
        """Tell the listeners that more matches wait."""
        for listener in self._listeners:
            listener.matches_added()
