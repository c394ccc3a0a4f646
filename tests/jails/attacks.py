"""What a bad bot tries: `python attacks.py NAME` prints what came of it, as a line of JSON.

It runs in jails only: a uid that no jail has ends it at once.
"""

import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

MB = 1 << 20
NOBODY = 65534
X86 = os.uname().machine == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)


def _errno_of(number: int, *args: int) -> str:
    """What a system call fails with; empty if it does not."""
    ctypes.set_errno(0)
    failed = libc.syscall(number, *args) < 0
    return errno.errorcode[ctypes.get_errno()] if failed else ""


def families() -> dict[int, str]:
    """What opening a socket of every family fails with."""
    found = {}
    for family in range(46):
        try:
            socket.socket(family, socket.SOCK_DGRAM).close()
            found[family] = ""
        except OSError as problem:
            found[family] = errno.errorcode[problem.errno or 0]
    return found


def network() -> list[str]:
    """The places that can be reached."""
    reached = []
    for host, port in (
        ("127.0.0.1", int(sys.argv[2])), ("127.0.0.1", 22), ("1.1.1.1", 53),
        ("169.254.169.254", 80), ("::1", int(sys.argv[2])),
    ):  # fmt: skip
        try:
            socket.create_connection((host, port), 2).close()
            reached.append(host)
        except OSError:
            pass
    try:
        with socket.socket(socket.AF_UNIX) as abstract:
            abstract.connect(f"\0{sys.argv[3]}")
            reached.append("abstract")
    except OSError:
        pass
    try:
        socket.getaddrinfo("example.org", 80)
        reached.append("dns")
    except OSError:
        pass
    return reached


def forwarded() -> str:
    """What the socket says that is forwarded to the loopback."""
    try:
        with socket.create_connection(("127.0.0.1", 8080), timeout=20) as way_out:
            return way_out.recv(100).decode()
    except ConnectionRefusedError:
        return "refused"


def crowd() -> str:
    """Many connections at once to the socket that is forwarded; it waits for the end of each."""
    ways = [socket.create_connection(("127.0.0.1", 8080)) for _ in range(int(sys.argv[2]))]
    print(len(ways), flush=True)  # noqa: T201
    for way in ways:
        with way:
            way.recv(100)
    return "over"


def secrets() -> str:
    """All that can be read about other processes, and the own surroundings."""
    seen = []
    for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
        for name in ("environ", "cmdline", "mountinfo", "cgroup"):
            with suppress(OSError):
                seen.append(Path(f"/proc/{pid}/{name}").read_bytes().decode(errors="replace"))
    with suppress(OSError):
        seen += [os.readlink(f"/proc/1/fd/{fd}") for fd in os.listdir("/proc/1/fd")]
    return "\n".join([*seen, *(f"{key}={value}" for key, value in os.environ.items())])


def descriptors() -> list[str]:
    return [os.readlink(f"/proc/self/fd/{fd}") for fd in ("0", "1", "2", "3", "4", "5", "6")
            if os.path.lexists(f"/proc/self/fd/{fd}")]  # fmt: skip


def read() -> dict[str, str]:
    """What the files named fail with; their text if they do not."""
    found = {}
    for path in sys.argv[2:]:
        try:
            found[path] = str(os.listdir(path)) if os.path.isdir(path) else Path(path).read_text()
        except OSError as problem:
            found[path] = errno.errorcode[problem.errno or 0]
    return found


def write() -> list[str]:
    """The folders in which a file can be made."""
    written = []
    for folder in ("/", "/usr", "/bot", "/etc", "/dev", "/proc/sys/kernel", "/tmp", "/dev/shm"):  # noqa: S108
        try:
            Path(folder, "x").write_text("")
            written.append(folder)
        except OSError:
            pass
    return written


def calls() -> dict[str, str]:
    """What system calls fail with that a bot has no use for."""
    numbers = json.loads(sys.argv[2])
    buffer = ctypes.addressof(ctypes.create_string_buffer(struct.pack("Q", 0x10000000), 128))
    known = {"unshare": (0x10000000,), "ptrace": (16, 1), "clone3": (buffer, 88)}
    # No call is made twice or with real arguments: those that are let through must do nothing.
    return {name: _errno_of(number, *known.get(name, (0,))) for name, number in numbers.items()}


def fork_bomb() -> int:
    made = 0
    try:
        while made < 3000:
            if os.fork() == 0:
                signal.pause()
                os._exit(0)
            made += 1
    except OSError:
        pass
    return made


def thread_bomb() -> int:
    threading.stack_size(65536)
    made = 0
    try:
        while made < 3000:
            threading.Thread(target=signal.pause, daemon=True).start()
            made += 1
    except RuntimeError:
        pass
    return made


def memory_one() -> int:
    """Hold memory in one process until something happens."""
    held: list[bytes] = []
    try:
        while len(held) < 2000:
            held.append(b"x" * MB)
    except MemoryError:
        return len(held)
    return -1


