"""The process that reads whole histories for a server, and writes what it computed to stdout.

    python -m paddock_server.standings.process standing FORMAT       for `standings.loads`
    python -m paddock_server.standings.process suspicions FORMAT...  for `suspicions.loads`

The last line of stdout is how many seconds of CPU it took, whether it succeeded or not.
PADDOCK_DB names the database. Standard input says whether matches are open (pace.py), and its end
ends the process.
"""

import os
import sys
import time
from collections.abc import Sequence
from typing import Final

from paddock_ladder.rating import BadRating
from paddock_server.standings import suspicions
from paddock_server.standings.inspecting import find_suspicions
from paddock_server.standings.pace import Pace
from paddock_server.standings.recomputing import read_material, standing_of
from paddock_server.store import standings
from paddock_server.store.address import CannotOpen
from paddock_server.store.database import Database

_LOWEST_PRIORITY: Final = 19


def main() -> int:
    """Do the task that the arguments name; return 1 and write a sentence to stderr if it fails."""
    os.nice(_LOWEST_PRIORITY)
    _, task, *format_names = sys.argv
    try:
        with Pace():
            result = _result(task, format_names)
    except (BadRating, CannotOpen) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    else:
        sys.stdout.buffer.write(result)
        return 0
    finally:
        sys.stdout.buffer.write(b"\n%.3f" % time.process_time())


def _result(task: str, format_names: Sequence[str]) -> bytes:
    database = Database(os.environ["PADDOCK_DB"], reading=True)
    try:
        return _computed(database, task, format_names)
    finally:
        database.close()


def _computed(database: Database, task: str, format_names: Sequence[str]) -> bytes:
    if task == "suspicions":
        pairs = [pair for name in format_names for pair in database.look(find_suspicions, name)]
        return suspicions.dumps(pairs)
    (format_name,) = format_names
    # Nothing is computed while the database has to keep the moment that is read.
    return standings.dumps(standing_of(database.look(read_material, format_name)))


if __name__ == "__main__":
    sys.exit(main())
