"""The host's time: what a runner's machine keeps from a bot is told, and nothing else is."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.hosting import host_time
from paddock_server.hosting.host_time import HostTime
from paddock_server.jails.confined import Confined
from paddock_server.jails.jail import JailedProcess, Jails
from paddock_server.jails.means import find_means
from paddock_server.jails.processes import Waits, kept_between
from paddock_server.jails.toolchains import host
from paddock_server.wire.host_delay import add_host_delay, take_host_delay
from tests.hosting.stage import Stage
from tests.server.process import Process, until
from tests.submissions.arena import CONFIG, arena, is_clean, over, start

THINKER = """from paddock import run_from_command_line
from paddock.bots.greedy import GreedyBot
import sys, time
class Thinker(GreedyBot):
    thought = False
    def choose(self, ask):
        begun = time.thread_time()
        while not Thinker.thought and time.thread_time() - begun < 0.8:
            pass
        Thinker.thought = True
        return super().choose(ask)
sys.argv[1:] = []
run_from_command_line(Thinker())
"""
ENDS_ITS_RUNNER = """import os, signal, time
from paddock.bots.greedy import GreedyBot
class EndsItsRunner(GreedyBot):
    def choose(self, ask):
        os.kill(os.getppid(), signal.SIGKILL)  # which ends the bot, too
        time.sleep(600)
if "PROMISED" in os.environ:  # at a small runner
    from paddock import run
    run(EndsItsRunner())
"""
TIGHT = CONFIG.replace("base = 30.0\nbank = 0.0", "base = 1.0\nbank = 0.3")
FOUND = find_means().controllers.found


def test_what_is_kept_is_the_missing_share_and_never_more_than_the_wait() -> None:
    begun = Waits(10.0, 1.0, 2.0)
    assert kept_between(begun, Waits(11.0, 1.25, 2.5), share=1.0) == 0.5
    assert kept_between(begun, Waits(11.0, 1.75, 2.5), share=1.0) == 0.25
    assert kept_between(begun, Waits(11.0, 1.75, 9.0), share=0.5) == 0.0  # eight threads wait
    assert kept_between(begun, Waits(11.0, 1.0, 2.0), share=1.0) == 0.0  # it sleeps
    assert kept_between(begun, Waits(11.0, 1.25, 0.5), share=1.0) == 0.0  # its threads ended


@given(st.binary(), st.floats(0, 4000), st.floats(0, 4000))
def test_what_a_bot_adds_itself_means_nothing(frame: bytes, lie: float, kept: float) -> None:
    lying = add_host_delay(frame, lie)
    sent, told = take_host_delay(add_host_delay(lying, kept))
    assert sent == lying
    assert told == pytest.approx(kept, abs=1e-6)


class Busy:
    """A jail on a full machine: while its bot thinks it waits for a processor all the time."""

    def __init__(self) -> None:
        self.thinks = True
        self.looks = 0
        self._delay = 0.0

    def cpu_seconds(self) -> float:
        return 0.0

    def run_delay_seconds(self) -> float:
        self.looks += 1
        self._delay += 1000.0 * self.thinks
        return self._delay


def test_a_bot_that_says_pong_while_it_thinks_is_looked_at_until_it_sleeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else its time would be over, however long its machine keeps it waiting."""
    for name in ("_FIRST_SECONDS", "_NEXT_SECONDS"):
        monkeypatch.setattr(host_time, name, 0.0)

    async def scene() -> None:
        jail, told = Busy(), asyncio.Queue[float]()
        watch = HostTime(cast(JailedProcess, jail), 1.0, told.put_nowait)
        assert watch.said() == 0.0  # Hello: it was asked nothing
        watch.asked()
        assert watch.said() == 0.0  # before the first look
        first = await told.get()
        assert watch.said() >= first
        while not told.empty():
            told.get_nowait()
        assert await told.get() >= first
        jail.thinks = False
        for _ in range(9):  # turns of the event loop, in each of which there could be a look
            await asyncio.sleep(0)
        looks = jail.looks
        for _ in range(9):
            await asyncio.sleep(0)
        assert jail.looks == looks
        watch.asked()
        await told.get()
        watch.rest()

    asyncio.run(scene())


