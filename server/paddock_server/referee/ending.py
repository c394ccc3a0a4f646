"""The end of a match: what its record says about it."""

from collections.abc import Sequence

from paddock_games import Match, Step
from paddock_games.forfeit import forfeit_of
from paddock_server.referee.dealing import SeatPart
from paddock_server.referee.opening import Opening


def match_of(opening: Opening, parts: Sequence[SeatPart], steps: Sequence[Step]) -> Match:
    """The match with its nonces, its clock, and who forfeited in these steps."""
    seats = []
    faulty = {seat for step in steps for seat, timing in step.timings.items() if timing.fault}
    for seat, (seated, part) in enumerate(zip(opening.match.seats, parts, strict=True)):
        # The steps decide: a seat that resigned with nothing left to decide did not forfeit.
        why = forfeit_of(steps, seat, opening.clock.max_faults) if seat in faulty else None
        seats.append(
            seated._replace(
                nonce=part.dealt,
                nonce_digest=part.digest,
                nonce_late=part.late,
                forfeit=why is not None,
                forfeited=why,
            )
        )
    return opening.match._replace(seats=seats, clock=opening.clock.in_ms())
