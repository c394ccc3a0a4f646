"""The forwarder of a socket: what it may do, and how many connections it takes."""

import asyncio
import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from paddock_server.jails.jail import JailedProcess, Jails
from tests.jails.trying import LIMITS, attack, await_gone

ANYBODY = 54_321
HELD = 128  # connections that it passes on at once


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A listener in a folder that everybody may enter."""
    with tempfile.TemporaryDirectory() as name, socket.socket(socket.AF_UNIX) as listening:
        Path(name).chmod(0o755)
        listening.bind(f"{name}/socket")
        listening.listen(500)
        listening.settimeout(60)
        yield listening


def _forwarder(jail: JailedProcess) -> Path:
    """The folder in /proc of the forwarder of a jail."""
    for pid in jail.pids():
        place = Path(f"/proc/{pid}")
        if b"forwarder.py" in place.joinpath("cmdline").read_bytes():
            return place
    raise AssertionError("there is no forwarder")


def _status(place: Path) -> dict[str, list[str]]:
    lines = (place / "status").read_text().splitlines()
    return {name: value.split() for name, _, value in (line.partition(":") for line in lines)}


@pytest.mark.parametrize("owner", [os.getuid(), ANYBODY])
def test_it_may_do_nothing_but_connect_as_the_owner_of_the_socket(
    listener: socket.socket, owner: int
) -> None:
    path = Path(listener.getsockname())
    if os.geteuid() == 0:
        os.chown(path, owner, owner)
    elif owner == ANYBODY:
        pytest.skip("needs root")

    async def scene() -> int:
        jails = Jails()
        jail = await jails.start(attack("crowd", "1", forwarded=path), stdout=subprocess.PIPE)
        try:
            way, _ = await asyncio.to_thread(listener.accept)
            way.close()
            place = _forwarder(jail)
            status = _status(place)
            assert status["Uid"] == status["Gid"] == [str(owner)] * 4
            assert not status["Groups"] or os.geteuid() != 0
            assert {status[name][0] for name in ("CapInh", "CapPrm", "CapEff")} == {"0" * 16}
            assert status["NoNewPrivs"] == ["1"]
            limits = (place / "limits").read_text().splitlines()
            assert any(line.split()[:4] == ["Max", "processes", "0", "0"] for line in limits)
        finally:
            await jail.stop()
            jails.close()
        return int(place.name)

    await_gone([asyncio.run(scene())])


def test_a_crowd_waits_and_does_not_pile_up(listener: socket.socket) -> None:
    async def scene() -> None:
        jails = Jails()
        what = attack(
            "crowd", "250", limits=LIMITS._replace(files=400),
            forwarded=Path(listener.getsockname()),
        )  # fmt: skip
        jail = await jails.start(what, stdout=subprocess.PIPE)
        try:
            assert jail.process.stdout is not None
            assert await jail.process.stdout.readline() == b"250\n"
            first = [(await asyncio.to_thread(listener.accept))[0] for _ in range(HELD)]
            assert len(os.listdir(_forwarder(jail) / "fd")) < 2 * HELD + 32
            for way in first:
                way.close()
            for _ in range(250 - HELD):
                (await asyncio.to_thread(listener.accept))[0].close()
            assert await jail.wait() == 0
        finally:
            await jail.stop()
            jails.close()

    asyncio.run(scene())


def test_who_does_not_know_the_owner_is_nobody(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root")

    async def scene() -> list[str]:
        jails = Jails()
        jail = await jails.start(attack("daemon", forwarded=tmp_path / "none"), stdout=-1)
        try:
            assert jail.process.stdout is not None
            await jail.process.stdout.readline()
            return _status(_forwarder(jail))["Uid"]
        finally:
            await jail.stop()
            jails.close()

    assert asyncio.run(scene()) == ["65534"] * 4
