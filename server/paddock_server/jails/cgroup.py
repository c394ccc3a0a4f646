"""The control groups of jails: their limits of memory, processes and processors."""

import atexit
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from paddock_server.jails.confined import MB, Cpu, JailLimits
from paddock_server.jails.controllers import ASIDE, Controllers

_PREFIX: Final = "paddock-"
_PERIOD_US: Final = 20_000  # short, so that a seat that used its share soon gets the next
_GONE_SECONDS: Final = 2.0
_LOOK_SECONDS: Final = 0.005


class Group:
    """The groups of one jail, one in each hierarchy."""

    def __init__(self, controllers: Controllers, name: str) -> None:
        self._folders = {
            kind: each.folder / f"{_PREFIX}{os.getpid()}" / name
            for kind, each in controllers.found.items()
        }
        self._controllers = controllers

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of its groups."""
        return tuple(dict.fromkeys(self._folders.values()))

    def has(self, kind: str) -> bool:
        """Whether there is a group of this controller."""
        return kind in self._folders

    def make(self, limits: JailLimits, cpu: Cpu) -> None:
        """Make the groups with these limits; they are empty."""
        for kind, folder in self._folders.items():
            v2 = self._controllers.found[kind].version == 2
            folder.mkdir(exist_ok=True)
            if kind == "memory":
                self._limit_memory(folder, limits.memory_mb * MB, v2=v2)
            elif kind == "pids":
                # The processes of bubblewrap, outside and inside, come on top.
                (folder / "pids.max").write_text(str(limits.processes + 2))
            elif kind == "cpu":
                _set_cpu(folder, cpu, v2=v2)
            elif kind == "cpuset":
                _set_cores(folder, cpu.cores, v2=v2)

    def _limit_memory(self, folder: Path, limit: int, *, v2: bool) -> None:
        if v2:
            (folder / "memory.max").write_text(str(limit))
            for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
                with suppress(OSError):  # a kernel without swap has no such file
                    (folder / name).write_text(value)
            return
        (folder / "memory.limit_in_bytes").write_text(str(limit))
        with suppress(OSError):
            (folder / "memory.memsw.limit_in_bytes").write_text(str(limit))

    def pids(self) -> list[int]:
        """The processes in the groups, as this process sees them."""
        for folder in self.folders:
            with suppress(OSError):
                return [int(line) for line in (folder / "cgroup.procs").read_text().split()]
        return []

    def cpu_seconds(self) -> float | None:
        """The processor time of all that ran in the groups; None where nobody counts it."""
        for kind, folder in self._folders.items():
            with suppress(OSError):
                if self._controllers.found[kind].version == 2:
                    return _count(folder, {"cpu.stat": "usage_usec"}) / 1e6
                if kind == "cpuacct":
                    return int((folder / "cpuacct.usage").read_text()) / 1e9
        return None

    def ended_because(self, limits: JailLimits) -> str:
        """The limit that ended the jail, in words; empty where none did."""
        events = {"memory.events": "oom_kill", "memory.oom_control": "oom_kill"}
        if self.has("memory") and _count(self._folders["memory"], events):
            return f"memory {limits.memory_mb} MB"
        if self.has("pids") and _count(self._folders["pids"], {"pids.events": "max"}):
            return f"processes {limits.processes}"
        return ""

    def kill(self) -> None:
        """Kill what is in the groups."""
        for folder in self.folders:
            with suppress(OSError):
                (folder / "cgroup.kill").write_text("1")
        for pid in self.pids():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def remove(self) -> None:
        """Remove the groups, as soon as their processes are gone."""
        deadline = time.monotonic() + _GONE_SECONDS
        for folder in self.folders:
            while True:
                try:
                    folder.rmdir()
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    if time.monotonic() > deadline:
                        break  # the next process that makes jails sweeps it up
                    self.kill()
                    time.sleep(_LOOK_SECONDS)


class Groups:
    """The control groups of this process."""

    def __init__(self, controllers: Controllers) -> None:
        self._controllers = controllers
        self._ready = False

    def group(self, name: str) -> Group:
        """The groups of one jail, not made yet."""
        if not self._ready:
            self._prepare()
            self._ready = True
            atexit.register(self.close)
        return Group(self._controllers, name)

    def close(self) -> None:
        """Remove what is left."""
        for each in self._controllers.found.values():
            with suppress(OSError):
                (each.folder / f"{_PREFIX}{os.getpid()}").rmdir()

    def _prepare(self) -> None:
        """Make the groups that hold those of the jails; sweep up after processes that are gone."""
        v2 = {
            kind: each.folder for kind, each in self._controllers.found.items() if each.version == 2
        }
        for folder in set(v2.values()):
            kinds = [kind for kind, where in v2.items() if where == folder]
            _enable(folder, kinds)
        for kind, each in self._controllers.found.items():
            _sweep(each.folder)
            ours = each.folder / f"{_PREFIX}{os.getpid()}"
            ours.mkdir(exist_ok=True)
            if each.version == 1 and kind == "cpuset":
                _set_cores(ours, (), v2=False)
            if each.version == 2:
                _enable(ours, [kind])


def _enable(folder: Path, kinds: list[str]) -> None:
    """Let the groups below a v2 group have controllers."""
    file = folder / "cgroup.subtree_control"
    wanted = " ".join(f"+{kind}" for kind in kinds)
    try:
        file.write_text(wanted)
    except OSError:  # it has processes: ours
        aside = folder / ASIDE
        aside.mkdir(exist_ok=True)
        for pid in (folder / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError, OSError):
                (aside / "cgroup.procs").write_text(pid)
        file.write_text(wanted)


def _set_cpu(folder: Path, cpu: Cpu, *, v2: bool) -> None:
    if cpu.last:  # the least weight that there is
        file, least = ("cpu.weight", "1") if v2 else ("cpu.shares", "2")
        (folder / file).write_text(least)
    if not cpu.share:
        return
    quota = max(1000, int(cpu.share * _PERIOD_US))
    if v2:
        (folder / "cpu.max").write_text(f"{quota} {_PERIOD_US}")
    else:
        (folder / "cpu.cfs_period_us").write_text(str(_PERIOD_US))
        (folder / "cpu.cfs_quota_us").write_text(str(quota))


def _set_cores(folder: Path, cores: tuple[int, ...], *, v2: bool) -> None:
    if v2:
        if cores:
            (folder / "cpuset.cpus").write_text(",".join(map(str, cores)))
        return
    above = folder.parent  # a v1 group begins without any, and then takes no process
    cpus = ",".join(map(str, cores)) or (above / "cpuset.cpus").read_text()
    (folder / "cpuset.cpus").write_text(cpus)
    (folder / "cpuset.mems").write_text((above / "cpuset.mems").read_text())


def _sweep(folder: Path) -> None:
    """End and remove the groups of processes that were killed."""
    for old in folder.glob(f"{_PREFIX}[0-9]*"):
        pid = old.name.removeprefix(_PREFIX)
        if not pid.isdigit() or Path(f"/proc/{pid}").exists():
            continue
        for group in [*old.glob("*/"), old]:
            with suppress(OSError, ValueError):
                for left in (group / "cgroup.procs").read_text().split():
                    os.kill(int(left), signal.SIGKILL)
            with suppress(OSError):
                group.rmdir()


def _count(folder: Path, files: dict[str, str]) -> int:
    """A counter in the first of these files that is there."""
    for name, key in files.items():
        with suppress(OSError):
            for line in (folder / name).read_text().splitlines():
                word, _, value = line.partition(" ")
                if word == key:
                    return int(value)
    return 0
