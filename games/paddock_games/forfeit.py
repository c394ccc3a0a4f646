"""Faults and forfeits of a match: when a seat forfeits, and whether a record is right about it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paddock_games.clock import Clock
from paddock_games.errors import BadRecord
from paddock_games.field import Field
from paddock_games.game import Game, Step

RESIGNED = "RESIGNED"


class Forfeit(NamedTuple):
    """The forfeit of a seat: why and when it lost the right to play on."""

    reason: str  # the fault of the decision that it forfeited with
    step: int  # the number of that decision's step, from 0


def forfeit_of(steps: Sequence[Step], seat: int, max_faults: int | None) -> Forfeit | None:
    """The forfeit that follows from a seat's faults: by resigning, or by too many in a row.

    If `max_faults` is not known (None), only a resignation counts.
    """
    in_a_row = 0
    for number, fault in _faults(steps, seat):
        if fault is None:
            in_a_row = 0
            continue
        in_a_row += 1
        if fault == RESIGNED or (max_faults is not None and in_a_row >= max_faults):
            return Forfeit(fault, number)
    return None


def check_faults(seats: Field, steps: Sequence[Step], game: Game, clock: Clock | None) -> None:
    """Refuse a record whose faults and forfeits can't be what a referee saw.

    A record without a clock is of a match that nobody timed, or older than the clock in records: it
    is checked as far as it goes.
    """
    for step in steps:
        for seat, choice in step.choices.items():
            timing = step.timings.get(seat)
            if timing is None and clock is not None:
                raise BadRecord(game.place(step.state), f"seat {seat}: its time is missing")
            default = step.state.default(seat)
            if timing is not None and timing.fault is not None and choice != default:
                raise BadRecord(
                    game.place(step.state),
                    f"seat {seat}: the choice with the fault {timing.fault} must be "
                    f"the default choice, {default}, not {choice}",
                )
    for seat, field in enumerate(seats.items()):
        forfeit = forfeit_of(steps, seat, clock.max_faults if clock else None)
        if forfeit is None:
            _check_no_forfeit(field, steps, seat, clock)
        else:
            _check_forfeit(field, forfeit, clock)
            for number, fault in _faults(steps, seat):
                if number > forfeit.step and fault != forfeit.reason:
                    raise BadRecord(
                        game.place(steps[number].state),
                        f"seat {seat}: it forfeited earlier, so its fault must be {forfeit.reason}",
                    )


def _faults(steps: Sequence[Step], seat: int) -> Iterator[tuple[int, str | None]]:
    """The fault of every decision of a seat that was timed, with the number of its step."""
    for number, step in enumerate(steps):
        if seat in step.timings:
            yield number, step.timings[seat].fault


def _check_no_forfeit(seat: Field, steps: Sequence[Step], number: int, clock: Clock | None) -> None:
    flag = seat.key("forfeit")
    last = [fault for _, fault in _faults(steps, number)][-1:]
    played_out = clock is None and last not in ([], [None])  # by how many faults is not known
    if flag.value and not played_out:
        needed = (
            f"{clock.max_faults} faults in a row" if clock else "faults up to its last decision"
        )
        flag.refuse(f"is true, but the seat has neither resigned nor {needed}")
    for name in ("forfeit_reason", "forfeit_step"):
        stray = seat.optional(name)
        if stray is not None:
            stray.refuse("must be absent: the faults of the seat are too few for a forfeit")


def _check_forfeit(seat: Field, forfeit: Forfeit, clock: Clock | None) -> None:
    flag = seat.key("forfeit")
    if not flag.value:
        flag.refuse(f"is false, but the seat forfeited in step {forfeit.step} ({forfeit.reason})")
    for name, value in (("forfeit_reason", forfeit.reason), ("forfeit_step", forfeit.step)):
        stated = seat.key(name) if clock else seat.optional(name)
        if stated is not None:
            stated.must_equal(value)