def memory_many() -> str:
    for _ in range(8):
        if os.fork() == 0:
            held = bytearray(b"x" * (100 * MB))
            time.sleep(60)
            os._exit(len(held) % 2)
    time.sleep(60)
    return "it held"


def memory_shared() -> str:
    shared = mmap.mmap(-1, 600 * MB)
    for at in range(0, len(shared), 4096):
        shared[at] = 1
    time.sleep(60)
    return "it held"


def memory_files() -> str:
    files = []
    for _ in range(30):
        files.append(os.memfd_create("x"))
        for _ in range(20):
            os.write(files[-1], bytes(MB))
    time.sleep(60)
    return "it held"


def memory_sysv() -> dict[str, str]:
    """What memory and queues fail with that belong to no process."""
    private, mode = 0, 0o600
    tried: dict[str, Callable[[], int]] = {
        "shmget": lambda: libc.shmget(private, 600 * MB, mode),
        "msgget": lambda: libc.msgget(private, mode),
        "semget": lambda: libc.semget(private, 1, mode),
    }
    found = {}
    for name, call in tried.items():
        ctypes.set_errno(0)
        found[name] = errno.errorcode[ctypes.get_errno()] if call() < 0 else ""
    return found


def one_large_file() -> str:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    file = os.memfd_create("x")
    try:
        os.ftruncate(file, 700 * MB)
    except OSError as problem:
        return errno.errorcode[problem.errno or 0]
    return ""


def disk() -> dict[str, int]:
    """The MB that go into folders, before they are full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    found = {}
    for folder in ("/tmp", "/dev/shm", "/dev"):  # noqa: S108
        found[folder] = 0
        try:
            with open(f"{folder}/full", "wb") as file:
                while found[folder] < 500:
                    file.write(bytes(MB))
                    file.flush()
                    found[folder] += 1
        except OSError:
            pass
    return found


def inodes() -> int:
    made = 0
    try:
        while made < 500_000:
            os.mkdir(f"/tmp/d{made}")  # noqa: S108
            made += 1
    except OSError:
        pass
    return made


def files() -> int:
    held: list[int] = []
    try:
        while len(held) < 5000:
            held.append(os.open("/dev/null", 0))
    except OSError:
        pass
    return len(held)


def limits() -> list[str]:
    """Limits and priorities that can be raised."""
    raised = []
    for name in ("NPROC", "NOFILE", "FSIZE", "CORE", "MEMLOCK", "MSGQUEUE"):
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (999_999_999, 999_999_999))
            raised.append(name)
        except (ValueError, OSError):
            pass
    try:
        os.nice(-5)
        raised.append("nice")
    except OSError:
        pass
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        raised.append("fifo")
    except OSError:
        pass
    if libc.prctl(62, 1, 0, 0, 0) == 0:  # PR_SCHED_CORE: nobody else on the other hyper-thread
        raised.append("own core")
    return raised


def core() -> tuple[bool, tuple[int, int]]:
    """Whether an abort leaves a core, and the limit of cores."""
    pid = os.fork()
    if pid == 0:
        os.chdir("/tmp")  # noqa: S108
        os.abort()
    dumped = os.WCOREDUMP(os.waitpid(pid, 0)[1])
    return dumped, resource.getrlimit(resource.RLIMIT_CORE)


def cores() -> list[int]:
    """The processors that it runs on, after it asked for all."""
    with suppress(OSError):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    return sorted(os.sched_getaffinity(0))


def setuid() -> list[bool]:
    """Whether programs of root run as root here."""
    done = subprocess.run(["su", "-c", "id"], check=False, capture_output=True)  # noqa: S607
    return [done.returncode == 0, os.geteuid() == 0]


def kill_all() -> str:
    try:
        os.kill(-1, 0)
        os.kill(1, signal.SIGKILL)
    except OSError:
        pass
    time.sleep(0.2)
    return "alive"


def daemon() -> str:
    """Leave a process behind that does not want to end."""
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
        os._exit(0)
    print(json.dumps("left a daemon"), flush=True)  # noqa: T201
    time.sleep(600)
    return ""


def spin() -> None:
    """Keep a processor busy with so many threads' processes, until the end."""
    for _ in range(int(sys.argv[2]) - 1):
        if os.fork() == 0:
            break
    else:
        print(json.dumps("spinning"), flush=True)  # noqa: T201
    while True:
        pass


def forks() -> None:
    """Fork for ever, in every process."""
    print(json.dumps("spinning"), flush=True)  # noqa: T201
    while True:
        with suppress(OSError):
            os.fork()


def main() -> None:
    if os.getuid() != NOBODY or not Path("/bot/attacks.py").exists():
        sys.exit("this runs in a jail only")
    done: Any = globals()[sys.argv[1]]()
    print(json.dumps(done), flush=True)  # noqa: T201
    os._exit(0)


if __name__ == "__main__":
    main()
