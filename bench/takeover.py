"""How long matches of a cluster stand when a node dies: until others have taken them up.

`python -m bench.takeover` starts PostgreSQL, NATS and three nodes, has twelve bots play, and then
kills or freezes a node: the steward, or another. It measures the seconds until the first and until
the last match of that node is open on another one, by the metric `paddock_takeups_total`.
"""

import asyncio
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from bench.measure import Figures, options, show, show_json
from tests import postgresql
from tests.cluster.cluster import Cluster, cluster
from tests.server.process import Server, until

BOTS: Final = tuple(f"bot-{number}" for number in range(12))
CLOCK: Final = "[clock]\nbase = 30.0\nbank = 0.0\n"
_AT_ONCE: Final = 24  # matches
_CALM_SECONDS: Final = 2.0  # without another take-up: it was the last one
_GUARD_SECONDS: Final = 60.0  # nothing is measured by it: it only ends a broken run


class Fault(NamedTuple):
    """What happens to which node."""

    name: str
    signal: signal.Signals
    steward: bool


class Takeover(NamedTuple):
    """How a fault went."""

    first: float  # seconds until the first match was taken up
    last: float
    matches: float


FAULTS: Final = (
    Fault("a node is killed", signal.SIGKILL, steward=False),
    Fault("the steward is killed", signal.SIGKILL, steward=True),
    Fault("a node is frozen", signal.SIGSTOP, steward=False),
    Fault("the steward is frozen", signal.SIGSTOP, steward=True),
)


def measured(fault: Fault) -> Takeover:
    """One fault, in a cluster of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder,
        postgresql.serving(durable=True) as server,
        postgresql.database(server) as database,
        cluster(Path(folder), database, 3, CLOCK) as nodes,
        nodes.bots(BOTS),
    ):
        return asyncio.run(_while_playing(nodes, fault))


async def _while_playing(nodes: Cluster, fault: Fault) -> Takeover:
    await nodes.led()
    stop = asyncio.Event()
    playing = asyncio.create_task(nodes.keep_playing(stop, BOTS, _AT_ONCE))
    victim = await asyncio.to_thread(_victim, nodes, fault)
    others = [node for node in nodes.nodes if node is not victim]
    took = await asyncio.to_thread(_taken_up, others, lambda: victim.signal(fault.signal))
    stop.set()
    playing.cancel()
    if fault.signal is signal.SIGSTOP:
        victim.signal(signal.SIGCONT)
    return took


def _victim(nodes: Cluster, fault: Fault) -> Server:
    """A node that has matches, once all bots play."""

    def chosen() -> Server | None:
        for node in nodes.nodes:
            leads = node.metric("paddock_steward") == 1
            if leads == fault.steward and node.metric("paddock_open_matches") >= 2:
                return node
        return None

    until("all bots", lambda: sum(n.metric("paddock_sessions") for n in nodes.nodes) >= len(BOTS))
    victim: Server = until("a node with matches", chosen)
    return victim


def _taken_up(others: list[Server], strike: Callable[[], None]) -> Takeover:
    """When others have taken up what the victim played."""

    def count() -> float:
        return sum(node.metric("paddock_takeups_total") for node in others)

    before = count()
    times: list[float] = []
    strike()
    began = seen = time.perf_counter()
    so_far = before
    while not times or seen - times[-1] < _CALM_SECONDS:
        now, seen = count(), time.perf_counter()
        if now > so_far:
            so_far = now
            times.append(seen)
        if seen - began > _GUARD_SECONDS:
            raise TimeoutError("nobody takes up anything")
        time.sleep(0.01)
    return Takeover(times[0] - began, times[-1] - began, so_far - before)


def main() -> None:
    """Measure all faults in turn, and print a table."""
    wanted = options("takeover", __doc__ or "")
    repeats = 1 if wanted.quick else min(wanted.repeats, 5)
    runs: dict[Fault, list[Takeover]] = {fault: [] for fault in FAULTS}
    for _ in range(repeats):
        for fault in FAULTS:
            runs[fault].append(measured(fault))
            print(f"{fault.name}: measured", file=sys.stderr)
    found = {
        fault: Takeover(*(median(values) for values in zip(*each, strict=True)))
        for fault, each in runs.items()
    }
    if wanted.json:
        show_json({fault.name: took for fault, took in found.items()}, [])
        return
    rows = [
        (fault.name, f"{took.first:.1f}", f"{took.last:.1f}", f"{took.matches:.0f}")
        for fault, took in found.items()
    ]
    columns = ("", "first match, s", "last match, s", "matches")
    show(f"medians of {repeats}", [Figures("until taken up", columns, rows)], [])


if __name__ == "__main__":
    main()
