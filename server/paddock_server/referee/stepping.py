"""The steps of a match: from the choices of its seats to an event, and back."""

from collections.abc import Sequence

from paddock_games import Step
from paddock_games.game import State
from paddock_server.referee.events import Stepped
from paddock_server.referee.seat import Chair


def closed(chairs: Sequence[Chair], seats: Sequence[int], number: int) -> Stepped | None:
    """The event of a step whose seats to move have all chosen; None: one has not."""
    timings = []
    for seat in seats:
        timing = chairs[seat].timing
        if timing is None:
            return None
        timings.append(timing)
    return Stepped(
        step=number,
        choices=[chairs[seat].number for seat in seats],
        timings=timings,
        banks=[chair.account.bank for chair in chairs],
        in_a_row=[chair.faults_in_a_row for chair in chairs],
        forfeits=[chair.forfeit for chair in chairs],
    )


def step_of(chairs: Sequence[Chair], state: State, event: Stepped) -> Step:
    """The step that an event stands for, in the state before it."""
    seats = state.to_move
    choices = {}
    for seat, number in zip(seats, event.choices, strict=True):
        known = chairs[seat].choice  # after a restart only its number is known
        choices[seat] = state.legal(seat)[number] if known is None else known
    timings = dict(zip(seats, event.timings, strict=True))
    return Step(state, choices, timings, event.choices)


def settle(chairs: Sequence[Chair], event: Stepped) -> None:
    """Take over the time and the faults of all seats after a step."""
    for seat, chair in enumerate(chairs):
        chair.ask = chair.choice = chair.timing = None
        chair.account.bank = event.banks[seat]
        chair.faults_in_a_row = event.in_a_row[seat]
        chair.forfeit = chair.forfeit or event.forfeits[seat]
