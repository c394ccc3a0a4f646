"""Changes of tournaments by organisers: entries, withdrawals, disqualifications, voided matches."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from paddock_ladder.schedules import (
    BadSchedule,
    Change,
    Correction,
    Departure,
    LateEntry,
    Outcome,
    Pairing,
    declare,
)
from paddock_ladder.schedules.changes import departed
from paddock_server.basics.errors import ServerError
from paddock_server.basics.identity import new_match_id, stamp
from paddock_server.basics.name import HOUSE, RULE, is_guest
from paddock_server.store import ratings, results, store, tournament_matches, tournaments
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchRow, NewMatch
from paddock_server.store.stuck import STUCK
from paddock_server.store.tournament_log import LogRow
from paddock_server.store.tournament_matches import declared_seats, outcome_of
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.amending import check_open, checked
from paddock_server.tournaments.definition import LADDER, definition_of
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.ladder import LadderRunning
from paddock_server.tournaments.log import line
from paddock_server.tournaments.running import Running


class CannotChange(ServerError):
    """Raised when a tournament can't be changed; the text says why, and what to do."""

    reason = "tournament/refused"


class Voiding(NamedTuple):
    """The reason to void a match, and what replaces it."""

    why: str
    replay: bool = False
    declare: Sequence[str] = ()  # the bots that lose it


