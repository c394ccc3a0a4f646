"""Attacks in real jails: what they print, and why they ended."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from paddock_server.jails.confined import Bind, Confined, Cpu, JailLimits
from paddock_server.jails.jail import JailedProcess, Jails
from paddock_server.jails.means import Means
from paddock_server.jails.toolchains import python

HERE = Path(__file__).parent
ATTACKS = Bind(HERE / "attacks.py", "/bot/attacks.py")
SOON = 20.0
LIMITS = JailLimits(memory_mb=256, processes=40, wall_seconds=60)


class Outcome(NamedTuple):
    """What an attack printed, and how its jail ended."""

    said: Any
    code: int
    because: str


def attack(
    *words: str, limits: JailLimits = LIMITS, binds: tuple[Bind, ...] = (),
    cpu: Cpu = Cpu(), forwarded: Path | None = None,  # noqa: B008
) -> Confined:  # fmt: skip
    """An attack as a program for a jail."""
    command = (sys.executable, "/bot/attacks.py", *words)
    seen = (ATTACKS, *binds)
    return Confined(command, python(), seen, limits=limits, cpu=cpu, forwarded=forwarded)


async def outcome(jails: Jails, what: Confined) -> Outcome:
    """Run a program in a jail to its end."""
    jail = await jails.start(what, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    try:
        text = await said(jail)
        code = await jail.wait()
    finally:
        await jail.stop()
    lines = text.decode(errors="replace").splitlines()
    try:
        return Outcome(json.loads(lines[-1]) if lines else None, code, jail.ended_because)
    except ValueError:
        return Outcome("\n".join(lines), code, jail.ended_because)


async def said(jail: JailedProcess) -> bytes:
    """All that a jail prints."""
    assert jail.process.stdout is not None
    return await jail.process.stdout.read()


def tried(*words: str, means: Means | None = None, **how: Any) -> Outcome:
    """The outcome of one attack in a jail of its own."""
    jails = Jails(means)
    try:
        return asyncio.run(outcome(jails, attack(*words, **how)))
    finally:
        jails.close()


def await_gone(pids: list[int]) -> None:
    """Wait until none of these processes runs."""
    deadline = asyncio.new_event_loop()
    try:
        end = deadline.time() + SOON
        while any(_runs(pid) for pid in pids):
            assert deadline.time() < end, [pid for pid in pids if _runs(pid)]
            deadline.run_until_complete(asyncio.sleep(0.02))
    finally:
        deadline.close()


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"  # a zombie waits for whoever is process 1 here
