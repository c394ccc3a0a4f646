"""The share of a processor (hostile submissions 11 and 13): each jail has the same.

All is counted by the control groups: no test here depends on how fast or how busy the machine is.
"""

import asyncio
import os
import time

import pytest

from paddock_server.jails.confined import Cpu
from paddock_server.jails.jail import JailedProcess, Jails
from paddock_server.jails.means import find_means
from paddock_server.jails.processes import Waits, kept_between
from tests.jails.trying import LIMITS, attack

COUNTED_S = 3.0  # of processor time, which all jails together get while it is counted
MODEST = ("spin", "1")
GREEDY = ("spin", "8")
BOMB = ("forks",)


def counted(*attacks: tuple[str, ...], last: tuple[str, ...] = ()) -> list[tuple[Waits, Waits]]:
    """What attacks on one processor used and waited for: when all were at it, and later.

    `last` is the one that gets only what others leave.
    """
    found = find_means().controllers.found
    counting = "cpuacct" in found or ("cpu" in found and found["cpu"].version == 2)
    if not {"cpu", "cpuset"} <= found.keys() or not counting:
        pytest.skip("needs the cgroup controllers cpu and cpuset; see paddock runner doctor")
    jails = Jails()
    try:
        return asyncio.run(_counted(jails, attacks, last))
    finally:
        jails.close()


async def _counted(
    jails: Jails, attacks: tuple[tuple[str, ...], ...], last_one: tuple[str, ...]
) -> list[tuple[Waits, Waits]]:
    cpu = Cpu(cores=(min(os.sched_getaffinity(0)),))
    bots = [await _begun(jails, words, cpu._replace(last=words == last_one)) for words in attacks]
    try:
        first = [_waits(bot) for bot in bots]
        while True:
            await asyncio.sleep(0.05)
            last = [_waits(bot) for bot in bots]
            pairs = list(zip(first, last, strict=True))
            if sum(used(*pair) for pair in pairs) >= COUNTED_S:
                return pairs
    finally:
        for bot in bots:
            await bot.stop()


async def _begun(jails: Jails, words: tuple[str, ...], cpu: Cpu) -> JailedProcess:
    limits = LIMITS._replace(wall_seconds=None)
    bot = await jails.start(attack(*words, limits=limits, cpu=cpu), stdout=asyncio.subprocess.PIPE)
    assert bot.process.stdout is not None
    assert b"spinning" in await bot.process.stdout.readline()
    return bot


def _waits(bot: JailedProcess) -> Waits:
    cpu_seconds = bot.cpu_seconds()
    assert cpu_seconds is not None
    return Waits(time.monotonic(), cpu_seconds, bot.run_delay_seconds())


def used(first: Waits, last: Waits) -> float:
    """The processor time between them."""
    return last.cpu_seconds - first.cpu_seconds


def shares(found: list[tuple[Waits, Waits]]) -> list[float]:
    """The part that each had of what all had."""
    total = sum(used(*pair) for pair in found)
    return [used(*pair) / total for pair in found]


@pytest.mark.parametrize("words", [GREEDY, BOMB])
def test_a_jail_of_many_busy_processes_gets_half_beside_one_of_one(words: tuple[str, ...]) -> None:
    """Trap 8: it had ten times as much."""
    assert shares(counted(MODEST, words)) == pytest.approx([0.5, 0.5], abs=0.05)


def test_three_seats_on_one_core_get_a_third_each() -> None:
    assert shares(counted(MODEST, GREEDY, BOMB)) == pytest.approx([1 / 3] * 3, abs=0.05)


def test_the_last_one_gets_what_others_leave() -> None:
    """A build does not take from bots what they were promised."""
    assert shares(counted(GREEDY, MODEST, last=GREEDY))[0] < 0.1


def test_many_processes_that_wait_buy_no_time() -> None:
    modest, greedy = counted(MODEST, GREEDY)
    waited = [last.run_delay_seconds - first.run_delay_seconds for first, last in (modest, greedy)]
    assert waited[1] > 3 * waited[0]
    allowed = kept_between(*modest, share=0.5) + 0.1 * COUNTED_S
    assert kept_between(*greedy, share=0.5) <= allowed
