"""The state of a seat during a match."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from paddock_games import Timing
from paddock_server.referee.clock import Account, Moment


@dataclass
class Open:
    """An ask that waits for its answer."""

    ask_id: int
    asked: Moment
    deadline: float  # in fair time
    legal: Sequence[Any]
    wrong: str | None = None  # the fault of the last answer that did not count
    held: bool = False  # not judged while the connection to the bot is checked


@dataclass
class Chair:
    """The state of one seat during a match: its open ask, its faults and its time."""

    account: Account
    sends_nonces: bool
    connected: bool = True
    awaited: bool = False  # after a restart: nothing is asked before the bot is back
    nonce: bytes | None = None
    ask: Open | None = None
    choice: Any = None
    number: int = 0  # of the choice
    timing: Timing | None = None
    faults_in_a_row: int = 0
    faults: int = 0
    fallbacks: int = 0
    forfeit: str | None = None  # the fault that it forfeited for
    answered: set[int] = field(default_factory=set)  # ids of asks that the bot answered
