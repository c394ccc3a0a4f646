"""Leases: work that a runner was given, for as long as it shows that it is alive."""

import secrets
from dataclasses import dataclass, field
from typing import Final

from paddock_server.basics.errors import ServerError
from paddock_server.basics.identity import new_match_id, stamp
from paddock_server.lobby.hosted_session import HostedSession
from paddock_server.store.leases import LeaseRow
from paddock_server.store.submissions import SubmissionRow

PREPARE: Final = "prepare"
RUN: Final = "run"
_LOG_MESSAGE: Final = 64  # letters that a message of a log counts for, however short it is


class LeaseLost(ServerError):
    """Raised when a runner says something about work that is not its own any more."""

    reason = "lease/lost"


@dataclass
class Lease:
    """A piece of work at a runner, as long as the runner shows that it is alive."""

    row: LeaseRow
    submission: SubmissionRow
    until: float  # on the monotonic clock; renewed by every heartbeat
    begun_at: float  # on the monotonic clock
    match_id: str = ""  # that a run was started for
    promised_share: float = 0.0  # of a core: what its bot's open matches began with
    session: HostedSession | None = None  # the last one of a run
    cpu_share: float | None = None  # of a core, for its bot; None: its runner has not said it yet
    put: set[str] = field(default_factory=set)  # the blobs that its runner put here for it
    log_left: int = 512 * 1024  # letters of its log that are still stored
    knows_deal: bool = False  # its process may know a deal that is played again: it plays no more
    idle_since: float = 0.0
    stopping: bool = False
    settled: bool = True  # whether everybody knows who is to blame for a broken session

    @property
    def id(self) -> str:
        """Names it."""
        return self.row.id

    @property
    def is_run(self) -> bool:
        """Whether it runs a bot; else it prepares a submission."""
        return self.row.kind == RUN

    def take_log(self, letters: int) -> bool:
        """Whether so many letters more are stored; else this lease has said too much."""
        self.log_left -= letters + _LOG_MESSAGE
        return self.log_left >= 0

    @property
    def connected(self) -> bool:
        """Whether its bot has a session."""
        return self.session is not None and not self.session.broken


def new_row(
    kind: str, row: SubmissionRow, runner: str, *, token_hash: bytes = b"", attempt: int = 1
) -> LeaseRow:
    """The row of a new lease."""
    at = stamp()
    return LeaseRow(
        id=f"{new_match_id()}{secrets.token_hex(3)}",
        kind=kind,
        submission=row.id,
        bot=row.bot,
        runner=runner,
        token_hash=token_hash,
        given=at,
        until=at,
        attempt=attempt,
    )
