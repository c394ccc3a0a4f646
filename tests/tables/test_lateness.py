"""How late the loop itself was: nobody is charged for it, and time never runs backwards."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.tables.lateness import Lateness

TICK = 0.01  # every so often it looks


class Loop:
    """A loop and a clock that stand still or go on as they are told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 7000.0
        self.waited = 0.0  # that its thread waited for a processor since the last tick
        self._due: list[tuple[float, Callable[[], None], Any]] = []
        time = SimpleNamespace(monotonic=lambda: self.now)
        asyncio = SimpleNamespace(get_running_loop=lambda: self)
        monkeypatch.setattr("paddock_server.tables.lateness.time", time)
        monkeypatch.setattr("paddock_server.tables.lateness.asyncio", asyncio)
        delay = SimpleNamespace(since_last=self._since_last, close=lambda: None)
        monkeypatch.setattr("paddock_server.tables.lateness.RunDelay", lambda: delay)

    def _since_last(self) -> float:
        waited, self.waited = self.waited, 0.0
        return waited

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


def test_a_loop_that_is_starved_again_and_again_charges_almost_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, lateness = Loop(monkeypatch), Lateness()
    lateness.start()
    before = lateness.now()
    for _ in range(50):
        loop.stall(0.049)
    after = lateness.now()
    assert after.at - before.at == pytest.approx(50 * 0.049)
    assert after.fair - before.fair == pytest.approx(50 * TICK)


def test_what_is_read_while_a_tick_is_overdue_counts_as_of_the_last_tick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, lateness = Loop(monkeypatch), Lateness()
    lateness.start()
    loop.run(1.0 + TICK / 2)  # the last tick was on time, and the next is not due
    ticked = lateness.now()
    assert lateness.arrival() == ticked == (loop.now, loop.now)
    loop.now += 3.0  # it may have been there all the time
    assert lateness.arrival().at == loop.now
    assert lateness.arrival().fair == pytest.approx(ticked.fair, abs=TICK + 1e-9)
    assert lateness.arrival().fair < lateness.now().fair
    loop.stall(0.0)
    assert lateness.arrival() == lateness.now()


def test_waiting_for_a_processor_counts_although_no_tick_is_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, lateness = Loop(monkeypatch), Lateness()
    lateness.start()
    loop.waited = 0.002
    loop.run(TICK)
    assert lateness.total == pytest.approx(0.002)
    loop.waited = 1.0  # no more than there was
    loop.run(TICK)
    assert lateness.total == pytest.approx(0.002 + TICK)
    loop.waited = 0.001  # it is part of the same lateness
    loop.stall(0.5)
    assert lateness.total == pytest.approx(0.002 + 0.5)


def test_a_stall_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, lateness = Loop(monkeypatch), Lateness()
    lateness.start()
    loop.run(1.0)
    before = lateness.now()
    loop.stall(5.0)
    after = lateness.now()
    assert after.at - before.at == pytest.approx(5.0)
    assert 0.0 <= after.fair - before.fair <= TICK + 1e-9
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
    assert during.fair == pytest.approx(7000.0 + TICK)


@given(
    many=st.lists(
        st.tuples(st.sampled_from(["run", "stall", "look", "wait"]), st.integers(0, 300)),
        max_size=60,
    )
)
def test_fair_time_never_runs_backwards_nor_faster_than_time(many: list[tuple[str, int]]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        loop, lateness = Loop(monkeypatch), Lateness()
        lateness.start()
        last = lateness.now()
        lost = 0.0
        waiting = False
        for what, ms in many:
            if what == "run":
                loop.run(ms / 1000)
            elif what == "stall":
                loop.stall(ms / 1000)
                lost += ms / 1000
            elif what == "wait":  # as a tick finds out when its interval is over
                loop.waited = ms / 1000
                waiting = waiting or ms > 0
            else:
                loop.now += ms / 1000
                lost += ms / 1000
            now = lateness.now()
            assert now.at == loop.now
            assert now.fair <= now.at
            assert -1e-9 <= now.fair - last.fair <= now.at - last.at + 1e-9
            last = now
        # It never forgives more than the loop stood still.
        assert waiting or last.at - last.fair <= lost + 1e-6


def test_what_a_tick_learns_afterwards_does_not_turn_time_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, lateness = Loop(monkeypatch), Lateness()
    lateness.start()
    loop.waited = TICK / 2
    loop.run(TICK * 0.9)
    before = lateness.now()
    loop.run(TICK * 0.1)
    assert lateness.now() == (loop.now, before.fair)
    loop.waited = 0.0
    loop.run(TICK)
    assert lateness.now().fair == pytest.approx(loop.now - TICK / 2)


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
