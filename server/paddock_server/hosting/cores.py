"""The cores of a runner: one for each slot where there are enough, else equal shares of all."""

import asyncio
import os
from collections.abc import Collection, Iterable
from pathlib import Path

from paddock_server.jails.confined import Cpu
from paddock_server.jails.controllers import Controllers


class Cores:
    """A distributor of processors: one rule for all bots of a runner at all times."""

    def __init__(self, cores: Iterable[int], slots: int) -> None:
        self._all = tuple(cores)
        self._own = len(self._all) >= slots
        promised = self._all[:slots] if self._own else self._all
        self._free: asyncio.Queue[int] = asyncio.Queue()
        for core in promised:
            self._free.put_nowait(core)
        self.spare = Cpu(tuple(usable_cores(promised)))
        """Those that no bot plays on, for builds and checks; all where there are none."""
        self.share = 1.0 if self._own else round(len(self._all) / slots, 3)
        """The share of a core that each bot has at least."""

    def promised(self, controllers: Controllers) -> float:
        """The share that these control groups can promise each bot; 0: none."""
        needed = "cpuset" if self._own else "cpu"
        return self.share if needed in controllers.found else 0.0

    async def take(self) -> Cpu:
        """The processors of a bot that is started; it may have to wait for one that ends."""
        if not self._own:
            return Cpu(self._all)  # the control groups of bots weigh the same
        return Cpu((await self._free.get(),))

    def give_back(self, cpu: Cpu) -> None:
        """Take the processors of a bot that ended."""
        if self._own:
            for core in cpu.cores:
                self._free.put_nowait(core)


def usable_cores(but: Collection[int] = ()) -> list[int]:
    """The cores that this process may use, but not these; hyper-threads of one count as one."""
    return _different(sorted(os.sched_getaffinity(0)), but)


def _different(cores: Iterable[int], but: Collection[int] = ()) -> list[int]:
    """One core of each piece of hardware, and none of those that these use."""
    seen = {_hardware(core) for core in but}
    found = []
    for core in cores:
        hardware = _hardware(core)
        if hardware not in seen:
            seen.add(hardware)
            found.append(core)
    return found


def _hardware(core: int) -> str:
    """What a core shares with its hyper-threads alone."""
    file = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
    try:
        return file.read_text()
    except OSError:
        return str(core)


def read_cores(text: str) -> list[int]:
    """The cores in a text such as `2-5,7`, each once; hyper-threads of one count as one.

    Raises ValueError where the text names none, or one that this process may not use.
    """
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        found += range(int(first), int(last if dash else first) + 1)
    if not found or not set(found) <= os.sched_getaffinity(0):
        raise ValueError(f"{text}: this process may use {sorted(os.sched_getaffinity(0))}")
    return _different(found)
