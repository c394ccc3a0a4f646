"""How late the loop itself was: nobody is charged for it, and time never runs backwards."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.tables.lateness import Lateness

TICK, BOUND = 0.02, 0.03  # every so often it looks, and so late a healthy loop may be


class Loop:
    """A loop and a clock that stand still or go on as they are told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 7000.0
        self._due: list[tuple[float, Callable[[], None], Any]] = []
        time = SimpleNamespace(monotonic=lambda: self.now)
        asyncio = SimpleNamespace(get_running_loop=lambda: self)
        monkeypatch.setattr("paddock_server.tables.lateness.time", time)
        monkeypatch.setattr("paddock_server.tables.lateness.asyncio", asyncio)

    def call_later(self, delay: float, callback: Callable[[], None]) -> Any:
        handle = SimpleNamespace(cancel=self._due.clear)
        self._due.append((self.now + delay, callback, handle))
        return handle

    @property
    def timers(self) -> int:
        return len(self._due)

    def run(self, seconds: float) -> None:
        """The loop does its work, each timer on time."""
        end = self.now + seconds
        while self._due and self._due[0][0] <= end:
            due, callback, _ = self._due.pop(0)
            self.now = max(self.now, due)
            callback()
        self.now = end

    def stall(self, seconds: float) -> None:
        """The loop is busy with something else; what was due comes when it is over."""
        self.now += seconds
        while self._due and self._due[0][0] <= self.now:
            self._due.pop(0)[1]()


def test_a_healthy_loop_is_never_late(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, lateness = Loop(monkeypatch), Lateness()
    lateness.start()
    for _ in range(100):
        loop.run(0.007)
        assert lateness.now() == (loop.now, loop.now)
    assert lateness.total == 0.0
    lateness.stop()
    assert loop.timers == 0


def test_what_is_within_the_bound_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, lateness = Loop(monkeypatch), Lateness()
    lateness.start()
    for _ in range(50):
        loop.stall(TICK + BOUND - 0.001)
        assert lateness.total == 0.0
        assert lateness.now().fair == loop.now


def test_a_stall_counts_for_all_that_is_beyond_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, lateness = Loop(monkeypatch), Lateness()
    lateness.start()
    loop.run(1.0)
    before = lateness.now()
    loop.stall(5.0)
    after = lateness.now()
    assert after.at - before.at == pytest.approx(5.0)
    # Up to a tick had passed before, and up to a tick and the bound are the loop's own.
    assert 0.0 <= after.fair - before.fair <= TICK + BOUND + 1e-9
    assert lateness.last == pytest.approx(5.0, abs=TICK)
    loop.run(1.0)
    later = lateness.now()
    assert later.fair - after.fair == pytest.approx(1.0)
    assert lateness.last == pytest.approx(0.0)


def test_a_stall_counts_already_while_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read before the overdue tick gets its turn is judged as what is read after it."""
    loop, lateness = Loop(monkeypatch), Lateness()
    lateness.start()
    loop.now += 3.0  # no callback has run
    during = lateness.now()
    loop.stall(0.0)
    after = lateness.now()
    assert during.at == after.at == loop.now
    assert during.fair == pytest.approx(after.fair)
    assert during.fair == pytest.approx(7000.0 + TICK + BOUND)


@given(
    many=st.lists(
        st.tuples(st.sampled_from(["run", "stall", "look"]), st.integers(0, 300)), max_size=60
    )
)
def test_fair_time_never_runs_backwards_nor_faster_than_time(many: list[tuple[str, int]]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        loop, lateness = Loop(monkeypatch), Lateness()
        lateness.start()
        last = lateness.now()
        lost = 0.0
        for what, ms in many:
            if what == "run":
                loop.run(ms / 1000)
            elif what == "stall":
                loop.stall(ms / 1000)
                lost += max(0.0, ms / 1000 - BOUND)
            else:
                loop.now += ms / 1000
                lost += ms / 1000
            now = lateness.now()
            assert now.at == loop.now
            assert now.fair <= now.at
            assert -1e-9 <= now.fair - last.fair <= now.at - last.at + 1e-9
            last = now
        # It never forgives more than the loop stood still.
        assert last.at - last.fair <= lost + 1e-6


def test_a_loop_that_nobody_watches_is_late_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, lateness = Loop(monkeypatch), Lateness()
    assert lateness.now() == (loop.now, loop.now)
    loop.stall(5.0)
    assert lateness.now() == (loop.now, loop.now)
    lateness.start()
    lateness.start()
    assert loop.timers == 1
    loop.stall(1.0)
    late = lateness.total
    assert late > 0.9
    lateness.stop()
    assert loop.timers == 0
    loop.stall(5.0)
    assert lateness.now() == (loop.now, loop.now - late)
    lateness.start()  # and what went by meanwhile does not count
    loop.run(1.0)
    assert lateness.now() == (loop.now, loop.now - late)
