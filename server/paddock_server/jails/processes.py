"""The processes of a jail, as /proc of the host shows them: who they are, and what they use."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from paddock_server.jails.confined import Usage

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_NANOSECONDS: Final = 1e-9
_BLOCK: Final = 512
_KB: Final = 1024


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def tree(pid: int) -> Iterator[int]:
    """A process and all below it. Daemons in a jail are below its first process."""
    yield pid
    for child in children(pid):
        yield from tree(child)


def resident(pids: Iterable[int]) -> int:
    """The bytes that processes have in memory; what they share counts for each of them."""
    total = 0
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return total


def held(pids: Iterable[int], tmp: int) -> int:
    """The bytes that processes hold: shared memory counts once, and so do files in memory.

    `tmp` is what they keep in their /tmp. Memory that is both mapped and in a file counts once.
    """
    own = shared = 0
    files: dict[tuple[int, int], int] = {}
    for pid in pids:
        with suppress(OSError):
            sizes = _rollup(pid)
            shared += sizes.get("Pss_Shmem", 0)
            own += sizes.get("Pss", 0) - sizes.get("Pss_Shmem", 0)
        files.update(_memory_files(pid))
    return own + max(shared, sum(files.values()) + tmp)


def memory_files(pids: Iterable[int]) -> int:
    """The bytes in files that exist in memory only (memfd_create), mapped or not."""
    files: dict[tuple[int, int], int] = {}
    for pid in pids:
        files.update(_memory_files(pid))
    return sum(files.values())


def _rollup(pid: int) -> dict[str, int]:
    sizes = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name.startswith("Pss"):
            sizes[name] = int(rest.split()[0]) * _KB
    return sizes


def _memory_files(pid: int) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    with suppress(OSError):
        for fd in os.listdir(f"/proc/{pid}/fd"):
            path = f"/proc/{pid}/fd/{fd}"
            with suppress(OSError):
                if os.readlink(path).startswith("/memfd:"):
                    status = os.stat(path)
                    found[status.st_dev, status.st_ino] = status.st_blocks * _BLOCK
    return found


def tmp_bytes(pids: Iterable[int], size: int) -> int:
    """The bytes in /tmp and /dev/shm of the jail of these processes, which has this size.

    Some of them are outside or on their way in, and see another /tmp.
    """
    for pid in pids:
        with suppress(OSError):
            room = os.statvfs(f"/proc/{pid}/root/tmp")
            if room.f_blocks * room.f_frsize == size:
                return (room.f_blocks - room.f_bfree) * room.f_frsize
    return 0


class Scheduled(NamedTuple):
    """The time of threads, those that are there."""

    cpu_seconds: float
    run_delay_seconds: float  # ready to run, without a processor


def scheduled(pids: Iterable[int]) -> Scheduled:
    """The time of all threads of these processes."""
    cpu = waited = 0
    for pid in pids:
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError, ValueError):
                    numbers = Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()
                    cpu += int(numbers[0])
                    waited += int(numbers[1])
    return Scheduled(cpu * _NANOSECONDS, waited * _NANOSECONDS)


class Waits(NamedTuple):
    """The processor time that a bot has used and waited for so far."""

    at: float
    cpu_seconds: float
    run_delay_seconds: float  # of all threads together


def kept_between(first: Waits, last: Waits, share: float) -> float:
    """The seconds that were kept from a bot whose share of a processor is this."""
    missing = share * (last.at - first.at) - (last.cpu_seconds - first.cpu_seconds)
    return max(0.0, min(missing, last.run_delay_seconds - first.run_delay_seconds))


def usage(pids: Iterable[int]) -> Usage:
    """What processes have used so far; those that ended count no more."""
    pids = list(pids)
    return Usage(scheduled(pids).cpu_seconds, resident(pids))
