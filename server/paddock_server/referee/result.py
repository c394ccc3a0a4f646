"""Results of a match by seat."""

from typing import NamedTuple

from paddock_games import PlayedMatch


class SeatResult(NamedTuple):
    """The result of one seat."""

    bot: str
    version: str
    total: int
    rank: int
    forfeit: bool
    faults: int
    fallbacks: int = 0


def results_of(played: PlayedMatch) -> tuple[SeatResult, ...]:
    """The results of a match, by seat."""
    result = played.end.result()
    totals, ranks = result.totals, result.ranks(played.match.forfeited)
    faults, fallbacks = [0] * len(totals), [0] * len(totals)
    for step in played.steps:
        for seat, timing in step.timings.items():
            faults[seat] += timing.fault is not None
            fallbacks[seat] += timing.fallback is not None
    return tuple(
        SeatResult(
            seated.bot,
            seated.version,
            totals[seat],
            ranks[seat],
            forfeit=seated.forfeit,
            faults=faults[seat],
            fallbacks=fallbacks[seat],
        )
        for seat, seated in enumerate(played.match.seats)
    )
