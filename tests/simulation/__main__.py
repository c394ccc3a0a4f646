"""Simulated worlds, one per seed: `python -m tests.simulation --seeds 1-20`.

The server's own rooms, the store on SQLite and the Python SDK play in simulated time, without
sockets and threads. Servers are killed, lines are cut, the power fails, the disk is full, the
machine is suspended. Every world is audited, prints one line, and can be repeated by its seed.
"""

import argparse
import asyncio
import logging
import os
import sys
import tempfile
import time
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import NamedTuple

from paddock_server.store.database import Database
from tests.simulation.audit import problems
from tests.simulation.clockwork import Clockwork
from tests.simulation.world import Trouble, World


class Outcome(NamedTuple):
    """How a world ended."""

    digest: str  # of everything that it stored
    matches: int
    simulated: float  # seconds
    problems: list[str]
    happened: list[str]  # that went wrong on the way


def main() -> int:
    """Simulate the worlds that the command line asks for; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", default="1-5", help="such as 7 or 1-20 (default: 1-5)")
    parser.add_argument("--power-cuts", type=int, default=1, help="per world (default: 1)")
    parser.add_argument(
        "--lying-disk",
        action="store_true",
        help="lose writes that were reported as synced: the audit must notice it",
    )
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--jobs", type=int, default=cores, help="at once (default: one per core)")
    parser.add_argument("--verbose", action="store_true", help="also print what went wrong when")
    options = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # sets of names must have one order
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])
    trouble = Trouble(power_cuts=options.power_cuts, disk_lies=options.lying_disk)
    first, _, last = options.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    failed = matches = 0
    began = time.perf_counter()
    with Pool(options.jobs, _set_up_logs, (options.verbose,)) as pool:
        for seed, outcome in zip(seeds, pool.imap(partial(simulate, trouble), seeds), strict=True):
            matches += outcome.matches
            failed += bool(outcome.problems)
            _show(seed, outcome, verbose=options.verbose)
    rate = 60 * matches / (time.perf_counter() - began)
    print(f"{matches} matches, {rate:.0f} per minute, {failed} worlds with problems")
    return 1 if failed else 0


def _set_up_logs(verbose: bool) -> None:
    if verbose:
        logging.basicConfig(level=logging.INFO, format="  %(levelname)s %(name)s %(message)s")
    else:
        logging.disable(logging.CRITICAL)


def _show(seed: int, outcome: Outcome, *, verbose: bool) -> None:
    verdict = f"{len(outcome.problems)} PROBLEMS" if outcome.problems else "ok"
    print(
        f"seed {seed}: {outcome.matches} matches in {outcome.simulated:.0f} simulated "
        f"seconds, digest {outcome.digest}: {verdict}",
        flush=True,
    )
    for problem in outcome.problems:
        print(f"  {problem}")
    if verbose:
        print("".join(f"  {what}\n" for what in outcome.happened), end="")


def simulate(trouble: Trouble, seed: int) -> Outcome:
    """How one world ends; this process has the simulated time from then on."""
    with tempfile.TemporaryDirectory() as folder:
        return _simulate(trouble, seed, Path(folder) / "world.db")


def _simulate(trouble: Trouble, seed: int, path: Path) -> Outcome:
    clockwork = Clockwork()
    asyncio.set_event_loop(clockwork)
    clockwork.install(Random(f"secrets {seed}"))
    try:
        world = World(seed, path, clockwork, trouble)
        clockwork.run_until_complete(world.run())
        world.close()
        digest = world.digest
    finally:
        clockwork.close()
    database = Database(str(path))
    broken = list(problems(database, world.bots))
    database.close()
    return Outcome(digest, world.matches, clockwork.now, broken, world.happened)


if __name__ == "__main__":
    sys.exit(main())
