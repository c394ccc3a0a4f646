"""The host's time: what a runner's machine keeps from a bot is told, and nothing else is."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.jails.confined import Confined
from paddock_server.jails.jail import Jails
from paddock_server.jails.means import find_means
from paddock_server.jails.processes import Waits, kept_between
from paddock_server.jails.toolchains import host
from paddock_server.wire.host_delay import add_host_delay, take_host_delay
from tests.hosting.stage import Stage
from tests.server.process import Process
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


def test_time_that_the_machine_kept_from_a_bot_is_not_charged(tmp_path: Path) -> None:
    """It needs 0.8 s of a core, gets half of one or less, and has 1.3 s."""
    found = find_means().controllers.found
    if "cpuacct" not in found and 2 not in {each.version for each in found.values()}:
        pytest.skip("needs a cgroup that counts processor time; see paddock runner doctor")
    core = min(os.sched_getaffinity(0))
    clock = CONFIG.replace("base = 30.0\nbank = 0.0", "base = 1.0\nbank = 0.3")
    with arena(tmp_path / "server", clock) as server:
        stage = Stage(server, tmp_path)
        with stage.accepting():
            stage.hand_in("thinker", THINKER)
        alone = ("--cores", str(core), "--slots", "1")
        with stage.runner("real", *alone), busy(core, tmp_path):
            (match,) = over(server, start(server, "thinker", "house-greedy"))
    assert is_clean(match), match
    timings = [each for each in _timings(match["record"]) if each.get("host_ms")]
    assert timings
    for each in timings:
        terms = each["lag_ms"] + each["host_ms"] + each["charge_ms"]
        assert terms <= each["ms"] + 0.01


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