def test_processes_that_ended_count_against_a_bots_share() -> None:
    """Else a bot could have others use up its share, and end them before anybody looks."""
    script = "trap '' CHLD; (i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done) & wait; echo; cat"
    jails = Jails()

    async def scene() -> tuple[float | None, float]:
        jail = await jails.start(
            Confined(("/bin/sh", "-c", script), host(), folder="/"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert jail.process.stdout is not None
        await jail.process.stdout.readline()
        found = jail.cpu_seconds(), jail.usage().cpu_seconds
        await jail.stop()
        return found

    counted, seen = asyncio.run(scene())
    jails.close()
    if counted is None:
        pytest.skip("needs a cgroup that counts processor time; see paddock runner doctor")
    assert counted > 2 * seen


@contextmanager
def busy(core: int, folder: Path) -> Iterator[None]:
    """Four processes that want a core for themselves."""
    program = f"import os; os.sched_setaffinity(0, [{core}])\nwhile True: pass"
    with ExitStack() as stack:
        for number in range(4):
            log = folder / f"busy-{number}.log"
            stack.enter_context(Process(log, sys.executable, "-c", program))
        yield


needs_counting = pytest.mark.skipif(
    "cpuacct" not in FOUND and 2 not in {each.version for each in FOUND.values()},
    reason="needs a cgroup that counts processor time; see paddock runner doctor",
)


@needs_counting
def test_time_that_the_machine_kept_from_a_bot_is_not_charged(tmp_path: Path) -> None:
    """It needs 0.8 s of a core, gets half of one or less, and has 1.3 s."""
    core = min(os.sched_getaffinity(0))
    with arena(tmp_path / "server", TIGHT) as server:
        stage = Stage(server, tmp_path)
        with stage.accepting():
            stage.hand_in("thinker", THINKER)
        alone = ("--cores", str(core), "--slots", "1")
        with stage.runner("real", *alone) as runner:
            until("the runner", lambda: "connected" in runner.said())
            with busy(core, tmp_path):
                (match,) = over(server, start(server, "thinker", "house-greedy"))
    assert is_clean(match), match
    timings = [each for each in _timings(match["record"]) if each.get("host_ms")]
    assert timings
    for each in timings:
        terms = each["lag_ms"] + each["host_ms"] + each["charge_ms"]
        assert terms <= each["ms"] + 0.01


@needs_counting
def test_a_match_that_moves_to_a_smaller_share_is_not_charged_for_it(tmp_path: Path) -> None:
    """It began with a core of its own, and needs 0.8 s of it: what it waited for is given back.

    Of a quarter of a core it would have missed nothing before 3.2 s.
    """
    core = min(os.sched_getaffinity(0))
    with arena(tmp_path / "server", CONFIG) as server:
        stage = Stage(server, tmp_path)
        with stage.accepting() as small:
            stage.hand_in("thinker", ENDS_ITS_RUNNER + THINKER)
            ids = start(server, "thinker", "house-greedy")
            small.wait()
        shared = ("--cores", str(core), "--slots", "4")
        with stage.runner("real", *shared), busy(core, tmp_path):
            (match,) = over(server, ids)
    assert is_clean(match), match
    seats = {seat["bot"]: seat.get("cpu_share") for seat in match["record"]["seats"]}
    assert seats == {"thinker": 1.0, "house-greedy": None}
    thought = max(_timings(match["record"]), key=lambda each: each["ms"])
    waited = thought["ms"] - 800
    assert thought["host_ms"] > waited / 2 - 100  # it is told five times a second


def _timings(found: object) -> Iterator[dict[str, float]]:
    """All decisions in a record."""
    if isinstance(found, dict):
        if "lag_ms" in found:
            yield found
        for each in found.values():
            yield from _timings(each)
    elif isinstance(found, list):
        for each in found:
            yield from _timings(each)
