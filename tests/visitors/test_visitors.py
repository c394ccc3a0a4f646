"""Visitors share what play can spare: by address, by kind, and in a thread of their own."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.api.visiting import Visiting
from paddock_server.basics.errors import REASONS
from paddock_server.standings.ladders import Ladders
from paddock_server.store.database import Database
from paddock_server.visitors.address import UNKNOWN, visitor_at, visitor_of_peer
from paddock_server.visitors.admission import Admission, Kind, Most, TooMany
from paddock_server.visitors.gate import Gate
from paddock_server.visitors.limits import VisitorLimits
from paddock_server.visitors.pool import Pool, asked_by_visitor
from paddock_server.visitors.share import Share
from paddock_server.visitors.visitors import Visitors

ADDRESSES = {
    "192.0.2.7": "192.0.2.7",
    "::ffff:192.0.2.7": "192.0.2.7",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "2001:db8:1:2:ffff::1": "2001:db8:1:2::/64",
    "fe80::1%eth0": "fe80::/64",
    "": UNKNOWN,
    "nobody": UNKNOWN,
}
PEERS = {
    "ipv4:192.0.2.7:5000": "192.0.2.7",
    "ipv6:%5B2001:db8:1:2::1%5D:5000": "2001:db8:1:2::/64",
    "unix:": UNKNOWN,
    "": UNKNOWN,
}
MANY = Most(together=1000, per_address=1000)


class ManualClock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def share(clock: Callable[[], float], *, part: float = 0.1, playing: bool = True) -> Share:
    return Share(part, 1.0, lambda: playing, clock)


@pytest.mark.parametrize("host", ADDRESSES)
def test_a_household_is_one_visitor(host: str) -> None:
    assert visitor_at(host) == ADDRESSES[host]


@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_of_grpc_is_the_same_visitor(peer: str) -> None:
    assert visitor_of_peer(peer) == PEERS[peer]


# --- a share of a core ------------------------------------------------------------------------


@given(st.lists(st.floats(0.0, 0.5), min_size=1, max_size=50), st.floats(0.01, 1.0))
def test_who_waits_as_told_uses_no_more_than_the_share(costs: list[float], part: float) -> None:
    clock = ManualClock()
    account = share(clock, part=part)
    for cost in costs:
        clock.now += account.wait() * (1 + 1e-9) + 1e-9
        assert account.wait() == pytest.approx(0.0, abs=1e-6)
        clock.now += cost  # it takes as long as it costs
        account.spend(cost)
    allowed = 1.0 + part * clock.now + max(costs)
    assert sum(costs) <= allowed * (1 + 1e-6) + 1e-6


def test_nobody_waits_while_nobody_plays() -> None:
    clock = ManualClock()
    account = share(clock, playing=False)
    account.spend(1000.0)
    assert account.wait() == 0.0


# --- the gate ---------------------------------------------------------------------------------


def test_addresses_enter_in_rotation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock_server.visitors.gate._LEAST_WAIT", 0.0)

    async def enter() -> list[str]:
        playing = True
        gate = Gate(Share(1e-9, 0.0, lambda: playing, ManualClock()), MANY)
        gate._share.spend(1.0)
        entered: list[str] = []

        async def visit(address: str) -> None:
            await gate.enter(address)
            entered.append(address)

        visits = [asyncio.create_task(visit(who)) for who in ("a", "a", "a", "a", "b", "c", "b")]
        await asyncio.sleep(0)
        assert entered == []
        visits[1].cancel()  # it goes away, and nobody waits for it
        playing = False  # so the account is full again
        gate._open()
        await asyncio.wait(visits)
        return entered

    assert asyncio.run(enter()) == ["a", "b", "c", "b", "a", "a"]


def test_lines_at_the_gate_are_bounded_and_end_with_the_server() -> None:
    async def enter() -> None:
        gate = Gate(Share(1e-9, 0.0, lambda: True, ManualClock()), Most(3, 2))
        gate._share.spend(1.0)
        waiting = [asyncio.create_task(gate.enter(address)) for address in ("a", "a", "b")]
        await asyncio.sleep(0)
        with pytest.raises(TooMany) as of_address:
            await gate.enter("a")
        with pytest.raises(TooMany) as of_all:
            await gate.enter("c")
        assert (of_address.value.reason, of_all.value.reason) == ("visit/too_many", "visit/crowded")
        gate.close()
        ends = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(end, TooMany) for end in ends)
        with pytest.raises(TooMany):
            await gate.enter("c")

    asyncio.run(enter())


def test_refusals_have_a_status_for_both_protocols() -> None:
    assert REASONS["visit/too_many"][:2] == ("RESOURCE_EXHAUSTED", 429)
    assert REASONS["visit/crowded"][:2] == ("RESOURCE_EXHAUSTED", 503)


# --- admission --------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(Kind), st.sampled_from("abc"), st.booleans())))
def test_no_more_are_admitted_than_may_be(visits: list[tuple[Kind, str, bool]]) -> None:
    most = Most(together=4, per_address=2)
    admission = Admission(dict.fromkeys(Kind, most))
    here: list[tuple[Kind, str, Any]] = []
    for kind, address, leaves in visits:
        mine = [visit for visit in here if visit[:2] == (kind, address)]
        if leaves and mine:
            here.remove(mine[0])
            mine[0][2].__exit__(None, None, None)
            continue
        visit = admission.admitted(kind, address)
        together = sum(other[0] is kind for other in here)
        if len(mine) < most.per_address and together < most.together:
            visit.__enter__()
            here.append((kind, address, visit))
        else:
            with pytest.raises(TooMany):
                visit.__enter__()


# --- the thread -------------------------------------------------------------------------------


def test_visitors_never_occupy_the_threads_of_play(tmp_path: Path) -> None:
    """Forty slow visitors, and a bot's token is still looked up."""
    database = Database(str(tmp_path / "paddock.db"))
    pool = Pool(Share(0.1, 1.0, lambda: True))
    go = threading.Event()

    async def visit() -> str:
        asked_by_visitor(pool)
        return await database.read(lambda _: (go.wait(60), threading.current_thread().name)[1])

    async def play() -> tuple[str, list[str]]:
        visits = [asyncio.create_task(visit()) for _ in range(40)]
        await asyncio.sleep(0.05)
        looked_up = await asyncio.wait_for(
            database.read(lambda _: threading.current_thread().name), 30
        )
        go.set()
        return looked_up, await asyncio.gather(*visits)

    mine, theirs = asyncio.run(play())
    pool.close()
    database.close()
    assert mine not in theirs
    assert len(set(theirs)) == 1  # one thread for all of them


