"""The process that reads whole histories for a server, and writes what it computed to stdout.

    python -m paddock_server.standings.process standing FORMAT       for `standings.loads`
    python -m paddock_server.standings.process suspicions FORMAT...  for `suspicions.loads`

PADDOCK_DB names the database.
"""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from paddock_ladder.rating import BadRating
from paddock_server.standings import suspicions
from paddock_server.standings.inspecting import find_suspicions
from paddock_server.standings.recomputing import standing_now
from paddock_server.store import standings
from paddock_server.store.address import CannotOpen
from paddock_server.store.database import Database

_LOWEST_PRIORITY: Final = 19
_BUSY: Final = 1.5  # seconds of CPU, which small ladders don't need


def give_way(seconds: float = _BUSY) -> None:
    """Take the lowest priority, and after some seconds of work only time that nobody wants.

    Of a core that is wanted, the lowest priority still takes a part, and keeps a process that wakes
    up waiting for some milliseconds. A process that Linux takes for idle gives way at once. But on
    a busy machine it hardly runs, so what takes a moment is done before.
    """
    os.nice(_LOWEST_PRIORITY)
    if sys.platform == "linux":
        signal.signal(signal.SIGPROF, _idle)
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _idle(_number: int, _frame: object) -> None:
    if sys.platform == "linux":
        with suppress(OSError):  # a sandbox may forbid it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> int:
    """Do the task that the arguments name; return 1 and write a sentence to stderr if it fails."""
    give_way()
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
