"""Leases: work that a runner was given, and the benches of the runners that are connected."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from paddock.v1 import runner_pb2
from paddock_server.lobby.hosted import HostedSession
from paddock_server.store.leases import LeaseRow
from paddock_server.store.submissions import SubmissionRow

PREPARE: Final = "prepare"
RUN: Final = "run"


@dataclass
class Lease:
    """A piece of work at a runner, as long as the runner shows that it is alive."""

    row: LeaseRow
    submission: SubmissionRow
    until: float  # on the monotonic clock; renewed by every heartbeat
    given: float
    match_id: str = ""  # that a run was started for
    session: HostedSession | None = None  # the last one of a run
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

    @property
    def connected(self) -> bool:
        """Whether its bot has a session."""
        return self.session is not None and not self.session.broken


@dataclass
class Bench:
    """A runner that is connected."""

    name: str
    ready: runner_pb2.WorkReady
    send: Callable[[runner_pb2.WorkResponse], None]
    end: Callable[[str, str], None]  # its stream, with a reason and a sentence
    heard: float = 0.0
    troubled: dict[str, float] = field(default_factory=dict)  # submissions it failed at, and when

    @property
    def slots(self) -> int:
        """How many bots it can run at once."""
        return int(self.ready.slots)

    @property
    def preparing(self) -> int:
        """How many submissions it prepares at once."""
        return int(self.ready.preparing) or 1

    def has(self, toolchain: str, language: str) -> bool:
        """Whether it has the toolchain of a manifest, or one of its language if none is named."""
        if toolchain:
            return any(each.name == toolchain for each in self.ready.toolchains)
        wanted = language.casefold()
        return not wanted or any(
            each.language.casefold() == wanted for each in self.ready.toolchains
        )
