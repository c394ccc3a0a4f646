"""The end of a match: what its record says about it, and the result of each seat."""

from collections.abc import Sequence

from paddock_games import Match, Step
from paddock_games.chance import NO_NONCE
from paddock_games.forfeit import forfeit_of
from paddock_server.referee.opening import Opening
from paddock_server.referee.result import SeatResult
from paddock_server.referee.seat import Chair


def match_of(opening: Opening, chairs: Sequence[Chair], steps: Sequence[Step]) -> Match:
    """The match with its nonces, its clock, and who forfeited in these steps."""
    seats = []
    for seat, (seated, chair) in enumerate(zip(opening.match.seats, chairs, strict=True)):
        # The steps decide: a seat that resigned with nothing left to decide did not forfeit.
        why = forfeit_of(steps, seat, opening.clock.max_faults)
        nonce = chair.nonce or NO_NONCE
        seats.append(seated._replace(nonce=nonce, forfeit=why is not None, forfeited=why))
    return opening.match._replace(seats=seats, clock=opening.clock.in_ms())


def results_of(
    match: Match, chairs: Sequence[Chair], totals: Sequence[int], ranks: Sequence[int]
) -> tuple[SeatResult, ...]:
    """The results of a match, by seat."""
    return tuple(
        SeatResult(
            seated.bot,
            seated.version,
            total,
            rank,
            forfeit=seated.forfeit,
            faults=chair.faults,
            fallbacks=chair.fallbacks,
        )
        for seated, chair, total, rank in zip(match.seats, chairs, totals, ranks, strict=True)
    )
