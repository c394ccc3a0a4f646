"""A process that journals events without waiting for the disk, until somebody kills it.

It says on its standard output which event is safe, as soon as it was told so and not before.
"""

import asyncio
import sys
from functools import partial
from itertools import count

from paddock_server.referee.events import Dealt
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import JournalRow


async def main(path: str, number: int, group: int) -> None:
    """Journal events of this match for ever, so many at a time."""
    database = Database(path)
    told = asyncio.Event()

    for begin in count(0, group):
        steps = range(begin, begin + group)
        rows = [JournalRow(number, step, Dealt([f"{step}"])) for step in steps]
        append = partial(store.append, events=rows)
        told.clear()
        database.writer.insist(append, lambda _: told.set(), sync=False)
        await told.wait()
        sys.stdout.write(f"{steps.stop}\n")
        sys.stdout.flush()


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
