"""The decisions that one seat of a recorded match was asked for."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from paddock_games.clock import Clock
from paddock_games.errors import BadRecord
from paddock_games.game import Timing
from paddock_games.record import Match, Replay


class Decision(NamedTuple):
    """One decision of a seat: where it stood, what it chose, and the time it had."""

    step: int  # the number of its step in the match, from 0
    state: Any
    choice: Any  # what was chosen, by the bot or by the referee
    timing: Timing
    time_ms: int  # what the decision could take before the bank was touched
    bank_ms: int  # what was left in the bank


def decisions(played: Replay, seat: int) -> Iterator[Decision]:
    """The decisions that the seat was asked for, in order; none after it forfeited.

    Where the record holds no clock, every decision has the time of the usual one.
    """
    clock = played.match.clock or Clock()
    bank = float(clock.bank_ms)
    for number, step in enumerate(played.steps):
        if seat not in step.choices:
            continue
        timing = step.timings.get(seat, Timing())
        if not timing.asked:
            return
        choice = step.choices[seat]
        yield Decision(
            step=number,
            state=step.state,
            choice=choice,
            timing=timing,
            time_ms=clock.base_ms,
            bank_ms=round(bank),
        )
        bank -= min(bank, max(0.0, (timing.charge_ms or 0.0) - clock.base_ms))


def seat_of(match: Match, given: int | str) -> int:
    """The seat with this number, or the one in which the bot of this name sits."""
    bots = [seated.bot for seated in match.seats]
    if isinstance(given, int) or (given.isascii() and given.isdecimal()):
        if 0 <= int(given) < len(bots):
            return int(given)
        raise BadRecord("seat", f"there is no seat {given}; they go from 0 to {len(bots) - 1}")
    seats = [seat for seat, bot in enumerate(bots) if bot == given]
    if len(seats) == 1:
        return seats[0]
    if seats:
        several = ", ".join(map(str, seats))
        raise BadRecord("seat", f"{given} sits in several seats; give one of {several}")
    raise BadRecord("seat", f"no bot {given!r} plays here; there are {', '.join(bots)}")
