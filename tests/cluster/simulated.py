"""A cluster in one process and in simulated time: the rooms of nodes over a bus in memory."""

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest

from paddock.v1 import arena_pb2
from paddock_games import PlayedMatch, Timing
from paddock_games.chance import digest_of
from paddock_server.cluster.cluster_tables import ClusterTables
from paddock_server.cluster.holder import Holder
from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import BUS
from paddock_server.cluster.node import Node, Parts
from paddock_server.cluster.owner import Owner
from paddock_server.cluster.reception import ClusterReception
from paddock_server.cluster.steward import Steward
from paddock_server.lobby.guest import Guest, Offer
from paddock_server.lobby.lobby import Lobby
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.clock import Clock
from paddock_server.referee.plan import Entrant
from paddock_server.store.database import Database
from paddock_server.store.nodes import NodeRow
from paddock_server.tables import lateness
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tables.notices import EndListener, Finished
from paddock_server.tables.tables import Tables
from tests.cluster.memory_bus import MemoryBus, Weather
from tests.simulation.clockwork import Clockwork, NoDelay
from tests.simulation.disk import Disk, database_on

# A nonce may take its time: one that a slow bus delays is not the subject here.
CLOCK: Final = Clock(base=1.0, bank=0.0, lag_allowance=0.0, nonce_wait=600.0)
FORMATS: Final = ("two-player", "summer", "winter", "dino-twist-small")
_JOIN: Final = (
    "INSERT INTO nodes (node, name, grpc, http, bus, state, beat) "
    "VALUES ({0}, 'node {0}', 'node-{0}:7911', '', 1, 'alive', '2027-01-01 00:00:00')"
)

Answer = Callable[["Bot", arena_pb2.Ask], None]


class Bot:
    """A bot whose choices follow from its name and what it sees, and from nothing else."""

    def __init__(self, name: str, answer: Answer | None = None, *, commits: bool = False) -> None:
        self.name = name
        self.entrant = Entrant(name, "1", f"{name}'s", sends_nonces=True, commits_nonces=commits)
        self.heard: list[arena_pb2.RefereeItem] = []
        self.at_once = 64  # matches
        self.stream: Stream | None = None
        self._answer = answer or at_once

    def dial(self, tables: Tables, reception: ClusterReception | None = None) -> None:
        """Connect: to a node, or to tables alone."""
        self.stream = Stream(self, tables, reception)
        if reception is not None:
            reception.entered(self.stream)

    def take(self, item: arena_pb2.RefereeItem) -> None:
        """Do as a bot does."""
        self.heard.append(item)
        stream, kind = self.stream, item.WhichOneof("item")
        if stream is None:
            return
        if kind == "match_started":
            match_id = item.match_started.match_id
            if self.entrant.commits_nonces and item.match_started.commit_nonces:
                stream.tables.digest(stream, match_id, digest_of(self.nonce(match_id)))
            else:
                stream.tables.nonce(stream, match_id, self.nonce(match_id))
        elif kind == "nonce_commitments":
            match_id = item.nonce_commitments.match_id
            stream.tables.nonce(stream, match_id, self.nonce(match_id))
        elif kind == "ask":
            self._answer(self, item.ask)

    def nonce(self, match_id: str) -> bytes:
        """Its part of the deal of a match."""
        return hashlib.sha256(f"{self.name} {match_id}".encode()).digest()[:16]

    def chosen(self, ask: arena_pb2.Ask) -> int:
        """The number of its choice."""
        seen = ask.view.SerializeToString(deterministic=True)
        return int.from_bytes(hashlib.sha256(self.name.encode() + seen).digest()) % len(ask.choices)

    def say(self, ask: arena_pb2.Ask, number: int) -> None:
        """Answer an ask, if it is connected."""
        if self.stream is not None:
            self.stream.tables.choice(self.stream, ask.ask_id, number)

    def of(self, kind: str) -> list[Any]:
        """All that it heard of a kind."""
        return [getattr(item, kind) for item in self.heard if item.WhichOneof("item") == kind]


def timings(played: PlayedMatch, bot: str) -> list[Timing]:
    """How long a bot took for each of its decisions, and its faults."""
    seat = [seated.bot for seated in played.match.seats].index(bot)
    return [step.timings[seat] for step in played.steps if seat in step.timings]


def at_once(bot: Bot, ask: arena_pb2.Ask) -> None:
    """Answer at once."""
    bot.say(ask, bot.chosen(ask))


def after(seconds: float) -> Answer:
    """Answer after a while."""

    def answer(bot: Bot, ask: arena_pb2.Ask) -> None:
        asyncio.get_running_loop().call_later(seconds, at_once, bot, ask)

    return answer


class Stream(Guest):
    """The stream of a bot at a node."""

    def __init__(self, bot: Bot, tables: Tables, reception: ClusterReception | None) -> None:
        super().__init__(secrets.token_hex(6), "", bot.entrant, Offer(FORMATS, bot.at_once))
        self.tables = tables
        self.reception = reception
        self.reasons: list[str] = []  # why it was ended
        self._bot = bot

    @property
    def waiting(self) -> int:
        return 0

    def send(self, item: bytes) -> None:
        for each in arena_pb2.PlayResponse.FromString(item).items:
            asyncio.get_running_loop().call_soon(self._arrive, each)

    def _arrive(self, item: arena_pb2.RefereeItem) -> None:
        if self._bot.stream is self:
            self._bot.take(item)

    def end(self, reason: str, sentence: str) -> None:
        del sentence
        if self._bot.stream is self:
            self._bot.stream = None
            self.reasons.append(reason)
            if self.reception is not None:
                asyncio.get_running_loop().call_soon(self.reception.left, self)

    def useless(self) -> None:
        pass

    def ping(self) -> None:
        pass

    def vouches(self, later: Callable[[bool], None]) -> bool:
        del later
        return True


