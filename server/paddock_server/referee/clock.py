"""Time as the referee counts it: an allowance a decision, a bank a match, the network's share."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from paddock_games import clock as told
from paddock_server.basics.bounds import OR_ZERO


class Clock(NamedTuple):
    """How much time the seats of a match have; all in seconds."""

    base: float = 1.0  # every decision may take this long
    bank: Annotated[float, OR_ZERO] = 10.0  # for all overruns of a match together
    lag_allowance: Annotated[float, OR_ZERO] = (
        0.2  # the most of a decision that is put down to the network
    )
    max_faults: int = 3  # in a row, then the seat forfeits
    nonce_wait: Annotated[float, OR_ZERO] = 1.0  # for the seats' part of the deal
    return_wait: Annotated[float, OR_ZERO] = (
        30.0  # for bots to come back after the server itself was gone
    )

    def in_ms(self) -> told.Clock:
        """The terms as bots are told them and as records keep them."""
        base, bank, lag = (round(s * 1000) for s in (self.base, self.bank, self.lag_allowance))
        return told.Clock(base, bank, lag, self.max_faults)


class Moment(NamedTuple):
    """Now, twice: as it is, and less all the time that the referee itself was late.

    Seats are judged by `fair` alone, so that they never pay for the referee's lateness.
    """

    at: float
    fair: float


class Spent(NamedTuple):
    """What became of the time between an ask and its answer; in seconds."""

    total: float
    lag: float
    charge: float  # the rest, less what the referee itself was late
    overrun: float  # the part of the charge that came out of the bank


@dataclass
class Account:
    """The time of one seat in one match."""

    clock: Clock
    bank: float

    def deadline(self, asked: Moment, lag: float) -> float:
        """The fair moment at which an ask is over, whatever arrives."""
        return asked.fair + self.clock.base + self.bank + min(lag, self.clock.lag_allowance)

    def spend(self, asked: Moment, now: Moment, lag: float) -> Spent:
        """Charge a decision, and tell what it cost."""
        fair = max(0.0, now.fair - asked.fair)
        share = min(lag, self.clock.lag_allowance, fair)
        charge = fair - share
        overrun = min(self.bank, max(0.0, charge - self.clock.base))
        self.bank -= overrun
        return Spent(max(0.0, now.at - asked.at), share, charge, overrun)

    def left(self, asked: Moment, now: Moment) -> float:
        """What is left of an ask's allowance before the bank is touched."""
        return max(0.0, self.clock.base - (now.fair - asked.fair))
