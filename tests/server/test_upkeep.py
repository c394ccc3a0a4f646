"""Standings are kept up to date beside play, survive kill -9, and never hurt anybody."""

import asyncio
import json
import logging
import resource
import secrets
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, update

from paddock.v1 import ladder_pb2, ladder_pb2_grpc, match_pb2
from paddock_server.standings import upkeep
from paddock_server.standings.pace import PLAYING, QUIET
from paddock_server.standings.upkeep import NotComputed, Upkeep
from paddock_server.store import epochs, standings
from paddock_server.store.database import Database
from paddock_server.store.schema import SEATS
from tests.server.organiser import Organiser
from tests.server.process import CALM, GUARD_S, Server, marked, patiently, sdk_bot, until
from tests.server.raw import connected
from tests.store.ladder import FORMAT, Played, played
from tests.store.opened import opened, read, write

GAME = "two-player"
BOTS = ("ada", "bob")
MATCHES = 25
NEVER, OFTEN = (f"standing_seconds = {seconds}\n{CALM}" for seconds in (0, 0.3))
PAIR = Played(("ada", "bob"), (1, 2), ("1", "1"))


def test_a_server_keeps_its_standings_and_shows_them_after_kill_9(
    tmp_path: Path, place: str
) -> None:
    mark = secrets.token_hex(16)
    server = Server(tmp_path, "--db", place, config=OFTEN, env={"MARK_OF_THE_TEST": mark})
    with server, sdk_bot(server, "ada"), sdk_bot(server, "bob", "greedy"):
        asyncio.run(play(server))
        first = until("a standing", lambda: standing(server))
        assert first.computed in page(server)["computed"]["at"]
        server.kill()  # and with it whatever it computes
        until("the end of all it started", lambda: not marked(mark))
        server.configure(NEVER)
        server.start()
        again = shown(server)
        assert (again.table, again.computed) == (first.table, first.computed)
        assert again.newer == MATCHES - again.matches
        server.kill()
        server.configure(OFTEN)
        server.start()
        late = until("a standing of all", lambda: standing(server, newer=0))
        assert late.matches == MATCHES
        assert [line.rank for line in late.standings] == [1, 2]
        assert [line.bot for line in late.standings] == ["bob", "ada"]
        values = page(server)
        assert (values["table"], values["computed"]["newer"]) == ("standing", 0)
        assert [row["bot"] for row in values["superiority"]] == ["bob", "ada"]
        assert values["superiority"][0]["chances"][1] > 0.5
        assert page(server, "?table=live")["table"] == "live"
        calibration = page(server, "/calibration")
        assert calibration["computed"] == values["computed"]
        assert 0 < calibration["figures"]["pairs"] <= MATCHES
        assert "Standing computed" in text(server, f"/ladder/{GAME}")
    assert "Traceback" not in server.said()


async def play(server: Server) -> None:
    """Have all matches played."""
    async with connected(server.address) as channel:
        organiser = Organiser(channel)
        await organiser.connected(*BOTS)
        await organiser.start(GAME, BOTS, MATCHES, seats=2)
        async for _ in patiently():
            if len(await organiser.all(match_pb2.MATCH_STATE_FINISHED)) == MATCHES:
                return


def shown(server: Server) -> Any:
    """The table that a server shows to who asks for nothing in particular."""

    async def ask() -> Any:
        async with connected(server.address) as channel:
            stub: Any = ladder_pb2_grpc.LadderServiceStub(channel)
            return await stub.ListStandings(ladder_pb2.ListStandingsRequest(format=GAME))

    return asyncio.run(ask())


def standing(server: Server, newer: int = MATCHES) -> Any:
    """The same, if it is a standing that lacks at most so many matches."""
    found = shown(server)
    there = found.table == ladder_pb2.LADDER_TABLE_STANDING and found.newer <= newer
    return found if there else None


def text(server: Server, address: str) -> str:
    """A page."""
    with urllib.request.urlopen(f"http://{server.http}{address}") as answer:
        found: str = answer.read().decode()
        return found


def page(server: Server, rest: str = "") -> Any:
    """The ladder's page for programs, or one below it."""
    return json.loads(text(server, f"/api/ladder/{GAME}{rest}"))


