"""A web worker: a process of low priority that serves pages and only reads the database.

    python -m paddock_server.serving.web_worker SETTINGS

PADDOCK_DB names the database; SETTINGS is the JSON of `Order`. It ends when its standard input
does, so it can't outlive the server.
"""

import asyncio
import json
import os
import socket
import sys
from contextlib import suppress
from typing import Any, Final, NamedTuple

from paddock_server.observe.logs import set_up
from paddock_server.store.database import Database
from paddock_server.visitors.limits import VisitorLimits
from paddock_server.visitors.visitors import Visitors
from paddock_server.web.listening import Listening
from paddock_server.web.pulse import Pulse
from paddock_server.web.worker_app import worker_app

_LOWEST_PRIORITY: Final = 19
READY: Final = b"ready\n"


class Order(NamedTuple):
    """The instructions for a worker."""

    listener: int  # the descriptor of the socket where visitors come
    path: str  # of the server's own socket
    watchers: int  # at once
    limits: VisitorLimits

    def text(self) -> str:
        """The order as an argument."""
        return json.dumps(self)

    @classmethod
    def read(cls, text: str) -> "Order":
        """The order in an argument."""
        listener, path, watchers, limits = json.loads(text)
        return cls(listener, path, watchers, VisitorLimits(*limits))


def main() -> None:
    """Serve until standard input ends."""
    order = Order.read(sys.argv[1])
    set_up("text", "warning")
    _make_way()
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(order))


def _make_way() -> None:
    """Take the lowest priority: what plays comes first, whenever it wants the core."""
    os.nice(_LOWEST_PRIORITY)
    idle = getattr(os, "SCHED_IDLE", None)
    if idle is not None:
        with suppress(OSError):
            os.sched_setscheduler(0, idle, os.sched_param(0))


async def _serve(order: Order) -> None:
    database = Database(os.environ["PADDOCK_DB"], reading=True)
    pulse = Pulse(order.path)
    limits = order.limits._replace(share=order.limits.worker_share)
    visitors = Visitors(limits, order.watchers, lambda: pulse.playing)
    listener = socket.socket(fileno=order.listener)
    feeling = asyncio.create_task(pulse.feel())
    listening = Listening(worker_app(database, visitors, pulse, order.path), limits, listener)
    with suppress(OSError):  # the server is gone already
        os.write(sys.stdout.fileno(), READY)
    try:
        await _end_of_input()
    finally:
        feeling.cancel()
        visitors.close()
        await listening.stop()
        database.close()


async def _end_of_input() -> None:
    reader: Any = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()


if __name__ == "__main__":
    main()
