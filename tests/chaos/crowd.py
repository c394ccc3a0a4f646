"""A crowd of bots in one process, each with a connection of its own: they choose by lot.

python -m tests.chaos.crowd NAME...
"""

import asyncio
import logging
import sys
from collections.abc import Sequence

from paddock import play
from paddock.bots.random import RandomBot


async def main(names: Sequence[str]) -> None:
    """Play until the process is killed."""
    await asyncio.gather(*(play(RandomBot(), name=name, max_matches=2) for name in names))


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    asyncio.run(main(sys.argv[1:]))
