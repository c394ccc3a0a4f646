"""Jails of this process: each runs one program, and all in it ends with it."""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from paddock_server.jails.cgroup import Group, Groups
from paddock_server.jails.confined import CannotJail, Confined, Usage
from paddock_server.jails.launch import Descriptors, prepare
from paddock_server.jails.means import PACKAGES, Means, find_means
from paddock_server.jails.processes import children, scheduled, tree, usage
from paddock_server.jails.slots import Slot, Slots
from paddock_server.jails.watchdog import watch
from paddock_server.programs.child import start_child

_SLOTS: Final = 64
_BY_CPU_TIME: Final = 128 + signal.SIGXCPU


class JailedProcess:
    """A program in a jail."""

    def __init__(
        self,
        what: Confined,
        process: asyncio.subprocess.Process,
        group: Group,
        free: Callable[[], None],
    ) -> None:
        self.process = process
        self._limits = what.limits
        self._group = group
        self._free = free
        self._because = ""
        self._tasks: list[asyncio.Task[None]] = []
        if not group.has("memory"):
            watching = watch(self.pids, what.limits, lambda: self._end(self._memory))
            self._tasks.append(asyncio.create_task(watching))
        if what.limits.wall_seconds is not None:
            self._tasks.append(asyncio.create_task(self._limit_time(what.limits.wall_seconds)))
        self._over = asyncio.create_task(self._clean_up())

    @property
    def pid(self) -> int:
        """The process of bubblewrap, outside the jail."""
        return self.process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code of the program; None while it runs, 128 and more for a signal."""
        return self.process.returncode

    @property
    def ended_because(self) -> str:
        """The limit that ended it, such as `memory 256 MB`; empty where none did."""
        return self._because

    @property
    def _memory(self) -> str:
        return f"memory {self._limits.memory_mb} MB"

    def pids(self) -> Sequence[int]:
        """All processes of the jail, that of bubblewrap outside first."""
        return self._group.pids() or list(tree(self.pid))

    def usage(self) -> Usage:
        """What its processes use."""
        return usage(self.pids())

    def cpu_seconds(self) -> float | None:
        """The processor time of all its processes, also of those that ended; None: not counted."""
        return self._group.cpu_seconds()

    def run_delay_seconds(self) -> float:
        """How long its threads, those that are there, were ready to run without a processor."""
        return scheduled(self.pids()).run_delay_seconds

    async def wait(self) -> int:
        """The exit code, when all in the jail has ended."""
        await asyncio.shield(self._over)
        code = self.process.returncode
        assert code is not None  # noqa: S101 -- it was waited for
        return code

    def terminate(self) -> None:
        """Send SIGTERM to the program, as a service manager does."""
        inside = [pid for first in children(self.pid) for pid in children(first)]
        for pid in inside:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGTERM)
        if not inside:  # it is still being started
            self._kill()

    async def stop(self, grace: float = 0.0) -> None:
        """End all in the jail; with `grace` the program first has that many seconds to end."""
        if grace and self.returncode is None:
            self.terminate()
            await asyncio.wait([self._over], timeout=grace)
        self._kill()
        await asyncio.shield(self._over)

    def _end(self, why: str) -> None:
        self._because = self._because or why
        self._kill()

    def _kill(self) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):
                self.process.kill()  # process 1 of the jail follows, and with it all others
        self._group.kill()

    async def _limit_time(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._end(f"time {seconds:g} s")

    async def _clean_up(self) -> None:
        code = await self.process.wait()
        for task in self._tasks:
            task.cancel()
        self._because = self._because or self._group.ended_because(self._limits)
        if code == _BY_CPU_TIME and not self._because:
            self._because = f"processor time {self._limits.cpu_seconds} s"
        await asyncio.to_thread(self._group.remove)
        self._free()


class Jails:
    """The jails of this process."""

    def __init__(self, means: Means | None = None, slots: int = _SLOTS) -> None:
        """Whether the machine can promise what is wanted is for `doctor.admitted` to say."""
        self.means = means or find_means()
        if self.means.lacking:
            packages = sorted({PACKAGES[name] for name in self.means.lacking})
            raise CannotJail(
                f"{', '.join(self.means.lacking)} not found; jails need them, "
                f"on Debian: apt-get install {' '.join(packages)}"
            )
        self._slots = Slots(self.means.uids, slots)
        self._groups = Groups(self.means.controllers)

    async def start(
        self,
        what: Confined,
        *,
        stdin: int = asyncio.subprocess.DEVNULL,
        stdout: int = asyncio.subprocess.DEVNULL,
        stderr: int = asyncio.subprocess.DEVNULL,
    ) -> JailedProcess:
        """Start a program in a jail of its own; raises CannotJail where no slot is free.

        It can't outlive this process, even if this process is killed.
        """
        slot = self._slots.take()
        group = self._groups.group(f"slot-{slot.number}")

        def free() -> None:
            self._slots.give_back(slot)

        try:
            group.make(what.limits, what.cpu)
            process = await self._launch(what, slot, group, (stdin, stdout, stderr))
        except OSError as problem:
            group.remove()
            free()
            raise CannotJail(f"the jail can't be made: {problem}") from None
        except BaseException:
            group.remove()
            free()
            raise
        return JailedProcess(what, process, group, free)

    def close(self) -> None:
        """Remove the control groups, after all jails have ended."""
        self._groups.close()

    async def _launch(
        self, what: Confined, slot: Slot, group: Group, streams: tuple[int, int, int]
    ) -> asyncio.subprocess.Process:
        filter_ = _memory_file(self.means.filter) if self.means.filter else None
        arguments = os.memfd_create("arguments", 0)
        files = [arguments] if filter_ is None else [arguments, filter_]
        try:
            descriptors = Descriptors(arguments, filter_)
            launch = prepare(what, self.means, slot, group.folders, descriptors)
            _fill(arguments, launch.arguments)
            stdin, stdout, stderr = streams
            return await start_child(
                self.means.tools["sh"], "-c", launch.script,
                env={},
                cwd="/",
                pass_fds=files,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,  # Ctrl-C is for us: we end our bots ourselves
            )  # fmt: skip
        finally:
            for file in files:
                os.close(file)


def _memory_file(data: bytes) -> int:
    file = os.memfd_create("filter", 0)
    _fill(file, data)
    return file


def _fill(file: int, data: bytes) -> None:
    os.write(file, data)
    os.lseek(file, 0, os.SEEK_SET)
