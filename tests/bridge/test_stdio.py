"""`--stdio`: the bridge plays for a program that somebody else started."""

import asyncio
import os
import sys
from pathlib import Path

from tests.bridge.arena import ROOT, faults_of, run, serving

BOTS = ["mine", "house-random", "house-greedy"]
FIRST = 'while read -r line; do case $line in *\'"type":"ask"\'*) echo 0;; esac; done'


def test_a_program_of_somebody_else_plays(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as arena:
            program, bridge = await _joined(arena.address, FIRST)
            (record,) = await arena.play(BOTS, "summer")
            assert set(faults_of(record)) == {None}
            bridge.terminate()
            assert await bridge.wait() == 0
            assert await program.wait() == 0  # by the end of its input

    run(scene())


def test_the_bridge_ends_with_the_program(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as arena:
            program, bridge = await _joined(arena.address, "echo bye")
            assert await program.wait() == 0
            assert await bridge.wait() != 0
            assert bridge.stderr is not None
            said = (await bridge.stderr.read()).decode()
            assert "the bot closed its output; the last it said was 'bye'" in said
            assert "Traceback" not in said

    run(scene())


async def _joined(
    address: str, script: str
) -> tuple[asyncio.subprocess.Process, asyncio.subprocess.Process]:
    """A program and its bridge, each with its stdin at the other's stdout."""
    to_program, from_bridge = os.pipe()
    to_bridge, from_program = os.pipe()
    program = await asyncio.create_subprocess_exec(
        "sh", "-c", script, stdin=to_program, stdout=from_program
    )
    bridge = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "paddock.bridge", "--stdio", "--name", "mine", "--server", address,
        stdin=to_bridge, stdout=from_bridge, stderr=asyncio.subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    for pipe in (to_program, from_bridge, to_bridge, from_program):
        os.close(pipe)
    return program, bridge
