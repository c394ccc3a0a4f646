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
LIMITS = JailLimits(memory_mb=256, processes=40, wall_seconds=60)


class Outcome(NamedTuple):
    """What an attack printed, and how its jail ended."""

    said: Any
    code: int
    because: str


def attack(
    *words: str, limits: JailLimits = LIMITS, binds: tuple[Bind, ...] = (), cpu: Cpu = Cpu()  # noqa: B008
) -> Confined:  # fmt: skip
    """An attack as a program for a jail."""
    command = (sys.executable, "/bot/attacks.py", *words)
    return Confined(command, python(), (ATTACKS, *binds), limits=limits, cpu=cpu)


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
