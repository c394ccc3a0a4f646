"""The process that computes a standing: `python -m paddock_server.standings.process FORMAT`.

PADDOCK_DB names the database. The standing goes to standard output as `standings.loads` reads it.
"""

import os
import sys
from typing import Final

from paddock_ladder.rating import BadRating
from paddock_server.standings.recomputing import standing_now
from paddock_server.store.address import CannotOpen
from paddock_server.store.database import Database
from paddock_server.store.standings import dumps

_LOWEST_PRIORITY: Final = 19


def main() -> int:
    """Compute the standing; return 1 and write a sentence to stderr where that fails."""
    os.nice(_LOWEST_PRIORITY)
    try:
        database = Database(os.environ["PADDOCK_DB"], reading=True)
        try:
            standing = database.look(standing_now, sys.argv[1])
        finally:
            database.close()
    except (BadRating, CannotOpen) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    sys.stdout.buffer.write(dumps(standing))
    return 0


if __name__ == "__main__":
    sys.exit(main())
