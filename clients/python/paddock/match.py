"""Matches as bots see them: seats, rules and clock, events and results."""

import hashlib
from typing import Any, NamedTuple

from paddock.v1 import arena_pb2
from paddock_games.clock import Clock
from paddock_wire import codec_of


class Seat(NamedTuple):
    """The bot in a seat."""

    bot: str
    version: str
    owner: str
    cpu_share: float = 0.0  # of a core, where the arena runs it; 0: it does not, or promises none


class Match(NamedTuple):
    """A match that this bot plays in."""

    id: str
    format: str
    seats: tuple[Seat, ...]
    seat: int  # which of them is this bot's
    rules: Any  # the rule options, as the rules library has them
    clock: Clock
    commitment: bytes  # SHA-256 of the seed that the deal comes from
    tournament: str  # empty where there is none
    dice: bytes = b""  # what `Ask.rng` is made from, together with a secret of this client


class Revealed(NamedTuple):
    """The choice of one seat; `fault` says why the referee made it, None: the bot chose."""

    seat: int
    choice: Any
    fault: str | None


class Event(NamedTuple):
    """The choices of everybody in one step of a match."""

    step: int
    revealed: tuple[Revealed, ...]


class SeatResult(NamedTuple):
    """The result of a seat; rank 1 is best, and equal seats share a rank."""

    total: int
    rank: int
    forfeit: bool
    faults: int  # decisions that the referee made
    fallbacks: int  # decisions that the bot's client made


class Result(NamedTuple):
    """The result of a match."""

    match: Match
    seats: tuple[SeatResult, ...]
    scores: Any  # the points in detail, as the rules library has them, by game and by seat
    seed: bytes
    nonces: tuple[bytes, ...]
    void_reason: str  # why the match counts for nothing; empty: it counts

    @property
    def mine(self) -> SeatResult:
        """The result of this bot's seat."""
        return self.seats[self.match.seat]

    @property
    def kept_its_word(self) -> bool | None:
        """Whether the seed is the one that the server committed to before the deal; None: it is
        still secret, because other matches have the same deal."""
        if not self.seed:
            return None
        return hashlib.sha256(self.seed).digest() == self.match.commitment


class Refusal(NamedTuple):
    """An answer that did not count; `reason` is stable, such as choice/stale."""

    ask_id: int
    reason: str
    sentence: str


def read_match(message: arena_pb2.MatchStarted) -> Match:
    """The match in a message; raises Unreadable where its format is unknown here."""
    clock = message.clock
    return Match(
        id=message.match_id,
        format=message.format,
        seats=tuple(
            Seat(seat.bot, seat.version, seat.owner, seat.cpu_share) for seat in message.seats
        ),
        seat=message.seat,
        rules=codec_of(message.format).read_rules(message),
        clock=Clock(clock.base_ms, clock.bank_ms, clock.lag_allowance_ms, clock.max_faults),
        commitment=message.commitment,
        tournament=message.tournament,
        dice=message.dice,
    )


def read_event(message: arena_pb2.Happened, match: Match) -> Event:
    """The event in a message."""
    read_choice = codec_of(match.format).read_choice
    return Event(
        message.step,
        tuple(
            Revealed(shown.seat, read_choice(shown.choice), fault_name(shown.fault))
            for shown in message.revealed
        ),
    )


def read_result(message: arena_pb2.MatchEnded, match: Match) -> Result:
    """The result in a message."""
    return Result(
        match,
        tuple(
            SeatResult(seat.total, seat.rank, seat.forfeit, seat.faults, seat.fallbacks)
            for seat in message.seats
        ),
        codec_of(match.format).read_scores(message),
        seed=message.seed,
        nonces=tuple(message.nonces),
        void_reason=message.void_reason,
    )


def fault_name(fault: arena_pb2.Fault.ValueType) -> str | None:
    """The name of a fault, such as TIMEOUT; None: there was no fault."""
    if fault == arena_pb2.FAULT_UNSPECIFIED:
        return None
    names = arena_pb2.Fault.DESCRIPTOR.values_by_number
    # A fault that a newer server knows is still a fault.
    return names[fault].name.removeprefix("FAULT_") if fault in names else "OTHER"
