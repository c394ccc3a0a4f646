"""The traps of jails: each is an attack in a real jail, and each of them worked once."""

import asyncio
import errno
import json
import os
import platform
import socket
import threading
from pathlib import Path

import pytest

from paddock_server.jails.confined import Bind, Cpu, JailLimits
from paddock_server.jails.means import find_means
from paddock_server.jails.seccomp import FAMILIES
from paddock_server.jails.syscalls import CLONE3, REFUSED
from paddock_server.jails.watchdog import watch
from tests.jails.trying import LIMITS, tried

CANARY = "canary-5b1f"
GUARD_S = 60.0  # nothing is measured by it


def test_no_family_of_sockets_leads_to_the_host() -> None:
    """Trap 1: AF_VSOCK is in no network namespace."""
    for family, refused in tried("families").said.items():
        if int(family) not in FAMILIES:
            assert refused == "EAFNOSUPPORT", family


@pytest.mark.parametrize("forwarded", [None, Path("/none")])
def test_nothing_of_the_network_is_reached(forwarded: Path | None) -> None:
    with socket.socket() as server, socket.socket(socket.AF_UNIX) as abstract:
        server.bind(("127.0.0.1", 0))
        server.listen()
        abstract.bind(f"\0{CANARY}")
        abstract.listen()
        port = str(server.getsockname()[1])
        assert tried("network", port, CANARY, forwarded=forwarded).said == []


def test_no_process_tells_what_we_know(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Trap 2: process 1 of a jail keeps the environment and the arguments it was started with."""
    monkeypatch.setenv("PADDOCK_ORGANISER_TOKEN", CANARY)
    folder = tmp_path / CANARY
    folder.mkdir()
    bind = Bind(folder, "/bot/data")
    text = tried("secrets", binds=(bind,)).said
    assert "PATH=" in text
    assert "--args" in text
    # The kernel names what is mounted from where, below the root of its file system.
    told = [line for line in text.splitlines() if " - " not in line]
    assert CANARY not in "\n".join(told)
    assert all("pipe:" in name or "/dev/null" in name for name in tried("descriptors").said[:3])


def test_files_of_root_in_a_folder_that_is_shown_stay_unread(tmp_path: Path) -> None:
    """Trap 3: root outside is root inside, unless each jail has a uid of its own."""
    tmp_path.chmod(0o755)
    secret = tmp_path / "secret"
    secret.write_text(CANARY)
    secret.chmod(0o600)
    (tmp_path / "open").write_text("open")
    found = tried(
        "read", "/bot/data/secret", "/bot/data/open", "/etc/shadow", "/etc/passwd", "/root",
        "/home", "/var", "/run", "/sys/kernel", "/proc/kcore",
        binds=(Bind(tmp_path, "/bot/data"),),
    ).said  # fmt: skip
    assert found.pop("/bot/data/open") == "open"
    assert found.pop("/bot/data/secret") == "EACCES" or not find_means().uids.own
    root = found.pop("/root")  # a toolchain may be below it, and nothing else is
    assert root == "ENOENT" or len(json.loads(root.replace("'", '"'))) == 1
    assert set(found.values()) <= {"ENOENT", "EACCES", "EPERM"}


def test_only_tmp_can_be_written_and_it_is_small() -> None:
    """Trap 4: /dev is a tmpfs of half the memory, and --size caps no files."""
    limits = JailLimits(tmp_mb=20, tmp_inodes=500)
    assert tried("write").said == ["/tmp", "/dev/shm"]  # noqa: S108
    into = tried("disk", limits=limits).said
    assert into["/dev"] == 0
    assert 10 <= sum(into.values()) <= 20
    assert 400 <= tried("inodes", limits=limits).said <= 516


@pytest.mark.parametrize("kind", ["fork_bomb", "thread_bomb"])
def test_processes_of_one_jail_are_limited(kind: str) -> None:
    assert 20 <= tried(kind).said <= LIMITS.processes


def test_a_jail_can_open_few_files_and_raise_no_limit() -> None:
    assert tried("files").said <= LIMITS.files
    assert tried("limits").said == []
    assert tried("core").said == [False, [1, 1]]  # 0 would let the kernel pipe one to a program
    assert tried("setuid").said == [False, False]
    assert tried("one_large_file").said == "EFBIG"


@pytest.mark.parametrize("kind", ["memory_one", "memory_many", "memory_shared", "memory_files"])
def test_memory_is_limited_however_it_is_held(kind: str) -> None:
    """Trap 6 and 7: no limit of a process counts shared memory, files in memory or siblings."""
    told = tried(kind, limits=JailLimits(memory_mb=150, wall_seconds=60))
    if kind == "memory_one" and told.code == 0:
        assert 0 < told.said <= 150  # RLIMIT_DATA was quicker
    else:
        assert told.because == "memory 150 MB"
        # One of several processes may meet RLIMIT_DATA, and say so, before all of them are killed.
        assert told.said is None or "Traceback" in str(told.said)


def test_no_memory_is_held_that_belongs_to_no_process() -> None:
    """A segment of System V is in no process that a watchdog could look at."""
    refused = tried("memory_sysv").said
    assert refused == dict.fromkeys(("shmget", "msgget", "semget"), "EPERM")


def test_a_look_at_a_jail_holds_up_nobody_else() -> None:
    async def scene() -> None:
        begun, go_on, killed = threading.Event(), threading.Event(), asyncio.Event()

        def pids() -> list[int]:
            begun.set()
            assert go_on.wait(GUARD_S)  # which it never gets if it holds up the loop
            return [os.getpid()]

        watching = asyncio.create_task(watch(pids, JailLimits(memory_mb=1), killed.set))
        while not begun.is_set():  # noqa: ASYNC110 -- a thread sets it
            await asyncio.sleep(0.01)
        go_on.set()
        await watching
        assert killed.is_set()

    asyncio.run(scene())


def test_no_jail_leaves_its_cores() -> None:
    means = find_means()
    if "cpuset" not in means.controllers.found:
        pytest.skip("needs the cgroup controller cpuset; see paddock runner doctor")
    core = max(os.sched_getaffinity(0))
    assert tried("cores", cpu=Cpu(cores=(core,))).said == [core]


def test_system_calls_are_refused() -> None:
    numbers = {**REFUSED[platform.machine()], "clone3": CLONE3, "statmount": 457}
    for name in ("reboot", "acct", "swapoff", "swapon"):  # harmless here, and yet
        assert numbers[name]
    refused = tried("calls", json.dumps(numbers)).said
    assert refused.pop("clone3") == "ENOSYS"
    assert refused.pop("statmount") == "ENOSYS"
    assert set(refused.values()) == {errno.errorcode[errno.EPERM]}


def test_kills_reach_nobody_outside() -> None:
    assert tried("kill_all").said == "alive"
