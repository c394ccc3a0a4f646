"""The cores of a runner: one for each slot where there are enough, else equal shares of all."""

import os
from collections.abc import Iterable
from pathlib import Path

from paddock_server.jails.confined import Cpu


class Cores:
    """A distributor of processors: one rule for all bots of a runner at all times."""

    def __init__(self, cores: Iterable[int], slots: int) -> None:
        self._all = tuple(cores)
        self._own = len(self._all) >= slots
        self._free = list(self._all)
        self.share = 1.0 if self._own else len(self._all) / slots
        """The part of a core that each bot has at least."""

    def take(self) -> Cpu:
        """The processors of a bot that is started."""
        if not self._own:
            return Cpu(self._all)  # the control groups of bots weigh the same
        return Cpu((self._free.pop(0),))

    def give_back(self, cpu: Cpu) -> None:
        """Take the processors of a bot that ended."""
        if self._own:
            self._free.extend(cpu.cores)


def usable_cores() -> list[int]:
    """The cores that this process may use; two that share one core's hardware count as one."""
    seen: set[str] = set()
    found = []
    for core in sorted(os.sched_getaffinity(0)):
        file = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
        try:
            siblings = file.read_text()
        except OSError:
            siblings = str(core)
        if siblings not in seen:
            seen.add(siblings)
            found.append(core)
    return found


def read_cores(text: str) -> list[int]:
    """The cores in a text such as `2-5,7`; ValueError where it is not one."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        found += range(int(first), int(last if dash else first) + 1)
    if not found or not set(found) <= os.sched_getaffinity(0):
        raise ValueError(f"{text}: this process may use {sorted(os.sched_getaffinity(0))}")
    return found
