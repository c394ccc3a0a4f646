"""Bots that fail in every way there is, each at a table of its own, all at the same time.

Everybody else at those tables, and at tables beside them, plays on without a fault.
"""

import asyncio
import re
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import grpc.aio
import pytest

from paddock.v1 import arena_pb2, draftosaurus_pb2
from tests.server.organiser import Finished, Organiser
from tests.server.process import Process, Server
from tests.server.raw import Bot, anything, bots, connected, nothing, number, typed

# Two faults in a row forfeit. Good bots answer at once: five seconds are plenty for that.
HARSH = """
[clock]
base = 5.0
bank = 0.0
lag_allowance = 0.0
max_faults = 2
[limits]
useless_items = 100
"""

# A bot of the SDK that waits in its fourth decision, so that something can be done to it there.
WAITING = """
import os, time
from paddock import Bot, run
class Waiting(Bot):
    asked = 0
    def choose(self, ask):
        self.asked += 1
        if self.asked == 4:
            print("waiting", flush=True)
            while not os.path.exists("go"):
                time.sleep(0.01)
        return ask.legal[-1]
run(Waiting())
"""


class Room:
    """What a failing bot finds: a server, an organiser, and two good bots to play with."""

    def __init__(self, server: Server, channel: grpc.aio.Channel) -> None:
        self.server = server
        self.channel = channel
        self.organiser = Organiser(channel)

    async def against_good_ones(self, name: str) -> Finished:
        """The match of this bot against two that are good, at its end."""
        (match_id,) = await self.organiser.start("summer", [name, "good-1", "good-2"], seats=3)
        match = await self.organiser.finished(match_id)
        assert match.faults["good-1"] == match.faults["good-2"] == []
        assert match.replay.match.forfeited <= {match.bots.index(name)}
        return match

    async def fails(self, name: str, fault: str, played: int = 0) -> Finished:
        """The match of this bot, which makes so many choices, faults to the end, and is last."""
        match = await self.against_good_ones(name)
        assert match.faults[name] == [fault] * (12 - played), match.faults
        assert match.replay.match.forfeited == {match.bots.index(name)}
        assert match.summary.results[match.bots.index(name)].rank == 3
        return match

    async def bot(self, name: str, answer: Any = None) -> Bot:
        """A bot that has come in."""
        bot = Bot(self.channel, name, answer)
        await bot.enter()
        return bot


Failing: TypeAlias = Callable[[Room], Coroutine[Any, Any, Finished]]


async def silent(room: Room) -> Finished:
    bot = await room.bot("silent", nothing)
    match = await room.fails("silent", "TIMEOUT")
    assert len(bot.of("ask")) == 2  # then it was asked no more
    return match


async def late(room: Room) -> Finished:
    """The first answer comes when its step is over: it is stale, and the next ones count."""
    bot = await room.bot("late", nothing)
    playing = asyncio.create_task(room.against_good_ones("late"))
    ask = await bot.next("ask")
    await bot.next("happened")
    bot.answer = anything("late")
    second = await bot.next("ask", 1)
    bot.put(number(ask.ask_id, 0), *bot.answer(second))
    match = await playing
    assert match.faults["late"] == ["TIMEOUT"]
    (refused,) = bot.of("refused")
    assert (refused.ask_id, refused.reason) == (ask.ask_id, "choice/stale")
    return match


async def frozen(room: Room) -> Finished:
    async with _waiting(room.server, "frozen") as (process, folder):
        playing = asyncio.create_task(room.against_good_ones("frozen"))
        await process.will_say("waiting")
        process.signal(signal.SIGSTOP)
        (folder / "go").touch()
        match = await playing
    first, *rest = match.faults["frozen"]
    assert first == "TIMEOUT"
    assert set(rest) <= {"TIMEOUT", "DISCONNECTED"}  # keepalive notices it in the end
    assert len(rest) == 8
    assert match.replay.match.forfeited == {match.bots.index("frozen")}
    return match


async def killed(room: Room) -> Finished:
    async with _waiting(room.server, "killed") as (process, _):
        playing = asyncio.create_task(room.fails("killed", "DISCONNECTED", played=3))
        await process.will_say("waiting")
        process.kill()
        return await playing


@asynccontextmanager
async def _waiting(server: Server, name: str) -> AsyncIterator[tuple[Process, Path]]:
    folder = server.folder / name
    folder.mkdir()
    with Process(
        folder / "log",
        *(sys.executable, "-c", WAITING),
        PADDOCK_SERVER=server.address,
        PADDOCK_BOT=name,
    ) as process:
        await process.will_say("session opened")
        yield process, folder


async def illegal(room: Room) -> Finished:
    bot = await room.bot("illegal", lambda ask: [number(ask.ask_id, 9999)])
    match = await room.fails("illegal", "ILLEGAL")
    assert [refused.reason for refused in bot.of("refused")] == ["choice/illegal"] * 2
    assert "not one of the" in bot.of("refused")[0].sentence
    return match


async def illegal_but_well_formed(room: Room) -> Finished:
    """A choice that exists, and that no seat of the summer board can ever have."""
    winter = draftosaurus_pb2.DraftosaurusChoice(
        kind=draftosaurus_pb2.DRAFTOSAURUS_PHASE_PLACE,
        species=draftosaurus_pb2.SPECIES_T_REX,
        pen=draftosaurus_pb2.PEN_LOOKOUT,
    )
    choice = arena_pb2.GameChoice(draftosaurus=winter)
    bot = await room.bot("winter-coat", lambda ask: [typed(ask.ask_id, choice)])
    match = await room.fails("winter-coat", "ILLEGAL")
    assert {refused.reason for refused in bot.of("refused")} == {"choice/illegal"}
    return match


