"""Jails begin and end: whatever was started in one is gone when it is over."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paddock_server.jails.confined import CannotJail, Confined, JailLimits
from paddock_server.jails.controllers import Controllers
from paddock_server.jails.jail import JailedProcess, Jails
from paddock_server.jails.means import find_means
from paddock_server.jails.toolchains import host
from tests.jails.trying import SOON, attack, await_gone, outcome


def _shell(script: str, **limits: float) -> Confined:
    return Confined(
        ("/bin/sh", "-c", script), host(), folder="/", limits=JailLimits(**limits)  # type: ignore[arg-type]
    )  # fmt: skip


def _run(what: Confined) -> tuple[int, str]:
    jails = Jails()
    try:
        end = asyncio.run(outcome(jails, what))
    finally:
        jails.close()
    return end.code, end.because


def test_the_exit_code_is_that_of_the_program() -> None:
    assert _run(_shell("exit 7")) == (7, "")
    assert _run(_shell("kill -9 $$")) == (137, "")


def test_time_is_limited() -> None:
    assert _run(_shell("sleep 60", wall_seconds=0.3))[1] == "time 0.3 s"
    assert _run(_shell("while :; do :; done", cpu_seconds=1))[1] == "processor time 1 s"


def test_sigterm_reaches_the_program() -> None:
    async def run() -> int:
        jail = await Jails().start(
            _shell("trap 'exit 3' TERM; echo up; while :; do sleep 0.05; done"),
            stdout=asyncio.subprocess.PIPE,
        )
        assert jail.process.stdout is not None
        await jail.process.stdout.readline()
        await jail.stop(SOON)
        return await jail.wait()

    assert asyncio.run(run()) == 3


async def _with_daemon(jails: Jails) -> tuple[JailedProcess, list[int]]:
    """A jail with a forwarder, a daemon in it that ignores SIGTERM, and all its processes."""
    what = attack("daemon", forwarded=Path("/none"))
    jail = await jails.start(what, stdout=asyncio.subprocess.PIPE)
    assert jail.process.stdout is not None
    await jail.process.stdout.readline()
    return jail, list(jail.pids())


@pytest.mark.parametrize("groups", [True, False])
def test_nothing_is_left_after_a_stop(groups: bool) -> None:
    means = find_means()
    if not groups:
        missing = dict.fromkeys(("memory", "pids", "cpu", "cpuset"), "not here")
        means = means._replace(controllers=Controllers({}, missing))
    jails = Jails(means, slots=1)

    async def run() -> list[int]:
        jail, pids = await _with_daemon(jails)
        assert jail.usage().memory_bytes > 0
        with pytest.raises(CannotJail, match="all 1 slots for jails are taken"):
            await jails.start(attack("daemon"))
        await jail.stop()
        again = await jails.start(_shell("exit 0"))  # its slot is free
        assert await again.wait() == 0
        return pids

    pids = asyncio.run(run())
    jails.close()
    assert len(pids) >= 5  # bubblewrap outside and inside, forwarder, program, its daemon
    await_gone(pids)
    for controller in means.controllers.found.values():
        assert not list(controller.folder.glob(f"paddock-{os.getpid()}/*"))


def test_nothing_outlives_a_process_that_is_killed() -> None:
    program = (
        "import asyncio\n"
        "from tests.jails.test_jails import _with_daemon\n"
        "from paddock_server.jails.jail import Jails\n"
        "async def main():\n"
        "    _, pids = await _with_daemon(Jails())\n"
        "    print(*pids, flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    with parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        parent.send_signal(signal.SIGKILL)
    assert len(pids) >= 5
    await_gone(pids)
    # Groups that it left are swept up by whoever makes the next jail.
    assert _run(_shell("exit 0")) == (0, "")
    for controller in find_means().controllers.found.values():
        assert not (controller.folder / f"paddock-{parent.pid}").exists()
