"""The end of a child is always seen, whoever reads what it says, and whoever holds its pipes."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from paddock_server.programs.child import start_child
from tests.hosting.handed_in import run

FLOOD = "while :; do echo flood; echo flood >&2; done"
MEGABYTES = "import sys; sys.stdout.write('x' * 4_000_000); sys.stdout.write('last'); sys.exit(5)"
PIPE = asyncio.subprocess.PIPE


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_a_flood_that_nobody_reads_hides_no_end(sign: signal.Signals) -> None:
    async def scene() -> int:
        child = await start_child("sh", "-c", FLOOD, stdout=PIPE, stderr=PIPE)
        waiting = asyncio.create_task(child.wait())  # which asks before the end
        pipe = child._transport.get_pipe_transport(1)  # type: ignore[attr-defined]
        while pipe.is_reading():  # noqa: ASYNC110 -- until the reader has enough
            await asyncio.sleep(0)
        child.send_signal(sign)
        return await waiting

    assert run(scene()) == -sign


def test_nothing_is_lost_that_is_read_in_time() -> None:
    async def scene() -> tuple[bytes, int]:
        child = await start_child(sys.executable, "-c", MEGABYTES, stdout=PIPE)
        assert child.stdout is not None
        said = await child.stdout.read()
        return said, await child.wait()

    said, code = run(scene())
    assert (len(said), said[-4:], code) == (4_000_004, b"last", 5)


def test_what_was_in_the_pipes_at_the_end_can_be_read_after_it() -> None:
    async def scene() -> bytes:
        child = await start_child("sh", "-c", "printf 'last words'; exit 3", stdout=PIPE)
        assert await child.wait() == 3
        assert child.stdout is not None
        return await child.stdout.read()

    assert run(scene()) == b"last words"


def test_a_daemon_that_holds_its_pipes_hides_no_end() -> None:
    async def scene() -> tuple[int, int]:
        script = "sleep 1000 & echo $!; read end; exit 4"
        child = await start_child("sh", "-c", script, stdin=PIPE, stdout=PIPE)
        assert child.stdout is not None
        assert child.stdin is not None
        waiting = asyncio.create_task(child.wait())
        daemon = int(await child.stdout.readline())
        child.stdin.write(b"\n")
        return await waiting, daemon

    code, daemon = run(scene())
    try:
        assert code == 4
        os.kill(daemon, 0)  # it was there the whole time
    finally:
        with suppress(ProcessLookupError):
            os.kill(daemon, signal.SIGKILL)


def test_a_signal_takes_no_exit_code_from_whoever_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(self: object) -> None:
        raise AssertionError(f"{self} was looked at")

    async def scene() -> list[int]:
        codes = []
        for end in ("terminate", "kill"):
            child = await start_child("sleep", "60")
            with monkeypatch.context() as patched:
                patched.setattr(subprocess.Popen, "poll", looked)
                getattr(child, end)()
                codes.append(await child.wait())
                child.kill()  # which nobody hears
        return codes

    assert run(scene()) == [-signal.SIGTERM, -signal.SIGKILL]
