"""Bots that are started: kept running, and never left behind."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paddock_server.programs import processes, tether
from paddock_server.programs.processes import BotProgram, Kennel
from tests.server.process import GUARD_S, patiently, until

SLEEPER = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(999)"


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def pid_in(path: Path) -> int:
    return int(until(str(path), lambda: path.exists() and path.read_text()))


def test_what_is_tethered_ends_with_who_holds_the_pipe(tmp_path: Path) -> None:
    """A shell and what it started end when the pipe does: so they do when its holder is killed."""
    script = f'{sys.executable} -c "{SLEEPER}" child & {sys.executable} -c "{SLEEPER}" other; :'
    held = subprocess.Popen(
        [sys.executable, tether.__file__, "sh", "-c", script],
        stdin=subprocess.PIPE,
        cwd=tmp_path,
    )
    pids = [pid_in(tmp_path / "child"), pid_in(tmp_path / "other")]
    assert all(map(alive, pids))
    assert held.stdin is not None
    held.stdin.close()
    held.wait(60)
    until("both are gone", lambda: not any(map(alive, pids)))


def test_an_exit_code_comes_through(tmp_path: Path) -> None:
    for command, code in ((["sh", "-c", "exit 7"], 7), ([str(tmp_path / "none")], 127)):
        held = subprocess.Popen(
            [sys.executable, tether.__file__, *command],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with held:
            assert held.wait(60) == code


def test_a_bot_that_ends_is_started_again_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_PAUSE_SECONDS", 0.0)
    count = tmp_path / "count"
    ends = f"open({str(count)!r}, 'a').write('x'); print('it hurts')"
    told: list[str] = []

    async def test() -> None:
        kennel = Kennel([BotProgram("dies", (sys.executable, "-c", ends))], {}, told.append)
        await kennel.open()
        await kennel.arrive(_dies)
        async for _ in patiently():
            if told and "not started again" in told[-1]:
                break
        await kennel.close()

    asyncio.run(test())
    assert count.read_text() == "xxxxxx"  # once, and five times again
    assert [each.splitlines()[-1] for each in told] == ["it is started again"] * 5 + [
        "it is not started again"
    ]
    assert all("it hurts" in each for each in told)


async def _dies() -> list[str]:
    """Who is connected."""
    return ["dies"]


async def _nobody() -> list[str]:
    return []


def test_what_is_not_there_can_not_be_started(tmp_path: Path) -> None:
    plain = tmp_path / "plain.sh"
    plain.write_text("#!/bin/sh\n")
    cases = {
        "/nowhere/at/all": "bot can't be started: program '/nowhere/at/all' not found; give",
        str(plain): f"bot can't be started: '{plain}' is not executable; chmod +x it",
    }

    async def test(command: str) -> str:
        kennel = Kennel([BotProgram("bot", (command,))], {}, pytest.fail)
        await kennel.open()
        assert await kennel.arrive(_nobody) == []
        await kennel.close()
        return str(kennel.failed["bot"])

    for command, words in cases.items():
        assert asyncio.run(test(command)).startswith(words)


def test_a_bot_that_ends_before_it_connects_is_not_started_again(tmp_path: Path) -> None:
    count = tmp_path / "count"
    ends = f"open({str(count)!r}, 'a').write('x'); raise SystemExit('it hurts')"

    async def test() -> str:
        kennel = Kennel([BotProgram("dies", (sys.executable, "-c", ends))], {}, pytest.fail)
        await kennel.open()
        await kennel.arrive(_nobody)
        await kennel.close()
        return str(kennel.failed["dies"])

    failure = asyncio.run(test())
    assert failure.startswith("dies ended with 1 before it connected")
    assert failure.endswith("it said:\n  it hurts")
    assert count.read_text() == "x"


def test_the_kennel_can_be_closed_at_any_moment(tmp_path: Path) -> None:
    """Also in the middle of a start."""

    async def test(pauses: int) -> None:
        entries = [
            BotProgram(f"{name}{pauses}", (sys.executable, "-c", SLEEPER, str(tmp_path / name)))
            for name in "ab"
        ]
        kennel = Kennel(entries, {}, pytest.fail)
        await kennel.open()
        for _ in range(pauses):
            await asyncio.sleep(0)
        async with asyncio.timeout(GUARD_S):
            await kennel.close()

    for pauses in range(8):
        asyncio.run(test(pauses))
    pids = [int(path.read_text() or 0) for path in tmp_path.iterdir()]
    assert not any(alive(pid) for pid in pids if pid)


def test_closing_the_kennel_ends_its_bots(tmp_path: Path) -> None:
    async def test() -> list[int]:
        entries = [
            BotProgram(name, (sys.executable, "-c", SLEEPER, str(tmp_path / name))) for name in "ab"
        ]
        kennel = Kennel(entries, {}, pytest.fail)
        await kennel.open()
        async for _ in patiently():
            if all((tmp_path / name).exists() and (tmp_path / name).read_text() for name in "ab"):
                break
        pids = [int((tmp_path / name).read_text()) for name in "ab"]
        assert all(map(alive, pids))
        await kennel.close()
        return pids

    assert not any(map(alive, asyncio.run(test())))
