"""The state of a seat during a match."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from paddock_games import Timing
from paddock_server.referee.clock import Account, Moment


@dataclass(slots=True)
class Open:
    """An ask that waits for its answer."""

    ask_id: int
    asked: Moment
    deadline: float  # in fair time
    legal: Sequence[Any]
    wrong: str | None = None  # the fault of the last answer that did not count
    held: bool = False  # not judged while the connection to the bot is checked
    host_delay: float = 0.0  # the seconds that are known to have been kept from the bot by its host
    again: Moment | None = None  # when the bot was last told of it, if it had to be told again


class Left(NamedTuple):
    """The time that an ask has left, in seconds."""

    base: float  # before the bank is used
    bank: float


@dataclass(slots=True)
class Chair:
    """The state of one seat during a match: its open ask, its faults and its time."""

    account: Account
    connected: bool = True
    awaited: bool = False  # after a restart: nothing is asked before the bot is back
    ask: Open | None = None
    choice: Any = None
    number: int = 0  # of the choice
    timing: Timing | None = None
    faults_in_a_row: int = 0
    forfeit: str | None = None  # the fault that it forfeited for
    answered: set[int] = field(default_factory=set)  # ids of asks that the bot answered

    def take(
        self,
        number: int,
        now: Moment,
        lag: float,
        fallback: str | None = None,
        *,
        host_delay: float = 0.0,
    ) -> None:
        """Take the bot's answer to the open ask, the number of a legal choice."""
        ask = self.ask
        assert ask is not None
        self.answered.add(ask.ask_id)
        self.faults_in_a_row = 0
        self.timing = self.account.spend(ask.asked, now, lag, host_delay, fallback=fallback)
        self._decide(number)

    def take_default(self, default: Any, now: Moment, fault: str) -> None:
        """Take the default choice for the open ask, because of a fault."""
        ask = self.ask
        assert ask is not None
        self.faults_in_a_row += 1
        self.timing = self.account.spend(ask.asked, now, 0.0, ask.host_delay, fault=fault)
        self._decide(ask.legal.index(default))

    def _decide(self, number: int) -> None:
        assert self.ask is not None
        self.choice = self.ask.legal[number]
        self.number = number
        self.ask = None

    def play_out(self, default: Any, legal: Sequence[Any]) -> None:
        """Choose for a seat that forfeited: it is not asked, and nothing is charged."""
        self.choice, self.number = default, legal.index(default)
        self.timing = Timing(fault=self.forfeit)

    def time_left(self, now: Moment) -> Left:
        """The time that the open ask has left."""
        assert self.ask is not None
        over = max(0.0, now.fair - self.ask.asked.fair - self.account.clock.base)
        bank = max(0.0, self.account.bank - over)
        return Left(self.account.left(self.ask.asked, now), bank)

    def allow(self, host_delay: float) -> None:
        """Give the open ask the time that the host has kept from the bot, by now."""
        delay = min(host_delay, self.account.host_left)
        if self.ask is not None and delay > self.ask.host_delay:
            self.ask.deadline += delay - self.ask.host_delay
            self.ask.host_delay = delay

    def hold(self) -> None:
        """Do not judge the seat when its time is over, while its connection is being checked."""
        if self.ask is not None:
            self.ask.held = True

    @property
    def in_doubt(self) -> bool:
        """Whether its time is over and its connection is being checked."""
        return self.ask is not None and self.ask.held

    def release(self) -> None:
        """Judge the seat again."""
        if self.ask is not None:
            self.ask.held = False

    def moment_after(self, took: float) -> Moment | None:
        """The moment `took` seconds after the seat was last asked; None: it has no open ask."""
        if self.ask is None:
            return None
        asked = self.ask.again or self.ask.asked
        return Moment(asked.at + took, asked.fair + took)
