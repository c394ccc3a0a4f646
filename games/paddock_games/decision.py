"""The decisions that one seat of a recorded match was asked for."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from paddock_games.clock import Clock
from paddock_games.errors import BadRecord
from paddock_games.game import Timing
from paddock_games.record import Match, PlayedMatch


class Decision(NamedTuple):
    """A decision of a seat: the state before it, the choice, and the time it had."""

    step: int  # the number of its step in the match, from 0
    state: Any
    choice: Any  # what was chosen, by the bot or by the referee
    timing: Timing
    time_ms: int  # what the decision could take before the bank was touched
    bank_ms: int  # what was left in the bank


def decisions(played: PlayedMatch, seat: int) -> Iterator[Decision]:
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


def seat_of(match: Match, seat: int | str) -> int:
    """The number of a seat that is named by its number or by its bot."""
    bots = [seated.bot for seated in match.seats]
    if isinstance(seat, int) or (seat.isascii() and seat.isdecimal()):
        if 0 <= int(seat) < len(bots):
            return int(seat)
        raise BadRecord("seat", f"there is no seat {seat}; seats go from 0 to {len(bots) - 1}")
    seats = [number for number, bot in enumerate(bots) if bot == seat]
    if len(seats) == 1:
        return seats[0]
    if seats:
        several = ", ".join(map(str, seats))
        raise BadRecord("seat", f"{seat} sits in several seats; give one of {several}")
    raise BadRecord("seat", f"no bot {seat!r} in this match; give one of {', '.join(bots)}")
