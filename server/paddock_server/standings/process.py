"""The process that reads whole histories for a server, and writes what it computed to stdout.

    python -m paddock_server.standings.process standing FORMAT       for `standings.loads`
    python -m paddock_server.standings.process suspicions FORMAT...  for `suspicions.loads`

PADDOCK_DB names the database.
"""

import os
import sys
from collections.abc import Sequence
from typing import Final

from paddock_ladder.rating import BadRating
from paddock_server.standings import suspicions
from paddock_server.standings.inspecting import find_suspicions
from paddock_server.standings.recomputing import standing_now
from paddock_server.store import standings
from paddock_server.store.address import CannotOpen
from paddock_server.store.database import Database

_LOWEST_PRIORITY: Final = 19


def main() -> int:
    """Do the task that the arguments name; return 1 and write a sentence to stderr if it fails."""
    os.nice(_LOWEST_PRIORITY)
    _, task, *format_names = sys.argv
    try:
        database = Database(os.environ["PADDOCK_DB"], reading=True)
        try:
            result = _computed(database, task, format_names)
        finally:
            database.close()
    except (BadRating, CannotOpen) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    sys.stdout.buffer.write(result)
    return 0


def _computed(database: Database, task: str, format_names: Sequence[str]) -> bytes:
    if task == "suspicions":
        pairs = [pair for name in format_names for pair in database.look(find_suspicions, name)]
        return suspicions.dumps(pairs)
    (format_name,) = format_names
    return standings.dumps(database.look(standing_now, format_name))


if __name__ == "__main__":
    sys.exit(main())
