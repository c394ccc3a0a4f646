"""The web workers of a server: started with it, started again when they die, ended with it."""

import asyncio
import logging
import shutil
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from paddock_server.basics.errors import ServerError
from paddock_server.basics.own_process import plain_environment
from paddock_server.programs.child import start_child
from paddock_server.serving.web_worker import READY, Order
from paddock_server.visitors.limits import VisitorLimits
from paddock_server.web.listening import listener_on

_LOG: Final = logging.getLogger("paddock.serving")
_PAUSE_SECONDS: Final = 1.0  # before a worker that died is started again


class WebWorkers:
    """Processes that share one socket, where visitors come."""

    def __init__(self, count: int, database: str, watchers: int, limits: VisitorLimits) -> None:
        self._count = count
        self._database = database
        self._watchers = watchers
        self._limits = limits
        self._folder = Path(tempfile.mkdtemp(prefix="paddock-web-"))  # for its owner alone
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: socket.socket | None = None

    @property
    def path(self) -> Path:
        """The socket on which the server answers its workers."""
        return self._folder / "server.sock"

    async def start(self, address: str) -> str:
        """Listen on host:port, and return where, as soon as every worker is ready."""
        # It stays open here, because a worker that is started again gets it, too.
        listener = self._listener = listener_on(address)
        order = Order(listener.fileno(), str(self.path), self._watchers, self._limits)
        ready = [asyncio.Event() for _ in range(self._count)]
        self._tasks = [asyncio.create_task(self._keep(order, event)) for event in ready]
        waiting = asyncio.gather(*(event.wait() for event in ready))
        either: list[asyncio.Future[Any]] = [waiting, *self._tasks]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        for task in self._tasks:
            if task.done():
                task.result()
        return f"{address.rpartition(':')[0]}:{listener.getsockname()[1]}"

    async def _keep(self, order: Order, ready: asyncio.Event) -> None:
        """Have one worker, always."""
        while True:
            process = await start_child(
                *(sys.executable, "-m", "paddock_server.serving.web_worker", order.text()),
                env={**plain_environment(), "PADDOCK_DB": self._database},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                pass_fds=(order.listener,),
                start_new_session=True,  # Ctrl-C is for us
            )
            assert process.stdin and process.stdout  # noqa: S101, PT018 -- pipes, above
            try:
                if await process.stdout.readline() == READY:
                    ready.set()
                code = await process.wait()
            finally:
                process.stdin.close()  # which ends it
                await process.wait()
            if not ready.is_set():
                raise ServerError("a web worker can't be started; see above", "server/unusable")
            _LOG.error("web worker ended with %d; another one is started", code)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def stop(self) -> None:
        """End all workers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._listener is not None:
            self._listener.close()
        shutil.rmtree(self._folder, ignore_errors=True)
