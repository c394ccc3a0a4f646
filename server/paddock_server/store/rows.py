"""Rows of the store: the plain values that it takes and returns, without SQL."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from paddock_games import PlayedMatch
from paddock_ladder.rating import Rating
from paddock_ladder.row import Totals
from paddock_server.referee.events import Event
from paddock_server.referee.plan import Begun, Entrant, Plan
from paddock_server.referee.result import SeatResult

RATING_COLUMNS: Final = (
    "format", "bot", "version", "latest", "mu", "sigma", "change", "changed", *Totals._fields
)  # fmt: skip
"""Columns of the table of ratings, in the order in which `RatingRow.of` takes their values."""


class BotRow(NamedTuple):
    """A bot as it is stored."""

    name: str
    owner: str
    token_hash: bytes
    added: str
    version: str = ""
    formats: tuple[str, ...] = ()
    forfeits: int = 0
    probation: str = ""
    language: str = ""


class NewMatch(NamedTuple):
    """A match that is to be played."""

    id: str
    plan: Plan
    begun: Begun | None = None  # of the match that it replaces, if that was played


class MatchFilter(NamedTuple):
    """A filter for lists of matches; an empty field leaves nothing out."""

    state: str = ""
    bot: str = ""
    format: str = ""
    tournament: str = ""


ALL_MATCHES: Final = MatchFilter()


class MatchRow(NamedTuple):
    """A match in a list."""

    number: int
    id: str
    format: str
    state: str
    plan: Plan
    begun: Begun | None  # None: it has not begun
    started: str
    ended: str
    results: tuple[SeatResult, ...]  # by seat; empty before the end
    tournament: str = ""
    pairing: str = ""
    block: str = ""
    round: int = 0
    rated: int | None = None  # in which order it was rated
    void: str = ""  # why it does not count

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The entrants by seat; before the match begins only their names are known."""
        if self.begun is not None:
            return self.begun.entrants
        return tuple(Entrant(bot, "", "", sends_nonces=False) for bot in self.plan.bots)


class Unfinished(NamedTuple):
    """A match that goes on after a restart, with its journal."""

    row: MatchRow
    events: Sequence[Event]


class JournalRow(NamedTuple):
    """An event of an open match."""

    number: int  # of the match
    position: int  # from 0
    event: Event


class EndRow(NamedTuple):
    """A match that was played to its end and is to be stored."""

    number: int
    played: PlayedMatch
    results: Sequence[SeatResult]  # by seat
    rated: bool


class RatingChange(NamedTuple):
    """A rating before and after a match."""

    before: Rating
    after: Rating


class RatingRow(NamedTuple):
    """The rating of a version in one format and the totals of its rated matches, as stored."""

    format: str
    bot: str
    version: str
    latest: bool  # the bot's version that played last
    rating: Rating
    change: float  # of the conservative rating, in the last match
    changed: str  # when
    totals: Totals
    owner: str = ""  # empty: the bot was removed
    language: str = ""  # as the bot says itself

    @classmethod
    def of(cls, values: Sequence[Any]) -> "RatingRow":
        """The row with these values of RATING_COLUMNS."""
        format_name, bot, version, latest, mu, sigma, change, changed, *totals = values
        return cls(
            format=format_name,
            bot=bot,
            version=version,
            latest=bool(latest),
            rating=Rating(mu, sigma),
            change=change,
            changed=changed,
            totals=Totals(*totals),
        )

    def values(self) -> tuple[str | float, ...]:
        """The stored values, in the order of RATING_COLUMNS."""
        return (
            self.format,
            self.bot,
            self.version,
            int(self.latest),
            *self.rating,
            self.change,
            self.changed,
            *self.totals,
        )


class RatedMatch(NamedTuple):
    """A rated match: the results of its seats and the changes of their ratings."""

    order: int  # its place in the order in which matches were rated
    number: int
    ended: str
    seats: Sequence[SeatResult]
    changes: Sequence[RatingChange]