class SimulatedNode:
    """The rooms of a node, without its doors and without its life."""

    def __init__(self, number: int, database: Database, weather: Weather) -> None:
        metrics = Metrics()
        self.row = NodeRow(
            node=number, name=f"node {number}", grpc=f"node-{number}:7911", http="", bus=BUS,
            state="alive", late=False,
        )  # fmt: skip
        self.node = Node(self._lead, lambda: None)
        self.link = self.node.link = Link(number, MemoryBus(weather), self.node)
        self.holder = Holder(self.link)
        self.local = LocalTables(Journal(database), metrics)
        self.ended: dict[str, PlayedMatch] = {}  # the matches that it played, by id
        self.local.listeners.append(EndListener(self._hear))
        self.tables = ClusterTables(self.link, self.local, self.holder, database)
        owner = Owner(self.link, self.local, self.holder, database, metrics)
        self.node.parts = Parts(self.holder, owner, self.tables)
        self.lobby = Lobby(database, self.tables, metrics, clock=CLOCK)
        self.steward = Steward(self.link, self.tables, self.holder, self.lobby)
        self.node.parts.steward = self.steward
        self.tables.guest = self.lobby.hall.find
        self.reception = ClusterReception(self.lobby, self.holder, self.local, database)

    async def _lead(self) -> None:
        await self.lobby.start()

    def _hear(self, finished: Finished) -> None:
        assert finished.played is not None
        assert finished.id not in self.ended, "it is over once"
        self.ended[finished.id] = finished.played

    def take(self, bot: Bot) -> None:
        """Let a bot in."""
        bot.dial(self.tables, self.reception)

    def drain(self) -> None:
        """Hand everything over; see ClusterServing."""
        self.reception.draining = True
        self.steward.resign()
        self.reception.dismiss_all(1000)

    def close(self) -> None:
        """Stop it dead."""
        self.link.close()
        self.lobby.stop()
        self.tables.stop()


class SimulatedCluster:
    """Some nodes, the first of which is the steward, and their bots."""

    def __init__(self, loop: Clockwork, path: Path, count: int, weather: Weather) -> None:
        self.loop = loop
        self.weather = weather
        self._path = path
        self._count = count
        self.nodes: dict[int, SimulatedNode] = {}
        loop.run_until_complete(self._start())

    async def _start(self) -> None:
        self.database = database_on(Disk(self._path, Random(self.weather.rng.random())))
        numbers = range(1, self._count + 1)
        for number in numbers:
            await self.database.writer.write(
                lambda connection, number=number: connection.exec_driver_sql(_JOIN.format(number))  # type: ignore[misc]
            )
            self.nodes[number] = SimulatedNode(number, self.database, self.weather)
        for node in self.nodes.values():
            node.link.start()
        self.nodes[1].node.leads()
        self.live(numbers)

    def live(self, numbers: Iterable[int]) -> None:
        """Let all nodes know which nodes live."""
        rows = [self.nodes[number].row for number in numbers]
        for row in rows:
            self.nodes[row.node].node.living(rows)

    def dial(self, bot: Bot, number: int) -> None:
        """Connect a bot to a node."""

        async def enter() -> None:
            self.nodes[number].take(bot)

        self.loop.run_until_complete(enter())

    def drain(self, number: int) -> None:
        """Drain a node; a second later it is gone, and the next one is the steward."""
        others = [each for each in self.nodes if each != number]
        self.nodes[number].drain()
        self.loop.call_later(0.9, self.live, others)
        if number == 1:
            self.loop.call_later(1.0, self.nodes[others[0]].node.leads)

    def begin(self, format_name: str, bots: Sequence[str], count: int = 1) -> list[str]:
        """Start matches."""
        work = self.nodes[1].lobby.add_matches(format_name, bots, count, seats=len(bots))
        return self.loop.run_until_complete(work)

    def pass_time(self, seconds: float) -> None:
        """Let time pass."""
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def play(self, so: Callable[[], bool], most: float = 3600.0) -> None:
        """Let time pass until this is so."""
        until = self.loop.now + most
        while not so():
            assert self.loop.now < until, "it never came"
            self.pass_time(0.05)

    @property
    def ended(self) -> dict[str, PlayedMatch]:
        """The matches that are over, by id."""
        return {id_: played for node in self.nodes.values() for id_, played in node.ended.items()}

    def close(self) -> None:
        """Stop all."""
        for node in self.nodes.values():
            node.close()
        self.database.close()


@contextmanager
def simulated_time(patch: pytest.MonkeyPatch) -> Iterator[Clockwork]:
    """An event loop in simulated time, by which tables measure."""
    loop = Clockwork()
    patch.setattr(lateness, "time", SimpleNamespace(monotonic=loop.time))
    patch.setattr(lateness, "RunDelay", NoDelay)
    try:
        yield loop
    finally:
        loop.close()
