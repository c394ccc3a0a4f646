"""What the store gives and takes: plain values, no SQL."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from paddock_ladder.rating import Rating
from paddock_ladder.row import Totals
from paddock_server.referee.events import Event
from paddock_server.referee.plan import Begun, Entrant, Plan
from paddock_server.referee.result import SeatResult

RATING_COLUMNS: Final = (
    "format", "bot", "version", "latest", "mu", "sigma", "change", "changed", *Totals._fields
)  # fmt: skip
"""Of the table of ratings, in the order in which `RatingRow.of` takes their values."""


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
    begun: Begun | None = None  # where it stands for one that was played


class MatchFilter(NamedTuple):
    """The matches that a list is about; an empty field leaves nothing out."""

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
        """Who sits there, by seat; before it begins only their names are known."""
        if self.begun is not None:
            return self.begun.entrants
        return tuple(Entrant(bot, "", "", sends_nonces=False) for bot in self.plan.bots)


class Unfinished(NamedTuple):
    """A match that goes on after a restart, with all that was made durable of it."""

    row: MatchRow
    events: Sequence[Event]


class JournalRow(NamedTuple):
    """An event of an open match."""

    number: int  # of the match
    position: int  # from 0
    event: Event


class RatingChange(NamedTuple):
    """What a match did to a rating."""

    before: Rating
    after: Rating


class RatingRow(NamedTuple):
    """A version's rating in one format, and what its rated matches add up to, as it is stored."""

    format: str
    bot: str
    version: str
    latest: bool  # the bot's version that played last
    rating: Rating
    change: float  # of the conservative rating, in the last match
    changed: str  # when
    totals: Totals
    owner: str = ""  # empty where the bot was removed
    language: str = ""  # as the bot says itself

    @classmethod
    def of(cls, values: Sequence[Any]) -> "RatingRow":
        """From the values of RATING_COLUMNS."""
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

    def values(self) -> dict[str, Any]:
        """What is stored of it, by column."""
        return {
            "format": self.format,
            "bot": self.bot,
            "version": self.version,
            "latest": int(self.latest),
            "mu": self.rating.mu,
            "sigma": self.rating.sigma,
            "change": self.change,
            "changed": self.changed,
            **self.totals._asdict(),
        }


class RatedMatch(NamedTuple):
    """A rated match: how it ended for every seat, and what it did to their ratings."""

    order: int  # its place in the order in which matches were rated
    number: int
    ended: str
    seats: Sequence[SeatResult]
    changes: Sequence[RatingChange]