class Changes:
    """Changes of tournaments; each is stored with a line of the log before it takes effect."""

    def __init__(self, desk: Desk, database: Database) -> None:
        self._desk = desk
        self._database = database

    async def enter(self, name: str, bot: str, who: str) -> bool:
        """Enter a bot late; False if it is entered already."""
        if not is_guest(bot):
            raise CannotChange(
                f"bot name {bot[:40]!r} is invalid: {RULE}, and nothing like {HOUSE} at the "
                "beginning"
            )
        async with self._desk.changing(name) as (row, rounds):
            definition = definition_of(row)
            if bot in definition.names:
                return False
            _refuse_done(row)
            if definition.schedule == LADDER and not definition.bots:
                raise CannotChange(f"{name} is open to everybody; just connect {bot}")
            check_open(definition, [bot], self._desk.clock())
            log = line(name, who, "entry", bot=bot)
            await self._desk.save(_with(row, LateEntry(bot, rounds)), [log])
        return True

    async def withdraw(self, name: str, bot: str, who: str, why: str = "") -> None:
        """Withdraw a bot from a tournament; it keeps its results."""
        async with self._desk.changing(name) as (row, rounds):
            _refuse_done(row)
            _refuse_stranger(row, bot)
            log = line(name, who, "withdrawal", bot=bot, why=why)
            await self._desk.save(_with(row, Departure(bot, rounds)), [log])

    async def disqualify(self, name: str, bot: str, who: str, why: str) -> None:
        """Disqualify a bot, even after the end of a tournament; its matches count as lost."""
        if not why:
            raise CannotChange("the reason is missing; say why, for the public log")
        async with self._desk.changing(name) as (row, rounds):
            _refuse_stranger(row, bot)
            log = line(name, who, "disqualification", bot=bot, why=why)
            await self._desk.save(_with(row, Departure(bot, rounds, disqualified=True)), [log])

    async def entered_in(self, bot: str) -> list[str]:
        """The names of the tournaments that are not done and that this bot is entered in."""
        rows = [
            row
            for state in ("running", "upcoming", "stopped")
            for row in await self._database.read(
                tournaments.list_tournaments, 1_000_000, None, state
            )
        ]
        return [row.name for row in rows if bot in definition_of(row).names]

    async def void(self, match: MatchRow, voiding: Voiding, who: str) -> int:
        """Void a match; the number of other matches that were rated again."""
        if match.tournament:
            again = await self._void_in_tournament(match, voiding, who)
        elif voiding.replay or voiding.declare:
            raise CannotChange(
                f"match {match.id} belongs to no tournament; start another match instead"
            )
        else:
            again = await self._database.writer.write(
                lambda connection: ratings.void(connection, match.number, voiding.why)
            )
        for running in list(self._desk.running.values()):
            if isinstance(running, LadderRunning):
                await running.rated_again(match.format)
        return again

    async def _void_in_tournament(self, match: MatchRow, voiding: Voiding, who: str) -> int:
        async with self._desk.changing(match.tournament) as (row, rounds):
            definition = definition_of(row)
            if match.state == STUCK:
                return await self._replace_stuck(row, match, voiding, who)
            if match.void:
                raise CannotChange(f"match {match.id} is void already: {match.void}")
            if definition.schedule == LADDER:
                return await self._void_on_ladder(row, match, voiding, who)
            if voiding.replay == bool(voiding.declare):
                raise CannotChange(
                    f"match {match.id} belongs to {row.name}; say either that it is played again "
                    "(--replay) or which bots lose it (--declare BOT)"
                )
            bots = match.plan.bots
            pairing = Pairing(match.pairing, match.format, bots, match.block, match.round)
            was = outcome_of(pairing, match.results, declared=match.state == "declared")
            left = departed(row.changes).intersection(was.bots)
            if voiding.replay and left:
                raise CannotChange(
                    f"{', '.join(sorted(left))} left {row.name} and can't play {match.id} again; "
                    "use: paddock match void --declare"
                )
            instead = _declared(was.pairing, voiding.declare)
            return await self._correct(
                row,
                match,
                correction=Correction(was, rounds),
                instead=instead,
                voiding=voiding,
                who=who,
            )

    async def _correct(
        self,
        row: TournamentRow,
        match: MatchRow,
        correction: Correction,
        instead: Outcome | None,
        voiding: Voiding,
        who: str,
    ) -> int:
        """Void a match and free its key, for the replay or for the declared match."""
        log = line(
            row.name, who, "declaration" if instead else "replay",
            bot=", ".join(voiding.declare), match_id=match.id, why=voiding.why,
        )  # fmt: skip
        reopened = row._replace(state="running", ended="") if row.state == "done" else row

        def more(connection: Connection) -> int:
            again = ratings.void(connection, match.number, voiding.why)
            tournament_matches.set_aside(connection, match.number)
            if instead is not None:
                new = NewMatch(new_match_id(), match.plan, match.begun)
                (number,) = store.add_matches(connection, [new])
                results.declare(connection, number, stamp(), declared_seats(instead))
            return again

        return await self._save(_with(reopened, correction), log, more)

    async def _replace_stuck(
        self, row: TournamentRow, match: MatchRow, voiding: Voiding, who: str
    ) -> int:
        """Play a match again that was set aside, or declare it; it has no result to correct."""
        if definition_of(row).schedule == LADDER or voiding.replay == bool(voiding.declare):
            raise CannotChange(
                f"match {match.id} is stuck; use: paddock match retry, or, in a tournament that "
                "is no ladder, paddock match void with --replay or --declare BOT"
            )
        pairing = Pairing(match.pairing, match.format, match.plan.bots, match.block, match.round)
        instead = _declared(pairing, voiding.declare)
        log = line(
            row.name, who, "declaration" if instead else "replay",
            bot=", ".join(voiding.declare), match_id=match.id, why=voiding.why,
        )  # fmt: skip

        def more(connection: Connection) -> int:
            tournament_matches.set_aside(connection, match.number)
            if instead is not None:
                new = NewMatch(new_match_id(), match.plan, match.begun)
                (number,) = store.add_matches(connection, [new])
                results.declare(connection, number, stamp(), declared_seats(instead))
            return 0

        again = await self._save(row, log, more)
        running = self._desk.running.get(row.name)
        if isinstance(running, Running):
            running.forget(match.pairing)
        return again

    async def _void_on_ladder(
        self, row: TournamentRow, match: MatchRow, voiding: Voiding, who: str
    ) -> int:
        if voiding.replay or voiding.declare:
            raise CannotChange(
                f"{row.name} is a ladder, which replaces no match; leave out --replay and --declare"
            )
        log = line(row.name, who, "void", match_id=match.id, why=voiding.why)

        def more(connection: Connection) -> int:
            tournament_matches.set_aside(connection, match.number)
            return ratings.void(connection, match.number, voiding.why)

        again = await self._save(row, log, more)
        running = self._desk.running.get(row.name)
        if isinstance(running, LadderRunning):
            running.voided()
        return again

    async def _save(
        self, row: TournamentRow, log: LogRow, more: Callable[[Connection], Any]
    ) -> int:
        return int(await self._desk.save(row, [log], more))


def _with(row: TournamentRow, change: Change) -> TournamentRow:
    return checked(row._replace(changes=(*row.changes, change)))


def _declared(pairing: Pairing, losers: Sequence[str]) -> Outcome | None:
    if not losers:
        return None
    try:
        return declare(pairing, losers)
    except BadSchedule as problem:
        raise CannotChange(f"{problem.sentence}; name a bot of the match with --declare") from None


def _refuse_done(row: TournamentRow) -> None:
    if row.state == "done":
        raise CannotChange(f"{row.name} is done; bots can't enter or withdraw any more")


def _refuse_stranger(row: TournamentRow, bot: str) -> None:
    definition = definition_of(row)
    open_to_all = definition.schedule == LADDER and not definition.bots
    if bot not in definition.entered and not open_to_all:
        raise CannotChange(
            f"{bot[:40]!r} is not entered in {row.name}; see: paddock tournament show {row.name}"
        )
