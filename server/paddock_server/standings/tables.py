"""Tables of the ladders, as rows for the command line, gRPC and the pages."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import reduce
from typing import Final, NamedTuple

from paddock_games import FORMATS, format_named
from paddock_ladder.duel import Duel, duel
from paddock_ladder.overall import overall
from paddock_ladder.rating import PROVISIONAL, Parameters, Rating
from paddock_ladder.row import LadderRow, Totals
from paddock_ladder.standing import Place, places
from paddock_server.basics.identity import stamp_of
from paddock_server.store import epochs, ratings
from paddock_server.store import standings as stored
from paddock_server.store.connection import Connection
from paddock_server.store.epochs import Epoch
from paddock_server.store.rows import RatingRow
from paddock_server.store.standings import Standing, Strength, unpack_covariance

OVERALL: Final = "overall"
"""The table of all formats together."""

_IDLE: Final = timedelta(days=14)
_ROOT_HALF: Final = math.sqrt(0.5)

_Strengths = Mapping[tuple[str, str], Strength]  # by bot and version


class Kind(StrEnum):
    """The kinds of tables of a ladder."""

    STANDING = "standing"  # by the whole history at once: who is best
    LIVE = "live"  # match by match: moves with form, and bots are paired by it
    POINTS = "points"  # the whole history by points: tells more, but points can be given away


class Computed(NamedTuple):
    """The time and the matches of the last computation from the whole history."""

    at: str
    matches: int
    newer: int  # matches that were rated since then


class Ranking(NamedTuple):
    """A table of a format, the best first."""

    kind: Kind  # live, if a standing was asked for and has not been computed yet
    rows: list[LadderRow]
    computed: Computed | None  # None: the whole history was not computed yet
    epoch: Epoch | None  # None: for all formats together


class Superiority(NamedTuple):
    """The likelihoods that a bot is truly better than each of some bots, itself included."""

    bot: str
    chances: tuple[float, ...]


def table(connection: Connection, format_name: str, kind: Kind = Kind.STANDING) -> Ranking:
    """A table of a format, or of all formats; the live table if there is no standing yet."""
    if format_name == OVERALL:
        return _overall(connection, kind)
    format_named(format_name)  # raises if it is unknown
    rated = ratings.standings(connection, format_name)
    standing = stored.find(connection, format_name)
    strengths = _by_version(standing)
    shown = kind if standing is not None else Kind.LIVE
    rows = _live(rated, strengths) if shown is Kind.LIVE else _whole(rated, strengths, shown)
    return Ranking(
        shown, rows, _computed(connection, [standing]), epochs.current(connection, format_name)
    )


def superiority(connection: Connection, format_name: str, most: int) -> list[Superiority]:
    """The superiorities among the best bots; empty if no standing was computed."""
    format_named(format_name)
    standing = stored.find(connection, format_name, covariance=True)
    if standing is None:
        return []
    best = [strength for strength in standing.strengths if strength.place is not None][:most]
    covariance = unpack_covariance(standing.covariance, len(best))
    return [
        Superiority(
            strength.bot,
            tuple(_better(one, other, best, covariance) for other in range(len(best))),
        )
        for one, strength in enumerate(best)
    ]


def _better(
    one: int, other: int, best: Sequence[Strength], covariance: Sequence[Sequence[float]]
) -> float:
    """The likelihood that one bot is truly better than the other."""
    if one == other:
        return 0.5
    shared = covariance[max(one, other)][min(one, other)]
    spread = math.sqrt(max(covariance[one][one] + covariance[other][other] - 2 * shared, 1e-12))
    apart = best[one].rating.mu - best[other].rating.mu
    return 0.5 * math.erfc(-apart / spread * _ROOT_HALF)


def _by_version(standing: Standing | None) -> _Strengths:
    if standing is None:
        return {}
    return {(strength.bot, strength.version): strength for strength in standing.strengths}


def _live(rated: Sequence[RatingRow], strengths: _Strengths) -> list[LadderRow]:
    """The live table: everybody has a place, the best conservative rating first."""
    by_bot = {row.bot: row for row in rated}
    rows = []
    for place in places({row.bot: row.rating for row in rated}):
        row = by_bot[place.bot]
        strength = strengths.get((row.bot, row.version))
        rows.append(_row(row, row.rating, place, strength))
    return rows


def _whole(rated: Sequence[RatingRow], strengths: _Strengths, kind: Kind) -> list[LadderRow]:
    """A table by the whole history: bots with a place, the best first, then the others."""
    by_points = kind is Kind.POINTS
    rows = []
    for row in rated:
        strength = strengths.get((row.bot, row.version))
        if strength is None:  # new since the standing was computed
            rows.append(_row(row, row.rating, None, None))
        elif by_points:
            rows.append(_row(row, strength.points, strength.points_place, strength))
        else:
            rows.append(_row(row, strength.rating, strength.place, strength))
    return sorted(rows, key=lambda row: (row.rank or math.inf, -row.rating, row.bot))


def _row(
    row: RatingRow, rating: Rating, place: Place | None, strength: Strength | None
) -> LadderRow:
    """The row of a bot in a table; `strength` is by the whole history."""
    totals = {**row.totals._asdict(), "points": row.totals.points_a_match}
    return LadderRow(
        rank=place.rank if place else None,
        best=place.best if place else None,
        worst=place.worst if place else None,
        bot=row.bot,
        owner=row.owner,
        language=row.language,
        version=row.version,
        rating=rating.conservative,
        mu=rating.mu,
        sigma=rating.sigma,
        change=row.change,
        changed=row.changed,
        provisional=place is None or row.totals.matches < PROVISIONAL,
        idle=row.changed < stamp_of(datetime.now(UTC) - _IDLE),
        whole_mu=strength.rating.mu if strength else None,
        whole_sigma=strength.rating.sigma if strength else None,
        above_expected=row.totals.score - row.totals.expected,
        **totals,
    )


def _computed(connection: Connection, standings: Sequence[Standing | None]) -> Computed | None:
    """The computation of these standings together: the oldest time, and all their matches."""
    computed = [standing for standing in standings if standing is not None]
    if not computed:
        return None
    return Computed(
        min(standing.computed for standing in computed),
        sum(standing.matches for standing in computed),
        sum(stored.newer(connection, standing) for standing in computed),
    )


def _overall(connection: Connection, kind: Kind) -> Ranking:
    """The table of all formats; a format without a standing counts with its live ratings.

    Points of different formats can't be compared, so there is no such table by points.
    """
    kind = Kind.STANDING if kind is Kind.POINTS else kind
    standings = [stored.find(connection, name) for name in FORMATS]
    computed = _computed(connection, standings)
    shown = kind if computed is not None else Kind.LIVE
    by_format = {one.format: _by_version(one) for one in standings if one is not None}
    by_bot: dict[str, list[RatingRow]] = {}
    for live in ratings.standings(connection):
        strength = by_format.get(live.format, {}).get((live.bot, live.version))
        rating = strength.rating if strength and shown is Kind.STANDING else live.rating
        by_bot.setdefault(live.bot, []).append(live._replace(rating=rating))
    rows = _live([_together(rows) for rows in by_bot.values()], {})
    return Ranking(shown, rows, computed, None)


def _together(rows: Sequence[RatingRow]) -> RatingRow:
    """The row of one bot over all its formats."""
    last = max(rows, key=lambda row: row.changed)
    return last._replace(
        format=OVERALL,
        rating=overall({row.format: row.rating for row in rows}, Parameters(0.0)),
        totals=reduce(Totals.plus, (row.totals for row in rows)),
    )


def head_to_head(connection: Connection, bot: str, other: str, format_name: str) -> Duel:
    """The head to head of two bots, from the matches that both played."""
    format_named(format_name)
    return duel(ratings.meetings(connection, bot, other, format_name))
