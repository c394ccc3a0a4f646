"""Local tables: the matches under way in this process."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from itertools import islice

from paddock_server.basics.identity import stamp
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.answers import Answer
from paddock_server.referee.asks import asked_match, asked_seat
from paddock_server.referee.commands import Refuse
from paddock_server.referee.plan import Entrant, Plan
from paddock_server.store.rows import Unfinished
from paddock_server.tables.lateness import Lateness
from paddock_server.tables.notices import Finished, Listeners, MatchStuck
from paddock_server.tables.open_match import OpenMatch
from paddock_server.tables.opening import Seating, begun
from paddock_server.tables.player import Player
from paddock_server.tables.scribe import Scribe
from paddock_server.tables.table import Surroundings, Table
from paddock_server.tables.watching import Watcher
from paddock_server.wire import items

_LOG = logging.getLogger("paddock.tables")


class LocalTables:
    """The implementation of `Tables` for matches in this process."""

    def __init__(self, scribe: Scribe, metrics: Metrics) -> None:
        self.listeners = Listeners()
        self._scribe = scribe
        self._metrics = metrics
        self._lateness = Lateness()
        self._tables: dict[int, Table] = {}  # by match number, the oldest first
        self._numbers: dict[str, int] = {}  # by match id
        self._of: dict[str, set[int]] = {}  # match numbers by bot
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._leaving: set[int] = set()  # numbers of matches that are being set aside
        scribe.rejected = self._rejected
        scribe.under_way = self.__len__
        self.knows_absence: Callable[[], bool] = lambda: True
        self._around = Surroundings(
            scribe=scribe,
            lateness=self._lateness,
            metrics=metrics,
            dealt=self.listeners.dealt,
            finished=self._finished,
            knows_absence=lambda: self.knows_absence(),  # noqa: PLW0108 -- it is set later
        )

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, match: object) -> bool:
        """Whether a match is under way here, by its number or its id."""
        return match in self._tables or match in self._numbers

    # --- beginning and ending ---------------------------------------------------------------

    def begin(
        self, number: int, match_id: str, plan: Plan, players: Sequence[Player | None]
    ) -> None:
        """Play a match; its opening is durable before anybody hears of it.

        A seat without a player is a house bot's, or its bot has just gone and may come back.
        """
        entrants = [
            player.entrant if player is not None else Entrant(bot, "", "paddock", False)
            for bot, player in zip(plan.bots, players, strict=True)
        ]
        seating = Seating(number, match_id, plan, begun(plan, entrants, stamp()))
        table = self._set_up(seating, players)
        self._scribe.open(number, plan, seating.begun, table.open)

    def resume(self, unfinished: Sequence[Unfinished]) -> None:
        """Resume matches that were open when a server died, from the journal."""
        for row, events in unfinished:
            if row.begun is None:
                raise ValueError(f"match {row.id} has not begun")
            seating = Seating(row.number, row.id, row.plan, row.begun)
            self._set_up(seating, [None] * len(row.plan.bots)).resume(events)

    def _set_up(self, seating: Seating, players: Sequence[Player | None]) -> Table:
        table = Table(seating, players, self._around)
        self._tables[seating.number] = table
        self._numbers[seating.id] = seating.number
        for bot in seating.plan.bots:
            self._of.setdefault(bot, set()).add(seating.number)
        self._lateness.start()  # it is measured while somebody's time is counted
        self._quiet.clear()
        self._metrics.open_matches.set(len(self._tables))
        return table

    def _finished(self, finished: Finished) -> None:
        """A match is over: remove its table before the listeners hear of it."""
        self._remove(finished.number)
        self._metrics.matches.inc()
        self.listeners.finished(finished)
        self._rest()

    def _rejected(self, number: int, why: str) -> None:
        """The store does not take what happened in a match: set it aside, and only it."""
        if number in self._tables and number not in self._leaving:
            self._leaving.add(number)
            self._scribe.set_aside(number, why, lambda: self._set_aside(number, why))

    def _set_aside(self, number: int, why: str) -> None:
        self._leaving.discard(number)
        table = self._remove(number)
        seating = table.seating
        _LOG.error("match set aside: %s", why, extra={"match": seating.id})
        self._metrics.stuck_matches.inc()
        table.set_aside(why)
        self.listeners.stuck(MatchStuck(number, seating.id, seating.plan, why))
        self._rest()

    def _remove(self, number: int) -> Table:
        table = self._tables.pop(number)
        del self._numbers[table.seating.id]
        for bot in set(table.seating.plan.bots):
            self._of[bot].discard(number)
            if not self._of[bot]:
                del self._of[bot]
        self._metrics.open_matches.set(len(self._tables))
        return table

    def _rest(self) -> None:
        if not self._tables:
            self._quiet.set()
            self._lateness.stop()

    def discard(self, number: int) -> None:
        """Stop a match that another node goes on with."""
        if number in self._tables:
            self._remove(number).suspend()
            self._rest()

    async def drained(self) -> None:
        """Wait until no match is under way."""
        await self._quiet.wait()

    def stop(self) -> None:
        """Stop all tables; open matches stay in the journal."""
        self._lateness.stop()
        for table in self._tables.values():
            table.suspend()

    # --- what bots say ----------------------------------------------------------------------

    def choice(
        self, player: Player, ask_id: int, answer: Answer, took: float | None = None
    ) -> None:
        """An answer to an ask; `took` is how long it took, where the player's holder measured it.

        It is in seconds. None: the table measures.
        """
        table, seat = self._tables.get(asked_match(ask_id)), asked_seat(ask_id)
        if table is None:
            _refuse(player, ask_id, "choice/stale", "this ask is over; nothing was charged")
        elif seat >= len(table.match.seats) or table.match.seats[seat].bot != player.entrant.bot:
            sentence = "this ask is for another bot; answer only your own asks"
            _refuse(player, ask_id, "choice/not_yours", sentence)
        else:
            table.choice(seat, ask_id, answer, player.lag, took, host_delay=player.host_delay)

    def digest(self, player: Player, match_id: str, digest: bytes) -> None:
        """The digest of a bot's part of a deal."""
        table = self._table_of(player, match_id)
        if table is not None:
            for seat in _seats_of(table, player):
                table.digest(seat, digest)

    def nonce(self, player: Player, match_id: str, nonce: bytes) -> None:
        """A bot's part of a deal."""
        table = self._table_of(player, match_id)
        if table is not None:
            for seat in _seats_of(table, player):
                table.nonce(seat, nonce)

    def resign(self, player: Player, match_id: str) -> None:
        """A bot resigns a match."""
        table = self._table_of(player, match_id)
        if table is not None:
            for seat in _seats_of(table, player):
                table.resign(seat)

    def back(self, player: Player, only: int | None = None) -> None:
        """A bot is connected (again): its matches go on; with `only`, the one of this number."""
        for table in self._tables_of(player.entrant.bot):
            if only is not None and table.seating.number != only:
                continue
            for seat in _seats_of(table, player):
                table.back(seat, player)

    def lost(self, player: Player) -> None:
        """A bot's connection is gone; its matches wait for it within their time."""
        for table in self._tables_of(player.entrant.bot):
            for seat in _seats_of(table, player):
                table.lost(seat, player)

    def stranded(self, player: Player) -> None:
        """A bot was cut off without a fault of its own: its matches wait, as after a restart."""
        for table in self._tables_of(player.entrant.bot):
            for seat in _seats_of(table, player):
                table.stranded(seat, player)

    def _table_of(self, player: Player, match_id: str) -> Table | None:
        table = self._tables.get(self._numbers.get(match_id, 0))
        if table is None or not _seats_of(table, player):
            sentence = f"match {match_id[:40]!r} is not an open match of this bot"
            _refuse(player, 0, "match/unknown", sentence)
            return None
        return table

    def _tables_of(self, bot: str) -> list[Table]:
        return [self._tables[number] for number in self._of.get(bot, ())]

    # --- what others see --------------------------------------------------------------------

    def open_matches(self, most: int) -> list[OpenMatch]:
        """The matches under way, the newest first."""
        newest = islice(reversed(self._tables.values()), most)
        return [table.seen() for table in newest]

    def open_match(self, match_id: str) -> OpenMatch | None:
        """A match under way; None where it has not begun or is over."""
        table = self._tables.get(self._numbers.get(match_id, 0))
        return None if table is None else table.seen()

    def matches_of(self, bot: str) -> list[str]:
        """The ids of the matches that a bot is playing."""
        return [table.seating.id for table in self._tables_of(bot)]

    def watch(self, match_id: str, *, from_now: bool = False) -> Watcher | None:
        """Begin to watch a match under way; None where it has not begun, is over or is withheld.

        Its items begin with the open table, unless `from_now` is set.
        """
        table = self._tables.get(self._numbers.get(match_id, 0))
        if table is None or table.seating.plan.hides_deal:
            return None
        return table.watchers.add(None if from_now else table.shared())

    def watchers(self, match_id: str) -> int:
        """The number of watchers of a match."""
        table = self._tables.get(self._numbers.get(match_id, 0))
        return 0 if table is None else len(table.watchers)

    @property
    def loop_lag(self) -> float:
        """How late the event loop was last, in seconds."""
        return self._lateness.last


def _seats_of(table: Table, player: Player) -> list[int]:
    bot = player.entrant.bot
    return [seat for seat, seated in enumerate(table.match.seats) if seated.bot == bot]


def _refuse(player: Player, ask_id: int, reason: str, sentence: str) -> None:
    player.send(items.refused(Refuse(0, ask_id, reason, sentence)))
    player.useless()
