"""A temporary server with its bots as processes, for the time of one run."""

import asyncio
import secrets
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from paddock_server.programs.processes import (
    CONNECT_SECONDS,
    BotFailed,
    BotProcess,
    BotProgram,
    Kennel,
    Starter,
)
from paddock_server.referee.clock import Clock
from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings
from paddock_server.tables.notices import EndListener, Finished

_LOOK_SECONDS: Final = 0.1
_AWAY_SECONDS: Final = 30.0  # without a connection, though the process runs


@dataclass
class Company:
    """The bots of a run, the folder of their logs, and who hears of them."""

    entries: Sequence[BotProgram]
    tell: Callable[[str], None]  # gets sentences about what happens to a bot
    logs: Path | None = None  # the folder of what they write
    starter: Starter = BotProcess.start  # starts them, perhaps in jails
    probation: dict[str, str] = field(default_factory=dict)  # why, by bot; as it is now

    @property
    def names(self) -> list[str]:
        """The bots' names."""
        return [entry.name for entry in self.entries]


class OwnServer:
    """A server and its bots: one that ends is restarted, one that keeps failing ends the run."""

    def __init__(self, serving: Serving, kennel: Kennel, company: Company) -> None:
        self.serving = serving
        self._kennel = kennel
        self._company = company
        self._failed_trials: list[str] = []
        self._seen: dict[str, float] = {}  # when a bot was connected last
        serving.tables.listeners.append(EndListener(self._on_finish))

    async def gather(self, formats: Sequence[str]) -> None:
        """Start the bots, and wait until all are connected; BotFailed if one lacks a format."""
        await self._kennel.open()
        presence = self.serving.lobby.presence

        async def present() -> list[str]:
            return [each.bot for each in presence.everybody()]

        late = await self._kennel.arrive(present)
        for failed in self._kennel.failed.values():
            raise failed
        for name in late:
            raise BotFailed(f"{name} did not connect within {CONNECT_SECONDS:.0f} s")
        for name in self._company.names:
            connected = presence.find(name)
            plays = formats if connected is None else connected.formats
            for format_name in formats:
                if format_name not in plays:
                    raise BotFailed(
                        f"{name} does not play {format_name}; it plays {', '.join(plays)}"
                    )

    async def until(self, done: Coroutine[Any, Any, None]) -> None:
        """Wait until this is done; raises BotFailed if a bot makes that impossible."""
        work = asyncio.create_task(done)
        try:
            while not work.done():
                self._look()
                await asyncio.wait([work], timeout=_LOOK_SECONDS)
            await work
        finally:
            work.cancel()

    def _look(self) -> None:
        """Raise BotFailed if no match of a bot can begin any more."""
        for failed in self._kennel.failed.values():
            raise failed
        for bot in self._failed_trials:
            raise BotFailed(
                f"{bot} is on probation, and its trial match had faults too; fix the bot before it "
                "plays again"
            )
        now = asyncio.get_running_loop().time()
        for bot in self._company.names:
            if bot in self.serving.lobby.presence:
                self._seen[bot] = now
            elif (
                now - max(self._seen.setdefault(bot, now), self._kennel.began[bot]) > _AWAY_SECONDS
            ):
                raise BotFailed(f"{bot} runs, but has not been connected for {_AWAY_SECONDS:.0f} s")

    def _tell_probation(self) -> None:
        known, why = self._company.probation, self.serving.lobby.presence.on_probation()
        for bot in self._company.names:
            if bot in why and bot not in known:
                self._company.tell(f"{bot} is on probation: {why[bot]}")
            elif bot in known and bot not in why:
                self._company.tell(f"{bot} is off probation: its trial match had no faults")
        known.clear()
        known.update(why)

    def _on_finish(self, finished: Finished) -> None:
        self._tell_probation()
        if finished.plan.trial:
            why = self.serving.lobby.presence.on_probation()
            self._failed_trials += [bot for bot in finished.plan.waited_for if bot in why]


@asynccontextmanager
async def own_server(
    company: Company, clock: Clock, database: str | None = None, dice_secret: str = ""
) -> AsyncIterator[OwnServer]:
    """A temporary server for these bots.

    Without a database it uses a temporary one. The bots have the same secret for their dice, so
    that in a comparison bots that play alike throw alike.
    """
    with tempfile.TemporaryDirectory(prefix="paddock-") as folder:
        place = database or str(Path(folder) / "paddock.db")
        serving = Serving(Settings(database=place, grpc="127.0.0.1:0", clock=clock))
        try:
            await serving.start()
            env = {
                "PADDOCK_SERVER": serving.address,
                "PADDOCK_TOKEN": "",
                "PADDOCK_DICE_SECRET": dice_secret or secrets.token_hex(16),
            }
            kennel = Kennel(
                company.entries, env, company.tell, company.logs, starter=company.starter
            )
            try:
                yield OwnServer(serving, kennel, company)
            finally:
                await kennel.close()
        finally:
            await serving.stop()
