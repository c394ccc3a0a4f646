"""The hall: the sessions of all connected bots, one per bot; the newest wins."""

import hmac
from collections import Counter

from paddock_server.basics.errors import ServerError
from paddock_server.lobby.guest import Guest
from paddock_server.lobby.limits import Limits
from paddock_server.wire import items

_REPLACED = "another session of this bot was opened; run it once, or give each copy its own name"


class Full(ServerError):
    """Raised when no further session is taken; the text says why."""

    reason = "session/too_many"


class Hall:
    """The sessions of all connected bots."""

    def __init__(self, limits: Limits) -> None:
        self.sessions: dict[str, Guest] = {}
        self._limits = limits
        self._owners: Counter[str] = Counter()

    def enter(self, session: Guest, resume_token: str = "") -> bool:
        """Add a session; an older session of the same bot ends.

        True: the resume token shows that the same client is back, before the server noticed that
        its old connection is dead. Then no Goodbye is sent.
        """
        old = self.sessions.get(session.bot)
        resumed = old is not None and hmac.compare_digest(
            old.resume_token.encode(), resume_token.encode()
        )
        if old is not None and resumed:
            old.end("", "")
            self.leave(old)
        elif old is not None:
            old.send(items.goodbye("session/replaced", _REPLACED, 0))
            old.end("session/replaced", _REPLACED)
            self.leave(old)
        if len(self.sessions) >= self._limits.sessions:
            raise Full(
                f"the server is full: {self._limits.sessions} sessions are open; try again later"
            )
        if self._owners[session.entrant.owner] >= self._limits.sessions_per_owner:
            most = self._limits.sessions_per_owner
            raise Full(f"owner {session.entrant.owner} has {most} sessions, the most; end one")
        self.sessions[session.bot] = session
        self._owners[session.entrant.owner] += 1
        return resumed

    def leave(self, session: Guest) -> bool:
        """Remove a session; False where a newer one has replaced it."""
        if self.sessions.get(session.bot) is not session:
            return False
        del self.sessions[session.bot]
        self._owners[session.entrant.owner] -= 1
        if not self._owners[session.entrant.owner]:
            del self._owners[session.entrant.owner]
        return True
