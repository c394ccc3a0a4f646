"""What a cluster costs: decisions, processor time of the nodes, a seat on another node.

`python -m bench.cluster` starts PostgreSQL, NATS and real servers, and has bots with nothing in
their heads play two-player matches: on a single server, then on one, two and three nodes, with
opponents on the same node (no seat is relayed) or on two nodes (half of the seats are). More can't
be relayed: a match is played where most of its seats are. All processes share this machine: where
it has fewer cores than processes, the microseconds per decision say more than the decisions per
second. PostgreSQL's are those of all its processes.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from bench.crowd import Bots, crowd
from bench.measure import Figures, Goal, options, show, show_json
from bench.processes import Process, processor_seconds
from tests import postgresql
from tests.cluster.cluster import CALM, Nats, Way, nodes
from tests.server.organiser import Organiser
from tests.server.process import Server
from tests.server.raw import connected

FORMAT: Final = "two-player-winter"
PAIRS: Final = 6
EACH: Final = 8  # matches at once per bot
_AHEAD: Final = 400  # matches per pair that wait, so that nobody ever waits for one


class Side(NamedTuple):
    """Servers that are measured."""

    name: str
    size: int  # nodes; 0: a single server, without a cluster
    apart: bool = False  # whether opponents are on two nodes


class Run(NamedTuple):
    """What one window of one side gave."""

    decisions: float  # a second
    matches: float  # a second
    micros: float  # of all nodes' processor time, a decision
    bus: float  # microseconds of NATS, a decision
    database: float  # microseconds of PostgreSQL, a decision


SIDES: Final = (
    Side("single server", 0),
    Side("1 node", 1),
    Side("2 nodes, none relayed", 2),
    Side("2 nodes, half relayed", 2, apart=True),
    Side("3 nodes, none relayed", 3),
    Side("3 nodes, half relayed", 3, apart=True),
)


class Stage:
    """One side with its servers, its bots and matches enough."""

    def __init__(self, side: Side, folder: Path, database: str, stack: ExitStack) -> None:
        self.nats = Nats(folder)
        self._postmaster = _postmaster(database)
        if side.size:
            self.nats.start()
            stack.callback(self.nats.kill)
            self.servers = nodes(folder, [Way(self.nats.address, database)] * side.size)
        else:
            self.servers = [Server(folder / "single", "--db", database, config=CALM)]
        for server in self.servers:
            stack.callback(server.kill)
            server.start()
        self._apart = side.apart
        self._load = Process(crowd)
        stack.callback(self._load.end)

    async def fill(self) -> None:
        """Connect the bots, and start more matches than they can play."""
        addresses = [server.address for server in self.servers]
        for number in range(2 * PAIRS):
            turn = number if self._apart else number // 2
            where = addresses[turn % len(addresses)]
            self._load.ask(Bots(where, [f"bot-{number}"], FORMAT, EACH))
        async with connected(addresses[0]) as channel:
            organiser = Organiser(channel)
            await organiser.connected(*(f"bot-{number}" for number in range(2 * PAIRS)))
            for pair in range(PAIRS):
                field = [f"bot-{2 * pair}", f"bot-{2 * pair + 1}"]
                await organiser.start(FORMAT, field, _AHEAD, seats=2)

    def run(self, seconds: float) -> Run:
        """What happens in so many seconds."""
        time.sleep(seconds / 4)  # until it runs smoothly
        before, began = self._counted(), time.perf_counter()
        time.sleep(seconds)
        after, took = self._counted(), time.perf_counter() - began
        asks, matches, cpu, bus, database = (
            now - then for now, then in zip(after, before, strict=True)
        )
        costs = (1e6 * seconds / asks for seconds in (cpu, bus, database))
        return Run(asks / took, matches / took, *costs)

    def _counted(self) -> tuple[float, float, float, float, float]:
        asks = sum(server.metric("paddock_asks_total") for server in self.servers)
        matches = sum(server.metric("paddock_matches_total") for server in self.servers)
        cpu = sum(processor_seconds(pid) for server in self.servers if (pid := _pid(server)))
        bus = processor_seconds(self.nats.pid) if self.nats.pid else 0.0
        return asks, matches, cpu, bus, processor_seconds(self._postmaster)


def _pid(server: Server) -> int:
    return 0 if server.process is None else server.process.pid


def _postmaster(database: str) -> int:
    """The process that has started all others of PostgreSQL."""
    asked = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
    ((child,),) = postgresql.tell(database, asked)
    return int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[1])


@contextmanager
def staged(side: Side) -> Iterator[Stage]:
    """A side that runs, on a PostgreSQL server of its own that waits for the disk."""
    with (
        tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder,
        postgresql.serving(durable=True) as server,
        postgresql.database(server) as database,
        ExitStack() as stack,
    ):
        stage = Stage(side, Path(folder), database, stack)
        asyncio.run(stage.fill())
        yield stage


def _median(runs: Sequence[Run]) -> Run:
    return Run(*(median(values) for values in zip(*runs, strict=True)))


def main() -> None:
    """Measure all sides in turn, and print tables and goals."""
    wanted = options("cluster", __doc__ or "")
    seconds, repeats = (3.0, 1) if wanted.quick else (8.0, min(wanted.repeats, 3))
    began = time.perf_counter()
    runs: dict[Side, list[Run]] = {side: [] for side in SIDES}
    for _ in range(repeats):
        for side in SIDES:
            with staged(side) as stage:
                runs[side].append(stage.run(seconds))
            print(f"{side.name}: measured", file=sys.stderr)
    found = {side: _median(each) for side, each in runs.items()}
    of_single = found[SIDES[0]].micros / found[SIDES[1]].micros
    goals = [Goal("decisions of 1 node / of a single server, by processor time", of_single, 0.9)]
    took = time.perf_counter() - began
    if wanted.json:
        show_json({"runs": {side.name: run for side, run in found.items()}, "seconds": took}, goals)
        return
    rows = [
        (side.name, f"{run.decisions:,.0f}", f"{run.matches:.0f}", f"{run.micros:.0f}",
         f"{run.bus:.0f}", f"{run.database:.0f}")
        for side, run in found.items()
    ]  # fmt: skip
    columns = (
        "",
        "decisions/s",
        "matches/s",
        "us of the nodes a decision",
        "us of NATS",
        "us of PostgreSQL",
    )
    show(f"{took:.0f} s", [Figures("two-player matches, rated", columns, rows)], goals)


if __name__ == "__main__":
    main()
