"""The page of a bot: its rating over time, results by seat and pen, time and faults."""

from collections import Counter
from collections.abc import Container, Mapping
from typing import Final, NamedTuple

from paddock_games import FORMATS
from paddock_ladder.row import LadderRow
from paddock_server.store import pages, ratings, store, submissions
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.pages import SeatRow
from paddock_server.store.ratings import Career
from paddock_server.store.rows import BotRow, MatchFilter, MatchRow
from paddock_server.tournaments.telling import Telling
from paddock_server.web.charts import Dot
from paddock_server.web.page import Page, Sheet
from paddock_server.web.pages.bot_results import Digests, LuckShare, Part, SeatShare, TimeUsed
from paddock_server.web.pages.ladder import SHEET_COLUMNS, Ladder, csv_values
from paddock_server.web.pages.matches import NAME, MatchLine, match_line
from paddock_server.web.visit import Missing, Parameter, Visit
from paddock_server.wire.certificate import CertifiedPoint, read_certificate

_HISTORY: Final = 300  # rated matches of a chart
_SEATS: Final = 300  # matches that results are computed from
_RECENT: Final = 12
_STEP: Final = 2  # points of a bar
UNKNOWN: Final = "bot not found; look for it on the ladder"


class FormatLine(NamedTuple):
    """A bot on the ladder of one format, with the version that it played last."""

    format: str
    table: str  # of which the line is: standing, or live if no standing has been computed yet
    line: LadderRow
    career: Career  # of all its versions together


class Certified(NamedTuple):
    """The certificate of the version of a hosted bot that plays."""

    version: str
    checked: str  # when
    toolchain: str
    toolchain_sha256: str  # of its root file system; empty: it is the host's
    runner: str
    archive: str  # SHA-256 of what was handed in
    artefact: str  # SHA-256 of what was built from it
    points: tuple[CertifiedPoint, ...]
    weaknesses: tuple[str, ...]  # what the runner's machine does not promise
    mirror: bool  # whether its build could reach a mirror of packages


class BotValues(NamedTuple):
    """A bot; the values after `format` are those of that format."""

    bot: str
    owner: str
    version: str
    added: str
    connected: bool
    probation: str  # why it gets trial matches only; empty: it does not
    format: str  # of the values that follow; empty: it has not played
    formats: tuple[FormatLine, ...]
    history: tuple[Dot, ...]  # ratings after its last matches, the oldest first
    matches: int  # that seats and scores are computed from, the last ones
    seats: tuple[SeatShare, ...]
    scores: Mapping[str, int]  # how often, by the least points of a bar
    step: int
    records: int  # that parts, times, faults and fallbacks are computed from, the last ones
    parts: tuple[Part, ...]
    time: TimeUsed | None
    faults: Mapping[str, int]  # by reason
    fallbacks: Mapping[str, int]  # by what its client said, the most frequent first
    luck: LuckShare | None  # None: with fewer than two records
    recent: tuple[MatchLine, ...]
    certificate: Certified | None  # None: the arena does not run it


class Bots:
    """The pages of bots."""

    def __init__(
        self, database: Database, connected: Container[str], telling: Telling, ladder: Ladder
    ) -> None:
        """`connected` holds the bots that are connected at the moment."""
        self._database = database
        self._connected = connected
        self._ladder = ladder
        self.results = Digests(database, telling).results

    async def values(self, visit: Visit) -> BotValues:
        """A bot in the format asked for, or in the format that it plays most."""
        name, read = visit.path["bot"], self._database.read
        known, careers, seats, recent = await read(_first_look, name)
        if known is None and not seats:
            raise Missing(UNKNOWN)
        formats = [
            await self._line(name, each, careers[each]) for each in FORMATS if each in careers
        ]
        played = Counter(seat.format for seat in seats)
        asked = visit.query["format"]
        format_name = asked or (played.most_common(1)[0][0] if played else "")
        mine = [seat for seat in seats if seat.format == format_name]
        history = await read(ratings.history, name, format_name, None, _HISTORY)
        results = await self.results(mine, format_name)
        return BotValues(
            bot=name,
            owner=known.owner if known else "",
            version=known.version if known else "",
            added=known.added if known else "",
            connected=name in self._connected,
            probation=known.probation if known else "",
            format=format_name,
            formats=tuple(line for line in formats if line is not None),
            history=tuple(Dot(*row.rating) for row in reversed(history)),
            matches=results.matches,
            seats=results.seats,
            scores={
                str(k): n
                for k, n in sorted(Counter(s.total // _STEP * _STEP for s in mine).items())
            },
            step=_STEP,
            records=results.records,
            parts=results.parts,
            time=results.time,
            faults=results.faults,
            fallbacks=results.fallbacks,
            luck=results.luck,
            recent=tuple(map(match_line, recent)),
            certificate=await read(_certified, name),
        )

    async def _line(self, name: str, format_name: str, career: Career) -> FormatLine | None:
        ranking = await self._ladder.table(format_name)
        row = next((row for row in ranking.rows if row.bot == name), None)
        return None if row is None else FormatLine(format_name, ranking.kind.value, row, career)

    def pages(self) -> list[Page]:
        """The page of a bot."""
        name = Parameter("bot", "The bot's name.", pattern=NAME)
        form = Parameter("format", "The format to show.", among=("", *FORMATS))
        sheet = Sheet(
            "formats.csv", ["format", *SHEET_COLUMNS],
            lambda values: (
                (each.format, *csv_values(each.line, each.table)) for each in values.formats
            ),
        )  # fmt: skip
        summary = (
            "A bot: ratings, results by seat, points by pen, time, faults, fallbacks, matches."
        )
        return [
            Page("/bots/{bot}", summary, BotValues, self.values, "bot.html",
                 in_path=(name,), in_query=(form,), sheet=sheet),
        ]  # fmt: skip


def _certified(connection: Connection, name: str) -> Certified | None:
    """The certificate of a hosted bot."""
    row = submissions.active_of(connection, name)
    if row is None:
        return None
    certificate = read_certificate(row.certificate)
    return Certified(
        version=row.version,
        checked=certificate.checked,
        toolchain=certificate.toolchain,
        toolchain_sha256=certificate.toolchain_sha256,
        runner=certificate.runner,
        archive=row.archive,
        artefact=row.artefact,
        points=certificate.points,
        weaknesses=certificate.weaknesses,
        mirror=certificate.mirror,
    )


def _first_look(
    connection: Connection, name: str
) -> tuple[BotRow | None, Mapping[str, Career], list[SeatRow], list[MatchRow]]:
    """Everything that is read by the bot's name alone."""
    return (
        store.find_bot(connection, name),
        ratings.careers(connection, name),
        pages.last_seats(connection, name, _SEATS),
        store.list_matches(connection, None, _RECENT, MatchFilter(bot=name)),
    )
