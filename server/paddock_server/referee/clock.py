"""The time of seats: a base per decision, a bank per match, and what is not charged to a seat."""

from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from paddock_games import Timing
from paddock_games.clock import Clock as Terms
from paddock_server.basics.bounds import OR_ZERO

HOST_SECONDS: Final = 120.0
"""The most of a match that a seat is not charged for because its host kept it waiting."""


class Clock(NamedTuple):
    """The terms of time of a match; all in seconds."""

    base: float = 1.0  # every decision may take this long
    bank: Annotated[float, OR_ZERO] = 10.0  # for all overruns of a match together
    lag_allowance: Annotated[float, OR_ZERO] = (
        0.2  # the most time per decision that counts as network lag
    )
    max_faults: int = 3  # in a row, then the seat forfeits
    nonce_wait: Annotated[float, OR_ZERO] = 1.0  # for the nonces of the seats
    return_wait: Annotated[float, OR_ZERO] = (
        30.0  # for bots to come back after a restart of the server
    )

    def in_ms(self) -> Terms:
        """The terms in milliseconds, for bots and records."""
        base, bank, lag = (round(s * 1000) for s in (self.base, self.bank, self.lag_allowance))
        return Terms(base, bank, lag, self.max_faults)


class Moment(NamedTuple):
    """A moment twice: as measured, and without the time that the server itself was late.

    Seats are judged by `fair` alone, so that they are not charged for the server's lateness.
    """

    at: float
    fair: float

    def since(self, earlier: "Moment") -> float:
        """The fair seconds between the two, never less than none.

        What was read by a server that is late counts as of the earliest moment possible, which can
        be before the ask that it answers.
        """
        return max(0.0, self.fair - earlier.fair)


@dataclass(slots=True)
class Account:
    """The time of one seat in one match."""

    clock: Clock
    bank: float
    host_left: float = HOST_SECONDS  # that its host may still keep from it, free of charge

    def deadline(self, asked: Moment, lag: float) -> float:
        """The fair moment at which the time of an ask is over."""
        return asked.fair + self.clock.base + self.bank + min(lag, self.clock.lag_allowance)

    def spend(
        self,
        asked: Moment,
        now: Moment,
        lag: float,
        host_delay: float = 0.0,
        *,
        fault: str | None = None,
        fallback: str | None = None,
    ) -> Timing:
        """Charge a decision, without the network and `host_delay`; its timing."""
        fair = now.since(asked)
        share = min(lag, self.clock.lag_allowance, fair)
        host = min(host_delay, self.host_left, fair - share)
        self.host_left -= host
        charge = fair - share - host
        if charge > self.clock.base:  # the overrun comes out of the bank
            self.bank = max(0.0, round(self.bank - charge + self.clock.base, 4))
        total = max(0.0, now.at - asked.at)
        ms, lag_ms, charge_ms = _ms(total), _ms(share), _ms(charge)
        host_ms = _ms(host) if host else 0.0
        return Timing(ms, lag_ms, fault, charge_ms, fallback, host_ms=host_ms)

    def left(self, asked: Moment, now: Moment) -> float:
        """The seconds that an ask has left before the bank is used."""
        return max(0.0, self.clock.base - (now.fair - asked.fair))


def _ms(seconds: float) -> float:
    """Milliseconds, in whole microseconds."""
    return round(seconds * 1e6) / 1000
