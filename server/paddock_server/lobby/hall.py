"""The hall: all connected bots, one session each; the newest wins."""

import hmac
from collections import Counter

from paddock_server.basics.errors import ServerError
from paddock_server.lobby.limits import Limits
from paddock_server.lobby.session import Session
from paddock_server.wire import items

_REPLACED = "another session of this bot was opened; run it once, or give each copy its own name"


class Full(ServerError):
    """Raised when no further session is taken; the text says why."""

    reason = "session/too_many"


class Hall:
    """The sessions of all connected bots."""

    def __init__(self, limits: Limits) -> None:
        self.sessions: dict[str, Session] = {}
        self._limits = limits
        self._owners: Counter[str] = Counter()

    def enter(self, session: Session, resume_token: str = "") -> bool:
        """Let a bot in; an older session of the same bot has to go.

        True where the token shows that it is the same client, coming back before its old connection
        was found dead: then there is nobody to be told.
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
            raise Full(f"the server takes {self._limits.sessions} sessions; come back later")
        if self._owners[session.entrant.owner] >= self._limits.sessions_per_owner:
            raise Full(
                f"{session.entrant.owner} has {self._limits.sessions_per_owner} sessions; end one"
            )
        self.sessions[session.bot] = session
        self._owners[session.entrant.owner] += 1
        return resumed

    def leave(self, session: Session) -> bool:
        """Let a bot go; False where a newer session has taken its place."""
        if self.sessions.get(session.bot) is not session:
            return False
        del self.sessions[session.bot]
        self._owners[session.entrant.owner] -= 1
        if not self._owners[session.entrant.owner]:
            del self._owners[session.entrant.owner]
        return True
