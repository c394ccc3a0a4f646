"""The pages of tournaments: progress, standings, pairings, blocks and the log."""

from typing import Final, Literal, NamedTuple

from paddock_server.store import pages, store, tournament_log, tournaments
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchFilter
from paddock_server.store.tournament_log import LogRow
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import entered_in
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.log import sentence
from paddock_server.tournaments.progress import Declaration, declarations, progress
from paddock_server.tournaments.report import Report, planned_of, stored_report
from paddock_server.tournaments.waiting import Situation, WaitedFor
from paddock_server.visitors.cache import Cache
from paddock_server.web.page import Page, Sheet
from paddock_server.web.pages.matches import NAME, MatchLine, match_line
from paddock_server.web.pages.standings import SHEET_COLUMNS, StandingsTable, sheet_rows, tables_of
from paddock_server.web.visit import Missing, Parameter, Visit

_LISTED: Final = 50
_PAIRINGS: Final = 30
_RECENT: Final = 10
BLOCKS: Final = 50
_LOGGED: Final = 50  # lines of the log
_DONE_SECONDS: Final = 60.0  # a tournament that is done hardly ever changes


class TournamentLine(NamedTuple):
    """A tournament in a list."""

    name: str
    schedule: str
    formats: tuple[str, ...]
    bots: int  # entered; 0: whoever is connected
    state: str
    over: int  # matches
    planned: int  # in all; 0: there is no end
    rated: bool
    started: str
    ended: str
    starts: str  # when it is to start; empty: at once
    entries_close: str  # empty: never


class TournamentLogLine(NamedTuple):
    """A line of a tournament's log."""

    at: str
    who: str
    event: str
    bot: str  # that the line is about; may be empty
    match: str  # that the line is about; may be empty
    why: str
    text: str  # the event as a sentence


class WaitingLine(NamedTuple):
    """A bot that a tournament waits for."""

    bot: str
    reason: Literal["away", "format", "probation", "busy"]
    sentence: str  # such as: ada does not play summer
    formats: tuple[str, ...]  # that it does not play, where that is the reason
    since: str  # empty for a bot that is busy
    matches: int  # that can't begin without it; 0 for a bot that is busy
    declared_at: str  # when matches are decided without it; empty: never


class Block(NamedTuple):
    """Matches that share a deal."""

    block: str
    format: str
    round: int
    bots: tuple[str, ...]
    over: int
    size: int


class TournamentValues(NamedTuple):
    """A tournament with its standings, pairings, blocks and log."""

    tournament: TournamentLine
    left_seconds: float | None  # an estimate at the pace of the last matches; null: unknown
    waiting: tuple[WaitingLine, ...]  # whom it waits for, while it runs
    note: str  # why nothing is played, or which matches are never declared; mostly empty
    overall: StandingsTable
    tables: tuple[StandingsTable, ...]  # of every format
    declared: int  # matches that were decided without being played
    declarations: tuple[Declaration, ...]  # these, the newest first, at most 100
    pairings: tuple[MatchLine, ...]  # under way and waiting
    recent: tuple[MatchLine, ...]
    block_page: int
    block_pages: int
    blocks: tuple[Block, ...]  # the newest first
    log: tuple[TournamentLogLine, ...]  # the newest first


class TournamentsValues(NamedTuple):
    """Tournaments, the newest first."""

    tournaments: tuple[TournamentLine, ...]


