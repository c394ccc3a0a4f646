"""Faults on purpose: `python -m tests.chaos --minutes 10`, or `make chaos`.

Real servers and bots play while a seeded schedule kills and freezes the server, cuts and slows
lines, fills the disk, crashes the database and lets hostile clients in. At the end everything is
audited. Prints one line per database, and the seed with which the schedule can be repeated.
With --without, nodes of a cluster (fence, proof) or the server (storing) have a hole, and the run
fails if the audit finds nothing.
"""

import argparse
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.chaos.cluster_run import Schedule, run_cluster
from tests.chaos.field import Field
from tests.chaos.places import PLACES
from tests.chaos.run import run

_STORING = "storing"  # of every match that a single server acknowledges
_CLUSTER = "cluster"  # of three nodes, on PostgreSQL and NATS


def main() -> int:
    """Run what the command line asks for; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.chaos",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="per database (default: 5)")
    parser.add_argument("--seed", type=int, help="of the schedule (default: a new one)")
    kinds = [*PLACES, _CLUSTER]
    parser.add_argument("--db", choices=kinds, action="append", help="(default: all)")
    parser.add_argument(
        "--without",
        default="",
        choices=("fence", "proof", _STORING),
        help="leave a safeguard out",
    )
    parser.add_argument("--fault", action="append", help="of a cluster, this alone (all)")
    parser.add_argument("--bots", type=int, default=0, help="of a cluster (one of each program)")
    parser.add_argument(
        "--cups", action="store_true", help="a ladder and a tournament with blocks, in a cluster"
    )
    parser.add_argument("--keep", type=Path, help="a folder that keeps logs and databases")
    options = parser.parse_args()
    seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
    failed = False
    for kind in options.db or kinds:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (options.keep or Path(temporary)) / kind
            folder.mkdir(parents=True)
            seconds = 60 * options.minutes
            if kind == _CLUSTER:
                field = Field(options.bots, options.cups)
                schedule = Schedule(seed, options.fault or (), options.without, field)
                outcome, happened = run_cluster(schedule, seconds, folder)
            else:
                weak = options.without == _STORING
                module = "tests.chaos.weak_server" if weak else "paddock_server"
                outcome, happened = run(kind, seed, seconds, folder, module)
        faults = ", ".join(f"{count} {name}" for name, count in sorted(Counter(happened).items()))
        verdict = f"{len(outcome.problems)} PROBLEMS" if outcome.problems else "ok"
        print(
            f"{kind}, seed {seed}: {outcome.matches} matches, {outcome.faults} faults ({faults}), "
            f"{outcome.megabytes:.0f} MB: {verdict}",
            flush=True,
        )
        for problem in outcome.problems:
            print(f"  {problem}")
        failed = failed or bool(outcome.problems) != bool(options.without)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