def test_a_server_that_stops_waits_for_no_visitor() -> None:
    async def stop() -> list[Any]:
        pool = Pool(Share(1e-9, 0.0, lambda: True))
        first = await pool.run(lambda: sum(range(10_000)))  # which takes years to pay back
        assert first == 49_995_000
        waiting = [asyncio.create_task(pool.run(int)) for _ in range(3)]
        await asyncio.sleep(0)
        pool.close()
        waiting.append(asyncio.create_task(pool.run(int)))  # who comes even later
        return await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 60)

    assert [type(end) for end in asyncio.run(stop())] == [TooMany] * 4


def test_standings_are_read_once_for_all_who_ask(tmp_path: Path) -> None:
    class Counting(Database):
        """A database that counts its queries."""

        looks = 0

        def look(self, look: Callable[..., Any], *arguments: Any) -> Any:
            """The result of a query."""
            self.looks += 1
            return super().look(look, *arguments)

    async def ask() -> int:
        database = Counting(str(tmp_path / "paddock.db"))
        ladders = Ladders(database)
        await asyncio.gather(*(ladders.table("winter") for _ in range(100)))
        await asyncio.gather(*(ladders.superiority("winter", 10) for _ in range(100)))
        database.close()
        return database.looks

    assert asyncio.run(ask()) == 2


# --- gRPC -------------------------------------------------------------------------------------


class Context:
    """A call from an address."""

    def __init__(self, address: str = "192.0.2.7") -> None:
        self._address = address

    def peer(self) -> str:
        """The address as gRPC has it."""
        return f"ipv4:{self._address}:5000"


class Details:
    """What a call is for."""

    def __init__(self, method: str) -> None:
        self.method = f"/paddock.v1.SomeService/{method}"
        self.invocation_metadata: tuple[tuple[str, str | bytes], ...] = ()


def test_queries_at_once_are_limited_by_address() -> None:
    async def query() -> None:
        limits = VisitorLimits(queries_per_address=2, queries=3)
        visiting = Visiting(Visitors(limits, 1, lambda: False))
        go = asyncio.Event()

        async def method(_request: Any, _context: Any) -> str:
            await go.wait()
            return "answer"

        async def handler(_details: Any) -> Any:
            return grpc.unary_unary_rpc_method_handler(method)

        ask = (await visiting.intercept_service(handler, Details("ListStandings"))).unary_unary
        asked = [asyncio.create_task(ask(None, Context())) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="too many queries from your address"):
            await ask(None, Context())
        asked.append(asyncio.create_task(ask(None, Context("192.0.2.8"))))
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="the server has too many queries"):
            await ask(None, Context("192.0.2.9"))
        organising = await visiting.intercept_service(handler, Details("AddBot"))
        asked.append(asyncio.create_task(organising.unary_unary(None, Context())))
        go.set()
        assert await asyncio.gather(*asked) == ["answer"] * 4

    asyncio.run(query())


def test_exports_at_once_are_limited_by_address() -> None:
    async def export() -> None:
        visiting = Visiting(Visitors(VisitorLimits(exports_per_address=1), 1, lambda: False))

        async def method(_request: Any, _context: Any) -> Any:
            for number in range(3):
                yield number

        async def handler(_details: Any) -> Any:
            return grpc.unary_stream_rpc_method_handler(method)

        handled = await visiting.intercept_service(handler, Details("ExportRecords"))
        first = handled.unary_stream(None, Context())
        assert await anext(first) == 0
        with pytest.raises(TooMany, match="too many exports from your address"):
            await anext(handled.unary_stream(None, Context()))
        assert [number async for number in first] == [1, 2]
        assert [number async for number in handled.unary_stream(None, Context())] == [0, 1, 2]

    asyncio.run(export())
