"""The bots of a simulation: sessions of the Python SDK over simulated streams."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple

from paddock import Ask, Bot, Match, Result
from paddock.bot_session import BotSession
from paddock.v1 import arena_pb2
from tests.simulation.network import Stream


class Kind(NamedTuple):
    """A kind of bot: how long it thinks, and how it misbehaves."""

    name: str
    thinks: tuple[float, float]  # seconds, from and to
    stalls: float = 0.0  # how often it thinks for longer than it may
    fails: float = 0.0  # how often `choose` raises
    talks: float = 0.0  # how often it also sends nonsense
    honest: bool = True  # whether no fault of it is allowed


KINDS: Final = (
    Kind("quick", (0.0, 0.02)),
    Kind("steady", (0.01, 0.4)),
    Kind("clumsy", (0.0, 0.1), fails=0.05),
    Kind("late", (0.0, 0.1), stalls=0.02, honest=False),
    Kind("hostile", (0.0, 0.05), talks=0.3),
)
STALL: Final = 40.0  # longer than a decision and the whole bank


class Ended(NamedTuple):
    """What a bot was told at the end of a match."""

    match_id: str
    totals: tuple[int, ...]
    ranks: tuple[int, ...]


class SimulatedBot(Bot):
    """A bot that thinks in simulated time, then chooses by lot."""

    max_matches = 3

    def __init__(self, kind: Kind, name: str, chance: Random) -> None:
        self.kind = kind
        self.label = name
        self.ended_matches: dict[str, Ended] = {}
        self.views: dict[int, set[bytes]] = {}  # by ask id
        self.stalls = 0
        self._chance = chance
        self._stream: Stream | None = None
        self._stopped = False
        sends_nonces = chance.random() < 2 / 3
        hello = arena_pb2.Hello(
            bot=name,
            version="1",
            client="simulation",
            protocol=1,
            max_matches=self.max_matches,
            sends_nonces=sends_nonces,
            commits_nonces=sends_nonces and chance.random() < 0.8,
        )
        self._session = BotSession(self, hello, lambda: None)

    async def choose(self, ask: Ask) -> Any:
        """One of the legal choices, after a while."""
        kind, chance = self.kind, self._chance
        seconds = chance.uniform(*kind.thinks)
        if chance.random() < kind.stalls:
            self.stalls += 1
            seconds = STALL
        await asyncio.sleep(seconds)
        if chance.random() < kind.fails:
            raise ZeroDivisionError("the simulated bot is clumsy")
        if chance.random() < kind.talks:
            self._talk_nonsense(ask.id)
        return chance.choice(ask.legal)

    async def ended(self, match: Match, result: Result) -> None:
        """Remember how a match ended."""
        seats = result.seats
        self.ended_matches[match.id] = Ended(
            match.id, tuple(s.total for s in seats), tuple(s.rank for s in seats)
        )

    async def play(self, dial: Callable[[Stream], None]) -> None:
        """Stay connected: dial again whenever the stream is over."""
        while not self._stopped:
            stream = self._stream = Stream(self._chance, self._receive)
            outbox = self._session.connect()
            dial(stream)
            sender = asyncio.create_task(self._send(stream, outbox))
            await stream.over.wait()
            self._session.disconnect()
            outbox.close()
            sender.cancel()
            await asyncio.sleep(self._chance.uniform(0.05, 0.4))

    async def _send(self, stream: Stream, outbox: Any) -> None:
        async for frame in outbox.frames():
            stream.say(frame.SerializeToString())

    def _receive(self, frame: arena_pb2.PlayResponse) -> None:
        for item in frame.items:
            if item.WhichOneof("item") == "ask":
                view = item.ask.view.SerializeToString(deterministic=True)
                self.views.setdefault(item.ask.ask_id, set()).add(view)
            self._session.receive(item)

    def _talk_nonsense(self, ask_id: int) -> None:
        """Say what answers nothing: stale, foreign and illegal choices, and unknown matches."""
        stream, chance = self._stream, self._chance
        if stream is None:
            return
        item = chance.choice(
            (
                arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=ask_id ^ 1, number=0)),
                arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=ask_id, number=4_000_000_000)),
                arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=chance.getrandbits(60), number=0)),
                arena_pb2.BotItem(resign=arena_pb2.Resign(match_id="no such match")),
                arena_pb2.BotItem(pong=arena_pb2.Pong(id=chance.getrandbits(30))),
                arena_pb2.BotItem(),
            )
        )
        stream.say(arena_pb2.PlayRequest(items=[item]).SerializeToString())

    def cut(self) -> None:
        """The line to the server breaks."""
        if self._stream is not None:
            self._stream.cut()

    async def stop(self) -> None:
        """Leave for good."""
        self._stopped = True
        self.cut()
        await self._session.close()