def test_what_fails_is_told_and_tried_again(
    place: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seats_of(connection: Connection, match: int) -> None:
        connection.execute(update(SEATS).values(match=match))

    async def test() -> None:
        changed = asyncio.Event()
        with opened(place) as database:
            (number,) = played(database, PAIR)
            write(database, seats_of, number + 1000)  # the match has lost its seats
            broken = upkept(database, place, 0.05, changed.set)
            with pytest.raises(NotComputed, match=f"{FORMAT}: KeyError") as failed:
                await broken.look()
            assert broken.cpu == failed.value.cpu > 0  # it is not tried again at once, either
            monkeypatch.setattr(upkeep, "TIMES_AS_LONG", 0)
            await broken.start()
            async for _ in patiently():
                if "tried again later" in caplog.text:
                    break
            assert not changed.is_set()
            await database.writer.write(lambda connection: seats_of(connection, number))
            await asyncio.wait_for(changed.wait(), 60)
            await broken.close()
            assert read(database, standings.stale) == []
            assert not await broken.look()

    asyncio.run(test())
    assert [record.levelno for record in caplog.records if record.name == "paddock.standings"] == [
        logging.ERROR
    ] * caplog.text.count("tried again later")


def upkept(
    database: Database, place: str, seconds: float, changed: Callable[[], None] = lambda: None
) -> Upkeep:
    """An upkeep of a server on which nobody plays."""
    return Upkeep(database, place, changed=changed, playing=lambda: False, seconds=seconds)


def test_only_the_process_of_the_standing_counts_for_the_pause_after_it(place: str) -> None:
    """A server has other processes, such as runners; what they took delays no standing."""
    busy = "import time\nwhile time.process_time() < 1: pass"

    def cpu_of_children() -> float:
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ended.ru_utime + ended.ru_stime

    async def look() -> None:
        with opened(place) as database:
            played(database, PAIR)
            now = upkept(database, place, 10.0)
            before = cpu_of_children()
            runner = await asyncio.create_subprocess_exec(sys.executable, "-c", busy)
            assert await now.look()
            assert await runner.wait() == 0
            assert 0 < now.cpu < cpu_of_children() - before - 0.9
            assert not await now.look()
            assert now.cpu == 0

    asyncio.run(look())


PACED = """
import os, sys, time
from paddock_server.standings.pace import Pace

part, burst = map(float, sys.argv[1:])
with Pace(part, burst):
    os.write(1, b"begun ")
    while True:
        begun, cpu = time.monotonic(), time.process_time()
        while time.process_time() < cpu + 0.1:
            pass
        part_of_core = (time.process_time() - cpu) / (time.monotonic() - begun)
        os.write(1, b"%f " % part_of_core)
"""


class Worker:
    """A process that works without end at a pace, and says what part of a core it had."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._orders, self._words = process.stdin, process.stdout

    def tell(self, order: bytes) -> None:
        """Say whether matches are open."""
        self._orders.write(order)
        self._orders.flush()

    def word(self) -> str:
        """The next thing that it says."""
        return b"".join(iter(lambda: self._words.read(1) or b" ", b" ")).decode()


@contextmanager
def working(part: float, burst: float) -> Iterator[Worker]:
    """A worker, which ends when nobody gives it orders any more."""
    command = [sys.executable, "-c", PACED, str(part), str(burst)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        worker = Worker(process)
        assert worker.word() == "begun"
        yield worker
        process.communicate(timeout=GUARD_S)
        assert process.returncode == 1


def test_a_computation_takes_a_small_part_of_a_core_while_matches_are_open() -> None:
    with working(part=0.2, burst=0.0) as worker:
        worker.tell(PLAYING)
        worker.word()  # it may have begun before it was told
        assert all(float(worker.word()) < 0.25 for _ in range(2))  # a busy machine makes it less


def test_a_computation_that_rests_goes_on_at_once_when_nobody_plays() -> None:
    with working(part=0.00001, burst=0.0) as worker:  # a look is followed by minutes of rest
        worker.tell(PLAYING)
        worker.tell(QUIET)
        assert worker.word()  # else the test would wait for hours


def test_a_short_computation_is_done_while_others_play() -> None:
    with working(part=0.00001, burst=1_000_000.0) as worker:
        worker.tell(PLAYING)
        assert all(worker.word() for _ in range(2))


def test_a_server_tells_the_process_that_matches_are_open(place: str) -> None:
    async def test() -> None:
        asked = asyncio.Event()

        def playing() -> bool:
            asked.set()
            return True

        with opened(place) as database:
            played(database, PAIR)
            standing, _ = await upkeep.computed(place, FORMAT, playing)
        assert standing.matches == 1  # a small ladder is done within the burst
        assert asked.is_set()

    asyncio.run(test())


def test_the_process_is_gone_when_the_server_stops(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = secrets.token_hex(16)
    monkeypatch.setenv("MARK_OF_THE_TEST", mark)

    async def test() -> None:
        with opened(place) as database:
            played(database, PAIR)
            kept = upkept(database, place, 0.01)
            await kept.start()
            async for _ in patiently():
                if marked(mark):
                    break
            await kept.close()
            assert not marked(mark)

    asyncio.run(test())


def test_other_constants_are_told_and_not_in_force(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        with opened(tmp_path / "paddock.db") as database:
            before = read(database, epochs.current, FORMAT)
            older = before.next(epochs.constants_of("dino-twist"), "of long ago", fitted=False)
            write(database, epochs.begin, older)
            await upkept(database, "", 0, pytest.fail).start()
            assert read(database, epochs.parameters_of, FORMAT) == older.parameters

    asyncio.run(test())
    (record,) = caplog.records
    assert (
        "rating constants differ from this Paddock's: the ladder summer keeps its own (epoch 2 "
        in record.message
    )
    assert record.message.endswith("until: paddock ladder recompute summer")