async def malformed(room: Room) -> Finished:
    def no_answer(ask: arena_pb2.Ask) -> list[arena_pb2.BotItem]:
        return [arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=ask.ask_id))]

    bot = await room.bot("malformed", no_answer)
    match = await room.fails("malformed", "MALFORMED")
    assert [refused.reason for refused in bot.of("refused")] == ["choice/malformed"] * 2
    assert {refused.ask_id for refused in bot.of("refused")} == {a.ask_id for a in bot.of("ask")}
    return match


async def nonsense(room: Room) -> Finished:
    """Choices of the right type that make no sense, one after the other."""
    kinds: Any = draftosaurus_pb2.DraftosaurusChoice
    senseless = [
        kinds(),
        kinds(kind=99, species=99, pen=99, slot=99),
        kinds(kind=draftosaurus_pb2.DRAFTOSAURUS_PHASE_OVER, species=1, pen=13),
        kinds(kind=draftosaurus_pb2.DRAFTOSAURUS_PHASE_PLACE, species=1),
        kinds(kind=draftosaurus_pb2.DRAFTOSAURUS_PHASE_PLACE, species=1, pen=13, slot=2**32 - 1),
    ]

    def answer(ask: arena_pb2.Ask) -> list[arena_pb2.BotItem]:
        choices = [arena_pb2.GameChoice(draftosaurus=choice) for choice in senseless]
        return [typed(ask.ask_id, choice) for choice in (*choices, arena_pb2.GameChoice())]

    bot = await room.bot("nonsense", answer)
    match = await room.fails("nonsense", "MALFORMED")
    assert [refused.reason for refused in bot.of("refused")] == ["choice/malformed"] * 12
    return match


async def corrected(room: Room) -> Finished:
    """Wrong answers that are put right in time cost nothing, and repetitions are ignored."""
    good = anything("corrected")

    def answer(ask: arena_pb2.Ask) -> list[arena_pb2.BotItem]:
        right = good(ask)
        return [
            number(ask.ask_id, 9999),
            arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=ask.ask_id)),
            *right,
            *right,
            number(ask.ask_id, 0),
        ]

    bot = await room.bot("corrected", answer)
    match = await room.against_good_ones("corrected")
    assert match.clean()
    wrong = [refused.reason for refused in bot.of("refused")]
    assert Counter(wrong)["choice/illegal"] == Counter(wrong)["choice/malformed"] == 12
    return match


async def thief(room: Room) -> Finished:
    """Answers to the asks of others change nothing for them."""
    seen: list[arena_pb2.Ask] = []

    def answer(ask: arena_pb2.Ask) -> list[arena_pb2.BotItem]:
        seen.append(ask)
        others = [number(ask.ask_id ^ bits, 0) for bits in range(1, 8)]
        return [*others, *anything(ask.ask_id)(ask)]

    bot = await room.bot("thief", answer)
    match = await room.against_good_ones("thief")
    assert match.clean()
    refused = bot.of("refused")
    assert {each.reason for each in refused if each.ask_id >> 3 == seen[0].ask_id >> 3} == {
        "choice/not_yours"
    }
    return match


async def flooding(room: Room) -> Finished:
    bot = await room.bot("flooding", nothing)
    playing = asyncio.create_task(room.fails("flooding", "DISCONNECTED"))
    await bot.next("ask")
    for _ in range(4):
        await bot.say(*[number(1, 0)] * 60)
    (await bot.ended()).must_be("frame/flood")
    return await playing


async def parrot(room: Room) -> Finished:
    """Repetitions are ignored, but not without end."""
    bot = await room.bot("parrot", nothing)
    playing = asyncio.create_task(room.fails("parrot", "DISCONNECTED", played=1))
    await bot.say(*[number((await bot.next("ask")).ask_id, 0)] * 150)
    (await bot.ended()).must_be("frame/flood")
    return await playing


FAILING: tuple[Failing, ...] = (
    silent, late, frozen, killed, illegal, illegal_but_well_formed, malformed, nonsense,
    corrected, thief, flooding, parrot,
)  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("faults"), config=HARSH) as server:
        yield server


def test_every_failing_bot_gets_its_fault_and_nobody_else_any(server: Server) -> None:
    async def play() -> None:
        async with (
            connected(server.address) as channel,
            connected(server.address) as failing,
            bots(server.address, ["good-1", "good-2", "good-3"]) as good,
        ):
            organiser = Organiser(channel)
            beside = await organiser.start("winter", [bot.name for bot in good], 30, seats=3)
            room = Room(server, failing)
            matches = await asyncio.gather(*(fail(room) for fail in FAILING))
            for match_id in beside:
                assert (await organiser.finished(match_id)).clean()
            for bot in good:
                assert not bot.of("refused")
            await _metrics_tell(server, matches)

    asyncio.run(play())


async def _metrics_tell(server: Server, matches: list[Finished]) -> None:
    """Every fault is counted by its kind, until its seat forfeits."""
    text = await asyncio.to_thread(server.metrics)
    counted = dict(re.findall(r'paddock_faults_total\{kind="(\w+)"\} ([0-9.]+)', text))
    expected = Counter[str]()
    for match in matches:
        for faults in match.faults_by_seat:
            expected.update(faults[:2])
    assert {kind: int(float(count)) for kind, count in counted.items()} == expected
