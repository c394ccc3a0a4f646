"""A running tournament: it submits the pairings of its schedule and collects their outcomes."""

import asyncio
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from paddock_ladder.schedules import Next, Outcome, Pairing, Schedule, declare
from paddock_ladder.schedules.changes import corrected
from paddock_server.basics.identity import new_match_id, stamp
from paddock_server.lobby.lobby import Lobby
from paddock_server.referee.plan import Deal, Plan
from paddock_server.store import blocks, results, store, tournament_matches, tournaments
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.rows import NewMatch
from paddock_server.store.tournament_log import add_log, last_time
from paddock_server.store.tournament_matches import declared_seats, outcome_of
from paddock_server.tables.notices import Finished, MatchDealt, MatchStuck
from paddock_server.tournaments.blocks import Blocks
from paddock_server.tournaments.definition import Definition
from paddock_server.tournaments.log import SERVER, line
from paddock_server.tournaments.waiting import WAITING_LOG

_LOG = logging.getLogger("paddock.tournament")
_AT_A_TIME: Final = 500  # matches that are written in one transaction


class Running:
    """A running tournament with a schedule that ends."""

    def __init__(
        self,
        lobby: Lobby,
        database: Database,
        definition: Definition,
        schedule: Schedule | None = None,
        *,
        common_dice: bool = False,
    ) -> None:
        """Without `schedule`, the schedule of the definition is used."""
        self._common_dice = common_dice
        self.definition = definition
        self.history: dict[str, Outcome] = {}  # by key
        self.schedule = schedule or definition.fixtures
        self.done = asyncio.Event()
        self.stopped = False
        self._lobby = lobby
        self._database = database
        self._blocks = Blocks()
        self._alive: dict[str, tuple[Pairing, str]] = {}  # by key: pairing and match id
        self._under_way: Counter[str] = Counter()  # how many of these, by format
        self._sizes: Counter[str] = Counter()  # matches of every block
        self.turn = asyncio.Lock()  # while it is held, no matches are submitted

    async def start(self) -> None:
        """Resume from the stored matches, and submit what is missing."""
        name = self.definition.name
        async with self.turn:
            # Read by the writer: matches that ended before are read, later ends are reported.
            rows, history = await self._database.writer.write(
                lambda connection: (
                    tournament_matches.pairings(connection, name, stuck=True),
                    tournament_matches.outcomes(connection, name),
                )
            )
            self.history.update((outcome.key, outcome) for outcome in history)
            coming = self._next()
            wanted = {pairing.key: pairing for pairing in coming.pairings}
            wanted |= {outcome.key: outcome.pairing for outcome in coming.forfeits}
            for row in rows:
                pairing = wanted.get(row.key)
                if pairing is None:  # the schedule does not want it any more
                    continue
                self._alive[row.key] = (pairing, row.match_id)
                self._under_way[pairing.format] += 1
                if row.key not in self._again:
                    self._know(pairing, row.deal)
            for block in {pairing.block for pairing in wanted.values()}:
                if self._sizes[block] > 1:
                    await self._know_block(block)
        await self.advance()

    def change(self, definition: Definition, history: Iterable[Outcome]) -> None:
        """Use this definition and these outcomes from now on; the caller holds the turn."""
        self.definition = definition
        self.schedule = definition.fixtures
        self.history = {outcome.key: outcome for outcome in history}

    @property
    def _again(self) -> frozenset[str]:
        """The keys of matches that are played again; their first deals may be public."""
        return corrected(self.definition.changes)

    async def _know_block(self, block: str) -> None:
        """Note the deal of a block, from the record of its first match if that is finished.

        What was dealt before the tournament was last stopped is public: it is not played any more.
        """
        read, name = self._database.read, self.definition.name
        stopped = await read(last_time, name, "stopped")
        first = await read(blocks.first_match, name, block, stopped)
        if first is not None:
            deal = await read(store.find_deal, first)
            self._blocks.dealt(block, deal, self._sizes[block])

    def _next(self) -> Next:
        """The next pairings of the schedule; also counts the matches of every block."""
        coming = self.schedule.next(list(self.history.values()))
        self._sizes = Counter(outcome.block for outcome in self.history.values())
        self._sizes.update(pairing.block for pairing in coming.pairings)
        self._sizes.update(outcome.block for outcome in coming.forfeits)
        return coming

    def _know(self, pairing: Pairing, deal: Deal | None) -> None:
        size = self._sizes[pairing.block]
        if deal is not None:
            self._blocks.dealt(pairing.block, deal, size)
        elif size > 1:
            self._blocks.lead(pairing.block, pairing.key, size)

    async def advance(self) -> None:
        """Submit the pairings that the schedule wants and that are not under way yet."""
        async with self.turn:
            await self._go_on()

    async def _go_on(self) -> None:
        if self.stopped or self.done.is_set():
            return
        coming = self._next()
        while await self._declare(coming.forfeits, "left"):
            coming = self._next()
        held = {pairing.key for pairing in self._blocks.held}
        fresh = [p for p in coming.pairings if p.key not in self._alive and p.key not in held]
        again = [p for p in fresh if p.key in self._again]
        ready = self._blocks.add([p for p in fresh if p.key not in self._again], self._sizes)
        await self._submit([*ready, *((p, None, self._sizes[p.block]) for p in again)])
        if coming.done:
            await self._finish()

    async def _submit(self, ready: Sequence[tuple[Pairing, Deal | None, int]]) -> None:
        for first in range(0, len(ready), _AT_A_TIME):
            some = ready[first : first + _AT_A_TIME]
            for pairing, _, _ in some:  # a match can begin and end before its id is known here
                self._alive[pairing.key] = (pairing, "")
                self._under_way[pairing.format] += 1
            ids = await self._lobby.play([self._plan(*submission) for submission in some])
            for (pairing, _, _), match_id in zip(some, ids, strict=True):
                if pairing.key in self._alive:
                    self._alive[pairing.key] = (pairing, match_id)

    def _plan(self, pairing: Pairing, deal: Deal | None, size: int) -> Plan:
        return Plan(
            pairing.format,
            self.definition.rules[pairing.format],
            pairing.bots,
            self.definition.clock,
            rated=self.definition.rated,
            tournament=self.definition.name,
            pairing=pairing.key,
            block=pairing.block,
            block_size=size,
            round=pairing.round,
            deal=deal,
            common_dice=self._common_dice,
        )

    # --- what happens -----------------------------------------------------------------------

    async def dealt(self, dealt: MatchDealt) -> None:
        """Submit the other matches of a block, now that its first was dealt."""
        plan = dealt.plan
        async with self.turn:
            if not self.stopped and plan.pairing not in self._again:
                await self._submit(self._blocks.dealt(plan.block, dealt.deal, plan.block_size))

    async def finished(self, finished: Finished) -> None:
        """Note the outcome of a match, and go on with the schedule."""
        plan = finished.plan
        pairing = Pairing(plan.pairing, plan.format, plan.bots, plan.block, plan.round)
        await self._over(outcome_of(pairing, finished.results))

    async def stuck(self, stuck: MatchStuck) -> None:
        """Wait for the organiser: the match is retried, played again, or declared."""
        _LOG.error("tournament waits for a stuck match: %s", stuck.why, extra={"match": stuck.id})

    def forget(self, key: str) -> None:
        """Drop a stuck match that another one replaces; the caller holds the turn."""
        submitted = self._alive.pop(key, None)
        if submitted is not None:
            self._under_way[submitted[0].format] -= 1

    async def _over(self, outcome: Outcome) -> None:
        if self._alive.pop(outcome.key, None) is not None:
            self._under_way[outcome.format] -= 1
        self.history[outcome.key] = outcome
        if self._may_go_on(outcome):
            await self.advance()

    def _may_go_on(self, outcome: Outcome) -> bool:
        """Whether the schedule can want more, or end, after this outcome."""
        if self.schedule.early:
            return all(pairing.block != outcome.block for pairing, _ in self._alive.values())
        return not self._under_way[outcome.format]

    async def _finish(self) -> None:
        name = self.definition.name
        done = line(name, SERVER, "done")

        def finish(connection: Connection) -> None:
            tournaments.change_tournament(connection, name, "done", done.at)
            add_log(connection, [done])

        await self._database.writer.write(finish)
        _LOG.info("tournament done: %s", name)
        self.done.set()

    async def stop(self) -> None:
        """Stop: waiting matches are withdrawn, open matches finish."""
        self.stopped = True
        name = self.definition.name
        async with self.turn:  # matches being submitted have to be known before they are withdrawn
            for key, (_, match_id) in list(self._alive.items()):
                if self._lobby.withdraw(match_id) is not None:
                    del self._alive[key]
            await self._database.writer.write(
                lambda connection: tournament_matches.remove_waiting(connection, name)
            )

    def pending(self) -> Iterator[Pairing]:
        """The matches that have not begun."""
        for pairing, match_id in self._alive.values():
            if self._lobby.waits(match_id):
                yield pairing
        yield from self._blocks.held

    async def look(self, away: Mapping[str, Collection[str]]) -> None:
        """Declare the matches that wait for these bots, by format.

        A match whose bots are all away goes on waiting.
        """
        async with self.turn:
            late = [
                declare(pairing, missing)
                for pairing, match_id in self._alive.values()
                if (missing := set(pairing.bots).intersection(away.get(pairing.format, ())))
                and len(missing) < len(pairing.bots)
                and match_id
            ]
            if await self._declare(late, "absent"):
                await self._go_on()

    async def _declare(self, outcomes: Sequence[Outcome], why: str) -> bool:
        """Declare those of these matches that have not begun; False if all have begun."""
        declared: list[Outcome] = []
        numbers: dict[str, int] = {}
        for outcome in outcomes:
            submitted = self._alive.get(outcome.key)
            if submitted is not None:
                number = self._lobby.withdraw(submitted[1])
                if number is None:  # it has begun in the meantime
                    continue
                numbers[outcome.key] = number
            declared.append(outcome)
        if not declared:
            return False
        ended = stamp()
        await self._database.writer.write(
            lambda connection: self._store_declared(connection, declared, numbers, ended)
        )
        for outcome in declared:
            if self._alive.pop(outcome.key, None) is not None:
                self._under_way[outcome.format] -= 1
            self._blocks.drop(outcome.block, outcome.key)
            self.history[outcome.key] = outcome
            absent = ", ".join(_absent(outcome))
            WAITING_LOG.warning("match declared: %s, %s %s", outcome.key, absent, why)
        if not self.stopped:
            for outcome in declared:
                await self._submit(self._blocks.gone(outcome.block, outcome.key))
        return True

    def _store_declared(
        self,
        connection: Connection,
        outcomes: Sequence[Outcome],
        numbers: Mapping[str, int],
        ended: str,
    ) -> None:
        """Store declared matches; those that were not submitted yet are added first."""
        for outcome in outcomes:
            number = numbers.get(outcome.key)
            if number is None:
                plan = self._plan(outcome.pairing, None, self._sizes[outcome.block])
                (number,) = store.add_matches(connection, [NewMatch(new_match_id(), plan)])
            results.declare(connection, number, ended, declared_seats(outcome))


def _absent(outcome: Outcome) -> list[str]:
    """The bots against which a match was declared."""
    return [seat.bot for seat in declared_seats(outcome) if seat.forfeit]
