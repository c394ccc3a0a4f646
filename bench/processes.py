"""Processes of a benchmark: servers and bots of their own, talked to over a pipe."""

import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

LATE: Final = 60.0  # seconds after which something hangs
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Usage(NamedTuple):
    """What a process has taken so far."""

    at: float
    cpu: float
    kilobytes: float


def usage() -> Usage:
    """This process, now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Usage(time.monotonic(), time.process_time(), pages * resource.getpagesize() / 1024)


def processor_seconds(pid: int) -> float:
    """The processor time of a process and all its descendants; 0: there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own = sum(int(ticks) for ticks in fields[11:15]) / _TICKS
    return own + sum(processor_seconds(int(child)) for child in children)


class Process:
    """A process of ours, and how it is talked to."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, orders = context.Pipe()
        self._process = context.Process(target=work, args=(orders, *arguments), daemon=True)
        self._process.start()
        orders.close()

    def send(self, order: Any) -> None:
        """Tell it what to do."""
        self._pipe.send(order)

    def answer(self) -> Any:
        """What it says; it may take its time."""
        if not self._pipe.poll(3 * LATE):
            raise TimeoutError("a process of the benchmark does not answer")
        return self._pipe.recv()

    def ask(self, order: Any) -> Any:
        """Tell it, and wait for what it says."""
        self.send(order)
        return self.answer()

    def end(self) -> None:
        """Have it end, one way or another."""
        with suppress(OSError):  # it is gone already
            self._pipe.send(None)
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


@contextmanager
def processes(*wanted: tuple[Any, ...]) -> Iterator[list[Process]]:
    """Processes that end with the block."""
    with ExitStack() as stack:
        made = []
        for work, *arguments in wanted:
            process = Process(work, *arguments)
            stack.callback(process.end)
            made.append(process)
        yield made
