"""A referee at a desk with a clock that moves when it is told to, and a notebook of all it said.

Times are sixteenths of a second, which neither binary fractions nor the four decimals of a bank
nor the three of a record's milliseconds round: what the tests compute is exactly what is written.
"""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

from paddock_games import verify, write_record
from paddock_games.chance import NO_NONCE
from paddock_games.record import PlayedMatch, read_record
from paddock_server.referee.clock import Clock, Moment
from paddock_server.referee.commands import Ask, Command, Fault, Finish, Reveal, Start, Write
from paddock_server.referee.events import Event
from paddock_server.referee.opening import Opening
from paddock_server.referee.referee import Referee
from paddock_server.store.match_json import event_text, read_event
from tests.games.tables import match

T = TypeVar("T")
TICK: Final = 1 / 16
NUMBER: Final = 77  # of every match here, so that its ask ids are known
# A clock whose every part can be told from the others.
CLOCK: Final = Clock(1.0, 10.0, 0.25, max_faults=3, nonce_wait=2.0, return_wait=30.0)


# Randomness for whole matches, from a number that a failing test names.
choosers: Final = st.builds(Random, st.integers(0, 2**32 - 1))


def ticks(most: float) -> st.SearchStrategy[float]:
    """Any time up to this many seconds."""
    return st.integers(0, int(most / TICK)).map(lambda count: count * TICK)


def opening(
    form: str,
    seats: int,
    *,
    rules: object = None,
    seed: int = 0,
    clock: Clock = CLOCK,
    sends: Sequence[int] | None = None,
) -> Opening:
    """A match before its deal; `sends` tells in how many steps a seat sends its nonce: by default
    nobody sends one."""
    one = match(form, seats, rules, seed)
    one = one._replace(seats=[seated._replace(nonce=NO_NONCE) for seated in one.seats])
    return Opening(NUMBER, one, clock, tuple(sends or [0] * seats))


class Desk:
    """Drives a referee and keeps what it said, by what it was."""

    def __init__(self, begun: Opening, at: float = 1000.0) -> None:
        self.opening = begun
        self.referee = Referee(begun)
        self.at, self.late = at, 0.0
        self.said: list[Command] = []
        self.asks: dict[int, Ask] = {}  # the last one, by seat
        self.ids: dict[tuple[int, int], int] = {}  # by step and seat
        self.unwritten: Event | None = None
        self.events: list[Any] = []  # what is durable, as the store brought it back
        self.record: Mapping[str, Any] | None = None

    @classmethod
    def dealt(cls, form: str = "summer", seats: int = 3, **options: Any) -> "Desk":
        """A match of which everybody was just asked for the first decision."""
        desk = cls(opening(form, seats, **options))
        desk.open()
        desk.written()
        return desk

    # --- time -------------------------------------------------------------------------------

    @property
    def now(self) -> Moment:
        return Moment(self.at, self.at - self.late)

    def wait(self, seconds: float, late: float = 0.0) -> "Desk":
        """Time passes; for `late` of it the referee's own loop stood still."""
        self.at += seconds
        self.late += late
        return self

    # --- events -----------------------------------------------------------------------------

    def open(self) -> list[Command]:
        return self._hear(self.referee.open(self.now))

    def resume(self, events: Sequence[Any]) -> list[Command]:
        self.events = list(events)
        return self._hear(self.referee.resume(events, self.now))

    def digest(self, seat: int, digest: bytes) -> list[Command]:
        return self._hear(self.referee.digest(seat, digest, self.now))

    def nonce(self, seat: int, nonce: bytes) -> list[Command]:
        return self._hear(self.referee.nonce(seat, nonce, self.now))

    def answer(
        self,
        seat: int,
        answer: Any = 0,
        *,
        asked: int | None = None,
        lag: float = 0.0,
        host_delay: float = 0.0,
    ) -> list[Command]:
        """An answer to the seat's last ask, or to the one that is named."""
        asked = self.asks[seat].ask_id if asked is None else asked
        return self._hear(
            self.referee.choice(seat, asked, answer, self.now, lag, host_delay=host_delay)
        )

    def resign(self, seat: int) -> list[Command]:
        return self._hear(self.referee.resign(seat, self.now))

    def lost(self, seat: int) -> None:
        self.referee.lost(seat)

    def back(self, seat: int) -> list[Command]:
        return self._hear(self.referee.back(seat, self.now))

    def wake(self) -> list[Command]:
        return self._hear(self.referee.wake(self.now))

    def written(self) -> list[Command]:
        """The event that waits is durable now."""
        assert self.unwritten is not None
        self.events.append(read_event(event_text(self.unwritten)))
        self.unwritten = None
        return self._hear(self.referee.written(self.now))

    # --- several at once --------------------------------------------------------------------

    def answer_all(self, answer: Any = 0) -> list[Command]:
        """Every seat with an open ask answers, and the step is written."""
        for seat in self.open_asks:
            self.answer(seat, answer)
        return self.written()

    def sleep_until_due(self) -> list[Command]:
        """Nothing happens until the referee's next deadline, and then it is woken."""
        assert self.referee.deadline is not None
        self.wait(max(0.0, self.referee.deadline - self.now.fair))
        return self.wake()

    def play_on(self) -> PlayedMatch:
        """Everybody who is asked answers at once until the match is over; its checked record."""
        while self.record is None:
            if self.unwritten is None:
                self.answer(self.open_asks[0])
            else:
                self.written()
        return self.checked

    @property
    def checked(self) -> PlayedMatch:
        """The record as anybody can check it."""
        return verify(read_record(json.dumps(self.record)))

    @property
    def open_asks(self) -> list[int]:
        """The seats that the referee waits for."""
        return [seat for seat, chair in enumerate(self.referee.chairs) if chair.ask]

    @property
    def banks(self) -> list[float]:
        return [chair.account.bank for chair in self.referee.chairs]

    # --- what it said -----------------------------------------------------------------------

    def _hear(self, commands: list[Command]) -> list[Command]:
        step = len(self.referee.steps)
        for command in commands:
            assert self.record is None, f"{command} after the end"
            if isinstance(command, Write):
                assert self.unwritten is None, "two writes at once"
                self.unwritten = command.event
            elif isinstance(command, Ask):
                self.asks[command.seat] = command
                assert self.ids.setdefault((step, command.seat), command.ask_id) == command.ask_id
            elif isinstance(command, Finish):
                self.record = write_record(*command.played)
        self.said += commands
        return commands

    def every(self, kind: type[T]) -> list[T]:
        """All it ever said of a kind."""
        return [command for command in self.said if isinstance(command, kind)]


def difference(one: Any, other: Any, where: str = "") -> str:
    """Where two JSON values differ first; empty where they don't. (A diff would take minutes.)"""
    if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        found = (difference(one[key], other[key], f"{where}.{key}") for key in one)
        return next(filter(None, found), "")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return next(filter(None, (difference(*two, f"{where}[{i}]") for i, two in pairs)), "")
    return "" if one == other else f"{where}: {one!r:.80} is not {other!r:.80}"


def kinds(commands: Sequence[Command]) -> list[str]:
    """What was said, by name alone."""
    return [type(command).__name__ for command in commands]


def seats_of(commands: Sequence[Command]) -> list[int]:
    """Who is started, asked or at fault, in order."""
    return [c.seat for c in commands if isinstance(c, Start | Ask | Fault)]


def revealed(commands: Sequence[Command]) -> list[Reveal]:
    """What everybody got to know."""
    return [command for command in commands if isinstance(command, Reveal)]
