"""A match under way that goes on only when the test wants it to."""

from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Self

from paddock_server.cli.background import Background
from tests.server.organiser import Organiser
from tests.server.process import Server
from tests.server.raw import Bot, bots, connected, nothing, number


class PatientTable:
    """Two bots in a thread of their own, who answer when they are told to."""

    def __init__(self, background: Background, server: Server) -> None:
        self._background = background
        self._server = server
        self._stack = AsyncExitStack()
        self._bots: list[Bot] = []
        self._answered = 0
        self.match = ""

    def open(self) -> Self:
        """Begin the match, and wait for its first asks."""
        self._background.run(self._open())
        return self

    async def _open(self) -> None:
        channel = await self._stack.enter_async_context(connected(self._server.address))
        self._bots = await self._stack.enter_async_context(
            bots(self._server.address, ["calm", "still"], nothing, version="1")
        )
        (self.match,) = await Organiser(channel).start("two-player", ["calm", "still"])
        for bot in self._bots:
            await bot.next("ask")

    def step(self) -> bool:
        """Have both answer what they were asked; False: it is over."""
        return self._background.run(self._step())

    async def _step(self) -> bool:
        for bot in self._bots:
            ask = await bot.next("ask", self._answered)
            bot.put(number(ask.ask_id, 0))
        self._answered += 1
        for bot in self._bots:
            await bot.until(
                lambda bot=bot: bot.of("match_ended") or bot.of("ask")[self._answered :]  # type: ignore[misc]
            )
        return not self._bots[0].of("match_ended")

    def close(self) -> None:
        """Let the bots go."""
        self._background.run(self._stack.aclose())


@contextmanager
def patient_table(server: Server) -> Iterator[PatientTable]:
    """A two-player match that waits for the test."""
    with Background() as background:
        table = PatientTable(background, server)
        try:
            yield table.open()
        finally:
            table.close()
