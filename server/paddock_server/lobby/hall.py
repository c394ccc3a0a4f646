"""The hall: the sessions of all connected bots, one per bot; the newest wins."""

import hmac
from collections import Counter
from collections.abc import Iterator

from paddock_server.basics.errors import ServerError
from paddock_server.lobby.guest import Guest
from paddock_server.lobby.limits import Limits
from paddock_server.wire import items

_REPLACED = "another session of this bot was opened; run it once, or give each copy its own name"


class Full(ServerError):
    """Raised when no further session is taken; the text says why."""

    reason = "session/too_many"


class Outdated(ServerError):
    """Raised when a session is older than another of its bot: news of it came late."""

    reason = "session/replaced"


class Hall:
    """The sessions of all connected bots."""

    def __init__(self, limits: Limits) -> None:
        self._sessions: dict[str, Guest] = {}
        self._resumes: dict[str, str] = {}  # the tokens that they came with, by bot
        self._limits = limits
        self._owners: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many bots are connected."""
        return len(self._sessions)

    def __contains__(self, bot: object) -> bool:
        """Whether a bot is connected."""
        return bot in self._sessions

    def __iter__(self) -> Iterator[Guest]:
        """All sessions."""
        return iter(self._sessions.values())

    def find(self, bot: str) -> Guest | None:
        """The session of a bot; None where it is not connected."""
        return self._sessions.get(bot)

    @property
    def unread_items(self) -> int:
        """How many items wait for bots to read."""
        return sum(session.waiting for session in self._sessions.values())

    def enter(self, session: Guest, resume_token: str = "") -> bool:
        """Add a session; an older session of the same bot ends. Outdated: it is the older one.

        True: the resume token shows that the same client is back, before the server noticed that
        its old connection is dead. Then no Goodbye is sent.
        """
        old = self._sessions.get(session.bot)
        if old is not None and session.order < old.order:
            _end(session, self._resumes[session.bot])
            raise Outdated(_REPLACED)
        resumed = old is not None and _end(old, resume_token)
        if old is not None:
            self.leave(old)
        if len(self._sessions) >= self._limits.sessions:
            raise Full(
                f"the server is full: {self._limits.sessions} sessions are open; try again later"
            )
        if self._owners[session.entrant.owner] >= self._limits.sessions_per_owner:
            most = self._limits.sessions_per_owner
            raise Full(f"owner {session.entrant.owner} has {most} sessions, the most; end one")
        self._sessions[session.bot] = session
        self._resumes[session.bot] = resume_token
        self._owners[session.entrant.owner] += 1
        return resumed

    def leave(self, session: Guest) -> bool:
        """Remove a session; False where a newer one has replaced it."""
        if self._sessions.get(session.bot) is not session:
            return False
        del self._sessions[session.bot]
        del self._resumes[session.bot]
        self._owners[session.entrant.owner] -= 1
        if not self._owners[session.entrant.owner]:
            del self._owners[session.entrant.owner]
        return True

    def dismiss(self, bot: str, reason: str, sentence: str) -> None:
        """End the session of a bot, if it has one."""
        session = self._sessions.get(bot)
        if session is not None:
            session.end(reason, sentence)

    def dismiss_all(self, reason: str, sentence: str, return_after_ms: int) -> None:
        """Ask all bots to come back after a while, and end their sessions."""
        goodbye = items.goodbye(reason, sentence, return_after_ms)
        for session in list(self._sessions.values()):
            session.send(goodbye)
            session.end(reason, sentence)


def _end(old: Guest, resume_token: str) -> bool:
    """End a session that a newer one replaces; True: that has resumed it."""
    resumed = hmac.compare_digest(old.resume_token.encode(), resume_token.encode())
    if not resumed:
        old.send(items.goodbye("session/replaced", _REPLACED, 0))
    old.end(*(("", "") if resumed else ("session/replaced", _REPLACED)))
    return resumed
