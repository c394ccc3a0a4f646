"""A session: what waits for a bot, how much of it may, and how far away the bot is."""

import asyncio
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.v1 import arena_pb2
from paddock_server.lobby.budget import Budget
from paddock_server.lobby.limits import Limits
from paddock_server.lobby.session import Session, SessionEnd
from paddock_server.referee.plan import Entrant
from tests.lobby.outlet import Frames

LIMITS = Limits(frame_bytes=100, waiting_items=20, useless_items=5)


REX = Entrant("rex", "1", "ada", sends_nonces=True)


def session(limits: Limits = LIMITS, budget: Budget | None = None) -> Session:
    return Session(REX, ("summer",), 4, limits, budget or Budget(limits))


def reason(one: Session) -> str:
    """Why the session is over; empty while it is not."""
    return one.ended.reason if one.ended else ""


def told(one: Session) -> list[arena_pb2.RefereeItem]:
    """What waits for the bot, which is then not connected any more."""
    outlet = Frames()

    async def main() -> None:
        one.connect(outlet)
        one.disconnect()

    asyncio.run(main())
    return outlet.items


class Clock:
    """Time that passes when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 5000.0
        time = SimpleNamespace(monotonic=lambda: self.now)
        monkeypatch.setattr("paddock_server.lobby.session.time", time)


@settings(max_examples=100)
@given(sizes=st.lists(st.integers(1, 150), min_size=1, max_size=20))
def test_all_that_waits_comes_in_as_few_frames_as_fit(sizes: list[int]) -> None:
    async def main() -> None:
        one, outlet = session(), Frames()
        items = [bytes([number]) * size for number, size in enumerate(sizes)]
        for item in items:
            one.send(item)
        assert one.waiting == len(items)
        one.connect(outlet)
        assert one.waiting == 0
        left = list(items)
        for frame in outlet.sent:
            taken = [left.pop(0)]
            while left and len(b"".join([*taken, left[0]])) <= LIMITS.frame_bytes:
                taken.append(left.pop(0))
            assert frame == b"".join(taken)  # a single item may be larger than a frame
        assert not left

    asyncio.run(main())


def test_what_is_said_together_leaves_in_one_frame_a_turn_later() -> None:
    async def main() -> None:
        one, outlet = session(), Frames()
        one.connect(outlet)
        for number in range(3):
            one.send(b"a%d" % number)
            one.send(b"b")
            assert len(outlet.sent) == number
            await asyncio.sleep(0)
            assert outlet.sent[number:] == [b"a%db" % number]

    asyncio.run(main())


def test_what_can_not_leave_waits() -> None:
    async def main() -> None:
        one, outlet = session(), Frames()
        one.connect(outlet)
        outlet.ready = False
        for item in (b"a", b"b"):
            one.send(item)
            await asyncio.sleep(0)
        assert outlet.sent == []
        assert one.waiting == 2
        outlet.ready = True
        one.flush()
        assert outlet.sent == [b"ab"]

    asyncio.run(main())


def test_who_does_not_read_is_let_go() -> None:
    one = session()
    for _ in range(LIMITS.waiting_items):
        one.send(b"x" * 1000)
    assert reason(one) == ""
    one.send(b"one more")
    assert one.ended == SessionEnd(
        "reader/too_slow", "20 items wait unread; read the stream faster"
    )
    assert one.over.is_set()
    assert one.waiting == 0  # nothing is kept for nobody
    one.send(b"too late")
    assert one.waiting == 0


def test_who_reads_is_never_too_slow() -> None:
    async def main() -> None:
        one, outlet = session(), Frames()
        one.connect(outlet)
        for _ in range(100):
            for _ in range(LIMITS.waiting_items):
                one.send(b"x")
            await asyncio.sleep(0)
        assert one.ended is None
        assert len(b"".join(outlet.sent)) == 100 * LIMITS.waiting_items

    asyncio.run(main())


def test_the_first_reason_counts() -> None:
    one = session()
    one.end("session/replaced", "by another")
    one.end("", "")
    assert one.ended == SessionEnd("session/replaced", "by another")


def test_too_many_useless_items_end_a_session() -> None:
    one = session(budget=Budget(LIMITS, clock=lambda: 5000.0))
    for _ in range(LIMITS.useless_items):
        one.useless()
    assert reason(one) == ""
    one.useless()
    sentence = (
        "more than 5 useless items in ten seconds; answer each ask once, and come back in 1 s"
    )
    assert one.ended == SessionEnd("frame/flood", sentence)
    (item,) = told(one)
    assert (item.goodbye.reason, item.goodbye.return_after_ms) == ("frame/flood", 1000)


def test_a_large_frame_costs_as_much_as_many_items() -> None:
    one = session(budget=Budget(LIMITS, clock=lambda: 5000.0))
    one.received(60_000, 60)  # as much as its items may need
    assert reason(one) == ""
    one.received(8 * 1024, 1)
    assert reason(one) == "frame/flood"


def pinged(one: Session) -> int:
    """The id of the last ping that was sent."""
    one.ping()
    (*_, item) = told(one)
    assert item.WhichOneof("item") == "ping"
    return item.ping.id


@given(trips=st.lists(st.integers(0, 200).map(lambda n: n / 64), min_size=1, max_size=20))
def test_the_lag_is_the_quickest_of_the_last_five_round_trips(trips: list[float]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        clock, one = Clock(monkeypatch), session()
        assert one.lag == 0.0
        ids = set()
        for number, trip in enumerate(trips):
            ping = pinged(one)
            ids.add(ping)
            clock.now += trip
            one.pong(ping)
            assert one.lag == min(trips[max(0, number - 4) : number + 1])
        assert len(ids) == len(trips)


def test_a_pong_that_answers_nothing_measures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, one = Clock(monkeypatch), session()
    first = pinged(one)
    clock.now += 2.0
    one.pong(first)
    old = pinged(one)
    clock.now += 5.0
    new = pinged(one)
    for wrong in (first, old, 0, 999, 2**64 - 1):  # twice, too late, invented
        one.pong(wrong)
        assert one.lag == 2.0
    clock.now += 0.5
    one.pong(new)
    assert one.lag == 0.5
    assert reason(one) == ""
    one.pong(new)  # the sixth of them: five are allowed
    assert reason(one) == "frame/flood"


def test_a_lag_that_was_just_measured_is_not_measured_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, one = Clock(monkeypatch), session()
    for elapsed, waiting in ((0.0, 1), (4.5, 1), (0.5, 2), (0.0, 2)):
        clock.now += elapsed
        one.ping_after(5.0)
        assert one.waiting == waiting


def test_sessions_can_be_told_apart() -> None:
    sessions = [session() for _ in range(50)]
    assert len({one.id for one in sessions}) == 50
    assert len({one.resume_token for one in sessions}) == 50
