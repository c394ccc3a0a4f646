"""A server's memory over many matches: what it knows of a match goes with the match."""

import asyncio
import gc
from collections import Counter
from pathlib import Path

from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings
from paddock_server.tables.notices import EndListener, Finished
from tests.server.process import patiently

FEW, MANY = 5, 40
TABLES = {"winter": 5, "two-player": 2, "dino-twist": 3}


def own_objects() -> Counter[str]:
    """The objects of the server's kinds, and of what waits on its event loop."""
    gc.collect()
    kinds = (type(each) for each in gc.get_objects())
    return Counter(
        f"{kind.__module__}.{kind.__qualname__}"
        for kind in kinds
        if kind.__module__.startswith(("paddock_server.", "asyncio.", "_asyncio"))
    )


def test_matches_leave_nothing_behind(tmp_path: Path) -> None:
    async def play() -> None:
        settings = Settings(str(tmp_path / "paddock.db"), grpc="127.0.0.1:0", standing_seconds=0.0)
        serving = Serving(settings)
        await serving.start()
        over: list[str] = []

        def finished(how: Finished) -> None:
            over.append(type(how).__name__)

        serving.tables.listeners.append(EndListener(finished))

        async def some(matches: int) -> Counter[str]:
            wanted = len(over) + matches * len(TABLES)
            for format_name, seats in TABLES.items():
                bots = ["house-random", *["house-greedy"] * (seats - 1)]
                await serving.lobby.add_matches(format_name, bots, matches, seats=seats)
            async for _ in patiently():
                if len(over) == wanted and not len(serving.tables):
                    return own_objects()
            raise AssertionError("they never ended")

        try:
            await some(FEW)
            before = await some(FEW)
            after = await some(MANY)
            async for _ in patiently():  # what the last match left is gone in a moment
                if sum((after - before).values()) <= FEW:
                    break
                after = own_objects()
        finally:
            await serving.stop()

    asyncio.run(play())
