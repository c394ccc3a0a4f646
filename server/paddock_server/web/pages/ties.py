"""Ties: sentences that say who is ahead with equal points, or that the place is shared."""

from collections.abc import Sequence

from paddock_games.game import Result
from paddock_server.web.pages.matches import SeatLine


def ties(result: Result, seats: Sequence[SeatLine], decided_by: str) -> tuple[str, ...]:
    """A sentence for every number of points that several seats have.

    `decided_by` names what decides: fewer of it puts a seat ahead (D24). Empty: equal points share
    the place. Seats that forfeited are behind the others anyway and are left out.
    """
    groups: dict[int, list[int]] = {}
    for seat, total in enumerate(result.totals):
        if not seats[seat].forfeit:
            groups.setdefault(total, []).append(seat)
    return tuple(
        _sentence(total, [(seats[seat].bot, result.tie_breaks[seat]) for seat in tied], decided_by)
        for total, tied in sorted(groups.items(), reverse=True)
        if len(tied) > 1
    )


def _sentence(total: int, tied: Sequence[tuple[str, int]], decided_by: str) -> str:
    *others, last = [bot for bot, _ in tied]
    who = f"{', '.join(others)} and {last} have {total} points each"
    if not decided_by:
        return f"{who} and share the place."
    counts = {count for _, count in tied}
    if len(counts) == 1:
        return f"{who} and as many {decided_by} ({counts.pop()}), so they share the place."
    in_order = sorted(tied, key=lambda seat: seat[1])
    listed = ", ".join(f"{bot} {count}" for bot, count in in_order)
    shared = "; as many share the place" if len(counts) < len(tied) else ""
    return f"{who}. Fewer {decided_by} decide: {listed}{shared}."
