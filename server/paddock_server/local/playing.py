"""Matches of `paddock play`: bots as processes, on a temporary server."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from paddock_games import Rules
from paddock_games.chance import NO_NONCE
from paddock_server.lobby.lobby import Lobby
from paddock_server.lobby.planning import seated_in_turn
from paddock_server.local.earlier import Earlier, PlayedRecord, nothing_earlier
from paddock_server.local.own_server import Company, own_server
from paddock_server.programs.processes import BotProgram
from paddock_server.referee.clock import Clock
from paddock_server.referee.plan import Deal, Plan
from paddock_server.store.records import record_text
from paddock_server.tables.notices import EndListener, Finished

_AHEAD: Final = 1000  # matches that wait or are open at once
_NAME_LETTERS: Final = 36  # of a bot that a copy's name begins with


def copies(entries: Sequence[BotProgram], seats: int) -> list[BotProgram]:
    """Copies of the bots, in turn, that fill the seats if there are fewer bots than seats."""
    taken = {entry.name for entry in entries}
    further = []
    for number in range(len(entries), seats):
        original = entries[number % len(entries)]
        copy = 2
        while (name := f"{original.name[:_NAME_LETTERS]}-{copy}") in taken:
            copy += 1
        taken.add(name)
        further.append(BotProgram(name, original.command))
    return further


class Wanted(NamedTuple):
    """The settings of a run: what is played, and how often."""

    format: str
    games: int
    seats: int
    rules: Rules
    clock: Clock
    seed: int | None = None  # of all deals; None: every match draws its own

    def plans(self, bots: Sequence[str]) -> "Plans":
        """The matches; the bots fill the seats in turn and change seats each match."""
        line = seated_in_turn(
            self.format, bots, len(bots), seats=self.seats, rules=self.rules, clock=self.clock
        )
        return Plans(self, line)


class Plans:
    """The matches of a run by their number, from 1: the same whenever they are asked for."""

    def __init__(self, wanted: Wanted, line: Sequence[Plan]) -> None:
        self._wanted = wanted
        self._line = line

    def __len__(self) -> int:
        return self._wanted.games

    def plan(self, number: int) -> Plan:
        """The match of this number."""
        plan = self._line[(number - 1) % len(self._line)]._replace(pairing=str(number))
        if self._wanted.seed is None:
            return plan
        # Nonces would change the deal, so these are fixed: fit for debugging, not for a ladder.
        nonces = (NO_NONCE.hex(),) * len(plan.bots)
        return plan._replace(rated=False, deal=Deal(self._seed(number), nonces), common_dice=True)

    def _seed(self, number: int) -> str:
        wanted = self._wanted
        label = f"paddock-play-1 {wanted.seed} {wanted.format} {wanted.seats} {number}"
        return hashlib.sha256(label.encode()).hexdigest()


async def play_matches(
    company: Company,
    wanted: Wanted,
    finished: Callable[[PlayedRecord], None],
    database: str | None = None,
    earlier: Earlier | None = None,
) -> None:
    """Start the bots, have them play what is left, and hand over every record; raises BotFailed.

    Without a database the run can't be resumed.
    """
    plans = wanted.plans(company.names)
    earlier = earlier or nothing_earlier()
    if earlier.over >= len(plans):
        return
    secret = "" if wanted.seed is None else f"paddock play --seed {wanted.seed}"
    async with own_server(company, wanted.clock, database, secret) as server:
        # Before the bots come: matches that were open end as soon as their bots are back.
        series = _Series(server.serving.lobby, plans, finished, earlier)
        server.serving.tables.listeners.append(EndListener(series.hear))
        await server.gather([wanted.format])
        await server.until(series.play())


class _Series:
    """The matches of a run, handed to a server a part at a time."""

    def __init__(
        self,
        lobby: Lobby,
        plans: Plans,
        finished: Callable[[PlayedRecord], None],
        earlier: Earlier,
    ) -> None:
        self._lobby = lobby
        self._plans = plans
        self._finished = finished
        numbers = range(1, len(plans) + 1)
        self._left: Iterator[int] = (number for number in numbers if number not in earlier.numbers)
        self._under_way = len(earlier.numbers) - earlier.over
        self._ended = asyncio.Event()
        self._problem: Exception | None = None

    async def play(self) -> None:
        """Have all matches played, a part of them at a time."""
        while True:
            if self._under_way <= _AHEAD // 2:
                some = list(islice(self._left, _AHEAD - self._under_way))
                self._under_way += len(some)
                await self._lobby.play([self._plans.plan(number) for number in some])
            if self._problem is not None:
                raise self._problem
            if not self._under_way:
                return
            self._ended.clear()
            await self._ended.wait()

    def hear(self, finished: Finished) -> None:
        """Hand over the record of a finished match."""
        if finished.plan.trial:  # of a bot on probation, against house bots
            return
        self._under_way -= 1
        self._ended.set()
        try:
            record = record_text(finished.played)
            self._finished(PlayedRecord(finished.id, finished.results, record))
        except Exception as problem:  # noqa: BLE001 -- whoever waits must know, or would never wake
            self._problem = problem
