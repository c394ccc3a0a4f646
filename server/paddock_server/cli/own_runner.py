"""A runner beside a server: `paddock serve --runner` keeps one, and ends it with itself."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from paddock_server.basics.identity import hash_token, new_token, stamp
from paddock_server.basics.own_process import plain_environment
from paddock_server.jails.doctor import admitted, examine
from paddock_server.programs import tether
from paddock_server.programs.child import start_child
from paddock_server.serving.server import Serving
from paddock_server.serving.settings import CannotServe, Settings
from paddock_server.store import leases
from paddock_server.store.connection import Connection
from paddock_server.store.leases import RunnerRow

_LOG = logging.getLogger("paddock.runner")
_NAME: Final = "beside-the-server"
_END_SECONDS: Final = 8.0
_PAUSE_SECONDS: Final = 2.0  # until one that ended by itself is started again


def check_own_runner(settings: Settings, *, accept_weaker: bool) -> None:
    """Refuse a runner where there is nothing for it to do, or where it can't dial in.

    Raises CannotJail where it would not start: else its server would wait for it, and say nothing.
    """
    if not settings.submissions.enabled:
        raise CannotServe(
            "--runner needs submissions; set enabled in [submissions] of paddock.toml"
        )
    if settings.tls is not None:
        raise CannotServe(
            "--runner dials without TLS; start paddock runner beside this server with --tls-ca"
        )
    admitted(examine(), accept_weaker=accept_weaker)


class OwnRunner:
    """A runner as a process of its own, with a token that is new at every start."""

    def __init__(self, serving: Serving, options: Sequence[str]) -> None:
        """The options are those of `paddock runner`."""
        self._serving = serving
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start it, and start it again whenever it ends by itself; the server listens."""
        token = new_token()
        row = RunnerRow(_NAME, hash_token(token), stamp())

        def enlist(connection: Connection) -> None:
            leases.remove_runner(connection, _NAME)
            leases.add_runner(connection, row)

        await self._serving.database.writer.write(enlist)
        self._process = await self._begin(token)
        self._keeping = asyncio.create_task(self._keep(token, self._process))

    async def _keep(self, token: str, process: asyncio.subprocess.Process) -> None:
        while True:
            code = await process.wait()
            _LOG.error("the runner ended with exit code %s; it is started again", code)
            await asyncio.sleep(_PAUSE_SECONDS)
            process = self._process = await self._begin(token)

    async def _begin(self, token: str) -> asyncio.subprocess.Process:
        return await start_child(
            *(sys.executable, "-I", "-S", str(Path(tether.__file__))),  # it ends with the server
            *(sys.executable, "-m", "paddock_server", "runner"),
            *("--server", self._serving.address, *self._options),
            stdin=asyncio.subprocess.PIPE,
            env={**plain_environment(), "PADDOCK_RUNNER_TOKEN": token},
        )

    async def stop(self) -> None:
        """End it."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        process = self._process
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