class Tournaments:
    """The pages of tournaments."""

    def __init__(self, database: Database, desk: Desk | None) -> None:
        """Without a desk no tournament runs: the pages only read a database."""
        self._database = database
        self._desk = desk
        self._reports: Cache[Report | None] = Cache()
        self._done: Cache[Report | None] = Cache(_DONE_SECONDS, 16)
        self._lists: Cache[TournamentsValues] = Cache()

    async def list_values(self, _visit: Visit) -> TournamentsValues:
        """The newest tournaments."""
        return await self._lists.get("", self._listed)

    async def _listed(self) -> TournamentsValues:
        read = self._database.read
        rows = await read(tournaments.list_tournaments, _LISTED)
        over = await read(pages.count_over, [row.name for row in rows])
        return TournamentsValues(tuple(_line(row, over.get(row.name, 0)) for row in rows))

    async def values(self, visit: Visit) -> TournamentValues:
        """One tournament."""
        name, read = visit.path["tournament"], self._database.read
        report = await self.report(name)
        open_ones = await read(
            store.list_matches, None, _PAIRINGS, MatchFilter("open", tournament=name)
        )
        waiting = await read(
            store.list_matches, None, _PAIRINGS, MatchFilter("waiting", tournament=name)
        )
        recent = await read(
            store.list_matches, None, _RECENT, MatchFilter("finished", tournament=name)
        )
        blocks_there = await read(pages.count_blocks, name)
        last = max(1, -(-blocks_there // BLOCKS))
        page = min(visit.query["blocks"], last)
        blocks = await read(pages.blocks, name, BLOCKS, BLOCKS * (page - 1))
        row = report.row
        far = await read(progress, row)
        situation, seconds = Situation(), None
        if row.state == "running" and self._desk is not None:
            situation = self._desk.waiting.of(name)
            seconds = self._desk.left_seconds(name, far.planned - far.over)
        overall, tables = tables_of(report)
        return TournamentValues(
            tournament=_line(row, report.over),
            left_seconds=seconds,
            waiting=tuple(map(_waiting, situation.waiting)),
            note=situation.note,
            overall=overall,
            tables=tables,
            declared=far.declared,
            declarations=tuple(await read(declarations, name)),
            pairings=tuple(map(match_line, [*open_ones, *waiting][:_PAIRINGS])),
            recent=tuple(map(match_line, recent)),
            block_page=page,
            block_pages=last,
            blocks=tuple(
                Block(
                    each.block,
                    each.format,
                    each.round,
                    each.plan.bots,
                    each.over,
                    size=max(each.plan.block_size, each.stored),
                )
                for each in blocks
            ),
            log=tuple(map(_log_line, await read(tournament_log.list_log, name, _LOGGED))),
        )

    async def report(self, name: str) -> Report:
        """The report of a tournament; Missing if no tournament has this name."""
        read = self._database.read
        row = await read(tournaments.find_tournament, name)
        if row is None:
            raise Missing("tournament not found; look at the list of tournaments")
        reports = self._done if row.state == "done" else self._reports
        # A disqualification or a declared match changes even a tournament that is done.
        key = f"{name} {len(row.changes)}"
        report = await reports.get(key, lambda: read(stored_report, name))
        if report is None:
            raise Missing("tournament not found; it was removed")
        return report

    def pages(self) -> list[Page]:
        """The list of tournaments, and each of them."""
        name = Parameter("tournament", "The tournament's name.", pattern=NAME)
        blocks = Parameter("blocks", "The page of its blocks, from 1.", 1, least=1, most=1_000_000)
        sheet = Sheet(
            "standings.csv", SHEET_COLUMNS, lambda values: sheet_rows(values.overall, values.tables)
        )
        summary = "A tournament: progress, whom it waits for, standings, pairings and blocks."
        return [
            Page(
                address="/tournaments",
                summary="The newest tournaments.",
                kind=TournamentsValues,
                values=self.list_values,
                template="tournaments.html",
                in_path=(),
                in_query=(),
                sheet=Sheet("list.csv", TournamentLine._fields, lambda v: v.tournaments),
            ),
            Page(
                address="/tournaments/{tournament}",
                summary=summary,
                kind=TournamentValues,
                values=self.values,
                template="tournament.html",
                in_path=(name,),
                in_query=(blocks,),
                sheet=sheet,
            ),
        ]


def _line(row: TournamentRow, over: int) -> TournamentLine:
    definition = row.definition
    return TournamentLine(
        name=row.name,
        schedule=definition.schedule,
        formats=definition.formats,
        bots=len(entered_in(row)),
        state=row.state,
        over=over,
        planned=planned_of(row, over),
        rated=definition.rated is not False,
        started=row.started,
        ended=row.ended,
        starts=definition.starts_at or "",
        entries_close=definition.entries_close or "",
    )


def _log_line(row: LogRow) -> TournamentLogLine:
    return TournamentLogLine(
        at=row.at,
        who=row.who,
        event=row.event,
        bot=row.bot,
        match=row.match_id,
        why=row.why,
        text=sentence(row),
    )


def _waiting(bot: WaitedFor) -> WaitingLine:
    return WaitingLine(
        bot=bot.bot,
        reason=bot.reason.value,
        sentence=bot.sentence,
        formats=bot.formats,
        since=bot.since,
        matches=bot.matches,
        declared_at=bot.declared_at,
    )
