"""The tables behind their door: players of another kind, what they vouch for, what others see."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from paddock.v1 import arena_pb2
from paddock_games import game_of
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.clock import Clock
from paddock_server.referee.plan import Plan
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import NewMatch
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tables.notices import EndListener, Finished, MatchDealt, MatchStuck
from paddock_server.tables.tables import Tables
from tests.tables.far import FarPlayer

QUICK = Clock(base=0.05, bank=0.0, lag_allowance=0.0, max_faults=3, return_wait=600.0)
NONE, TIMEOUT = arena_pb2.FAULT_UNSPECIFIED, arena_pb2.FAULT_TIMEOUT
Test = Callable[[Tables, FarPlayer], Coroutine[Any, Any, None]]


@asynccontextmanager
async def one_table(path: Path, player: FarPlayer, clock: Clock) -> AsyncIterator[Tables]:
    """A match of this player and a house bot that has just begun."""
    database = Database(str(path / "tables.db"))
    tables = LocalTables(Journal(database), Metrics())
    bots = (player.entrant.bot, "house-random")
    plan = Plan("two-player", game_of("two-player").rules(None), bots, clock)
    (number,) = await database.writer.write(
        lambda connection: store.add_matches(connection, [NewMatch("M1", plan)])
    )
    tables.begin(number, "M1", plan, [player, None])
    try:
        yield tables
    finally:
        tables.stop()
        database.close()


def run(path: Path, test: Test, clock: Clock = QUICK) -> None:
    async def main() -> None:
        player = FarPlayer("far")
        async with asyncio.timeout(60), one_table(path, player, clock) as tables:
            await player.until(lambda: bool(player.asks))
            await test(tables, player)

    asyncio.run(main())


def answer(tables: Tables, player: FarPlayer, took: float | None = None) -> None:
    tables.choice(player, player.asks[-1].ask_id, 0, took)


async def answer_all(tables: Tables, player: FarPlayer) -> None:
    for count in range(1, 1000):
        await player.until(lambda wanted=count: len(player.asks) >= wanted)  # type: ignore[misc]
        answer(tables, player)


def test_a_seat_is_late_only_when_its_player_vouches(tmp_path: Path) -> None:
    async def test(tables: Tables, player: FarPlayer) -> None:
        await player.until(lambda: bool(player.probes))
        await asyncio.sleep(0.2)  # whatever time passes, nothing is judged, and it is asked once
        assert (len(player.probes), player.faults) == (1, [])
        player.probes[0](True)
        await player.until(lambda: player.faults == [TIMEOUT])

    run(tmp_path, test)


def test_an_answer_may_come_before_the_proof(tmp_path: Path) -> None:
    """Its holder says how long it took, so that the way here is not charged."""

    async def test(tables: Tables, player: FarPlayer) -> None:
        await player.until(lambda: bool(player.probes))
        answer(tables, player, took=0.02)
        await player.until(lambda: player.faults == [NONE])
        player.probes[0](True)  # of an ask that is over
        await player.until(lambda: len(player.probes) == 2)
        assert player.faults == [NONE]

    run(tmp_path, test)


def test_an_answer_that_took_too_long_is_late(tmp_path: Path) -> None:
    async def test(tables: Tables, player: FarPlayer) -> None:
        answer(tables, player, took=0.06)
        await player.until(lambda: player.faults == [TIMEOUT])

    run(tmp_path, test)


def test_who_is_cut_off_is_awaited_and_asked_again(tmp_path: Path) -> None:
    async def test(tables: Tables, player: FarPlayer) -> None:
        await player.until(lambda: bool(player.probes))
        player.probes[0](False)
        await asyncio.sleep(0.2)
        assert player.faults == []
        assert len(player.asks) == 1
        tables.back(player)
        first, again = player.asks
        assert (again.ask_id, again.time_ms) == (first.ask_id, 50)
        answer(tables, player)
        await player.until(lambda: player.faults == [NONE])

    run(tmp_path, test)


def test_who_comes_back_elsewhere_while_it_is_looked_for_is_asked_with_all_its_time(
    tmp_path: Path,
) -> None:
    async def test(tables: Tables, player: FarPlayer) -> None:
        await player.until(lambda: bool(player.probes))
        again = FarPlayer("far")
        tables.back(again)
        assert [ask.time_ms for ask in again.asks] == [50]
        answer(tables, again)
        await again.until(lambda: again.faults == [NONE])

    run(tmp_path, test)


@pytest.mark.parametrize("works", [True, False])
def test_who_goes_while_it_is_looked_for_is_judged_as_gone(tmp_path: Path, works: bool) -> None:
    async def test(tables: Tables, player: FarPlayer) -> None:
        await player.until(lambda: bool(player.probes))
        watcher = tables.watch("M1", from_now=True)
        assert watcher is not None
        tables.lost(player)
        player.probes[0](works)  # too late to matter
        assert await watcher.moved()
        again = FarPlayer("far")
        tables.back(again)
        await again.until(lambda: bool(again.asks))

    run(tmp_path, test)


def test_what_others_see_are_values(tmp_path: Path) -> None:
    async def test(tables: Tables, player: FarPlayer) -> None:
        watcher = tables.watch("M1", from_now=True)
        assert watcher is not None
        (match,) = tables.open_matches(9)
        assert tables.open_match("M1") == match == watcher.match
        assert (match.id, match.steps, match.points, match.results) == ("M1", 0, (0, 0), ())
        assert [entrant.bot for entrant in match.entrants] == ["far", "house-random"]
        assert not hasattr(match.table, "hands")
        assert tables.watch("M2") is None
        assert tables.open_match("M2") is None
        answer(tables, player)
        assert await watcher.moved()
        assert watcher.match.steps == 1
        watcher.leave()
        assert tables.watchers("M1") == 0

    run(tmp_path, test, Clock(base=600.0))


def test_listeners_hear_of_deal_and_end_whatever_others_do(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def dealt(self, _dealt: MatchDealt) -> None:
            raise RuntimeError("a bug at the deal")

        def stuck(self, _stuck: MatchStuck) -> None:
            raise AssertionError("nothing is stuck")

        def finished(self, _finished: Finished) -> None:
            raise RuntimeError("a bug at the end")

    class Hearing:
        def __init__(self) -> None:
            self.deals: list[MatchDealt] = []

        def dealt(self, dealt: MatchDealt) -> None:
            self.deals.append(dealt)

        def stuck(self, _stuck: MatchStuck) -> None:
            raise AssertionError("nothing is stuck")

        def finished(self, _finished: Finished) -> None:
            """Nothing: somebody else hears of that."""

    async def main() -> None:
        player, hearing = FarPlayer("far"), Hearing()
        async with asyncio.timeout(60), one_table(tmp_path, player, Clock(base=600.0)) as tables:
            over: asyncio.Future[Finished] = asyncio.get_running_loop().create_future()
            tables.listeners.extend([Broken(), hearing, EndListener(over.set_result)])
            playing = asyncio.create_task(answer_all(tables, player))
            finished = await over
            playing.cancel()
            assert len(tables) == 0
            (dealt,) = hearing.deals
            match = finished.played.match
            assert (dealt.id, dealt.plan, dealt.deal.seed) == (
                "M1",
                finished.plan,
                match.seed.hex(),
            )
            assert dealt.deal.nonces == tuple(seated.nonce.hex() for seated in match.seats)
            ranks = tuple(seat.rank for seat in finished.results)
            assert ranks == finished.played.ranks
            assert [seat.bot for seat in finished.results] == ["far", "house-random"]

    asyncio.run(main())
    assert "a bug at the deal" in caplog.text
    assert "a bug at the end" in caplog.text
