"""A tournament that waits for its bots, which come when the test wants them to."""

from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

from paddock.v1 import tournament_pb2, tournament_pb2_grpc
from paddock_server.cli.background import Background
from tests.server.process import Server
from tests.server.raw import bots, connected

NAME = "waiting-cup"
CUP = f"""
name = "{NAME}"
schedule = "round-robin"
formats = ["two-player"]
bots = ["slow", "late"]
rated = false
rotations = true
"""


class WaitingCup:
    """A tournament of slow and late; neither is there at first."""

    def __init__(self, background: Background, server: Server) -> None:
        self._background = background
        self._server = server
        self._stack = AsyncExitStack()
        self._cups: Any = None

    def open(self) -> None:
        """Start the tournament."""
        self._background.run(self._open())

    async def _open(self) -> None:
        channel = await self._stack.enter_async_context(connected(self._server.address))
        self._cups = tournament_pb2_grpc.TournamentServiceStub(channel)
        await self._cups.StartTournament(tournament_pb2.StartTournamentRequest(definition=CUP))

    def enter(self, name: str, formats: list[str]) -> None:
        """Connect a bot that plays these formats."""
        self._background.run(self._enter(name, formats))

    async def _enter(self, name: str, formats: list[str]) -> None:
        entered = bots(self._server.address, [name], formats=formats)
        await self._stack.enter_async_context(entered)

    def close(self) -> None:
        """Stop the tournament, and let the bots go."""
        self._background.run(self._close())

    async def _close(self) -> None:
        await self._cups.StopTournament(tournament_pb2.StopTournamentRequest(name=NAME))
        await self._stack.aclose()


@contextmanager
def waiting_cup(server: Server) -> Iterator[WaitingCup]:
    """A tournament that waits until the test lets its bots in."""
    with Background() as background:
        cup = WaitingCup(background, server)
        cup.open()
        try:
            yield cup
        finally:
            cup.close()
