"""The progress of a tournament: matches over, the time left, and declared matches."""

from collections import deque
from collections.abc import Collection
from typing import Final, NamedTuple

from paddock_server.store import store, tournament_matches
from paddock_server.store.connection import Connection
from paddock_server.store.rows import MatchFilter
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.report import planned_of

_RECENT: Final = 100  # matches that the pace is taken from
_DECLARATIONS: Final = 100


class Progress(NamedTuple):
    """The progress of a tournament in matches."""

    over: int  # matches
    declared: int  # of these
    planned: int  # in all; 0: there is no end


class Declaration(NamedTuple):
    """A declared match: one that was decided without being played."""

    match: str
    format: str
    round: int
    winners: tuple[str, ...]  # the bots that were present, who share the first place
    absent: tuple[str, ...]
    declared: str  # when


class Throughput:
    """The throughput of each tournament: how quickly its last matches ended."""

    def __init__(self) -> None:
        self._ends: dict[str, deque[float]] = {}  # by tournament, the oldest first

    def note(self, name: str, now: float) -> None:
        """Note that a match of a tournament ended."""
        self._ends.setdefault(name, deque(maxlen=_RECENT)).append(now)

    def keep_only(self, names: Collection[str]) -> None:
        """Forget all other tournaments."""
        for name in set(self._ends).difference(names):
            del self._ends[name]

    def seconds(self, name: str, matches: int, now: float) -> float | None:
        """An estimate of how long this number of matches will take; None if it is unknown.

        It counts up to now, not to the last end: the longer no match ends, the longer the estimate.
        """
        ends = self._ends.get(name)
        if matches <= 0 or ends is None or len(ends) < 2:
            return None
        return matches * (now - ends[0]) / (len(ends) - 1)


def progress(connection: Connection, row: TournamentRow) -> Progress:
    """The progress of this tournament."""
    over = tournament_matches.count_over(connection, row.name)
    declared = tournament_matches.count_declared(connection, row.name)
    return Progress(over, declared, planned_of(row, over))


def declarations(connection: Connection, name: str) -> list[Declaration]:
    """The declared matches of a tournament, the newest first."""
    rows = store.list_matches(
        connection, None, _DECLARATIONS, MatchFilter("declared", tournament=name)
    )
    decided = []
    for row in rows:
        if row.void:  # another decision replaced it
            continue
        decided.append(
            Declaration(
                match=row.id,
                format=row.format,
                round=row.round,
                winners=tuple(seat.bot for seat in row.results if not seat.forfeit),
                absent=tuple(seat.bot for seat in row.results if seat.forfeit),
                declared=row.ended,
            )
        )
    return sorted(decided, key=lambda declaration: declaration.declared, reverse=True)
