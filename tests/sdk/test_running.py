"""A bot as its author starts it: a process, with options, signals and an exit code."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import pytest

from tests.sdk import wire
from tests.sdk.referee import GUARD_S, Referee, referee

ROOT = Path(__file__).parents[2]
MINE = """
import threading
from paddock import Bot, run

class Mine(Bot):
    name = "mine"

    def choose(self, ask):
        if ask.match.id == "STUCK":
            threading.Event().wait()
        return ask.legal[0]

run(Mine())
print("the end")
"""

Script = Callable[[Referee, Process], Awaitable[None]]


def started(script: Script, *command: str) -> tuple[int, str, str]:
    """The exit code, output and errors of a bot's process that played against the script."""

    async def both() -> tuple[int, str, str]:
        async with asyncio.timeout(GUARD_S), referee() as one:
            paths = [ROOT / "clients" / "python", ROOT / "games"]
            environment = {
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(str, paths)),
                "PADDOCK_SERVER": one.address,
            }
            process = await asyncio.create_subprocess_exec(
                sys.executable, *command, env=environment, stdout=PIPE, stderr=PIPE
            )
            output = asyncio.create_task(process.communicate())
            scripted = asyncio.ensure_future(script(one, process))
            try:
                await asyncio.wait({output, scripted}, return_when=asyncio.FIRST_COMPLETED)
                if not scripted.done():
                    pytest.fail(f"the bot ended early: {output.result()[1].decode()}")
                await scripted
                out, err = await output
            finally:
                scripted.cancel()
                if process.returncode is None:
                    process.kill()
                    await process.wait()
            assert process.returncode is not None
            return process.returncode, out.decode(), err.decode()

    return asyncio.run(both())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_well(number: signal.Signals) -> None:
    async def script(one: Referee, process: Process) -> None:
        stream, _ = await one.welcomed()
        state = wire.first_state()
        stream.say(wire.started("M1", state), wire.started("STUCK", state))
        await stream.frame()
        stream.say(wire.ask("STUCK", 1, state), wire.ask("M1", 2, state))
        assert (await stream.item("choice")).ask_id == 2
        process.send_signal(number)
        await stream.hung_up()

    code, out, err = started(script, "-c", MINE)
    assert code == 0, err
    assert out.strip() == "the end"
    assert "Traceback" not in err


def test_a_refusal_ends_it_with_the_servers_sentence() -> None:
    async def script(one: Referee, process: Process) -> None:
        stream = await one.stream()
        stream.end(
            grpc.StatusCode.UNAUTHENTICATED,
            "auth/bad_token: This token is of no bot; ask the organiser for a new one.",
            "auth/bad_token",
        )

    code, out, err = started(script, "-c", MINE)
    assert code == 2
    assert "auth/bad_token: This token is of no bot; ask the organiser for a new one." in err
    assert "Traceback" not in err
    assert out == ""


@pytest.mark.parametrize("bot", ["random", "greedy", "careful", "monte_carlo"])
def test_the_sample_bots_play(bot: str) -> None:
    async def script(one: Referee, process: Process) -> None:
        stream, hello = await one.welcomed()
        assert (hello.bot, hello.max_matches) == ("named", 3)
        assert stream.metadata["authorization"] == "Bearer T"
        for form, seats in (("winter", 4), ("two-player", 2)):
            state = wire.first_state(form, seats)
            stream.say(wire.started(form, state))
            await stream.item("nonce")
            quick = wire.ask(form, seats, state)
            quick.ask.time_ms = 100
            stream.say(quick)
            choice = await stream.item("choice")
            assert choice.ask_id == seats
            assert choice.number < len(state.legal(0))
        process.terminate()

    options = ["--name", "named", "--max-matches", "3", "--token", "T", "--verbose"]
    code, _, err = started(script, "-m", f"paddock.bots.{bot}", *options)
    assert code == 0, err
    assert "Traceback" not in err


def test_wrong_settings_are_a_sentence() -> None:
    async def script(one: Referee, process: Process) -> None:
        pass

    code, _, err = started(script, "-m", "paddock.bots.random", "--server", "arena.example:1")
    assert code == 2
    assert "arena.example is another machine; write https://arena.example:1" in err
    assert "Traceback" not in err
