"""A player that is connected somewhere else: whether it can be reached is not known at once."""

import asyncio
from collections.abc import Callable

from paddock.v1 import arena_pb2
from paddock_server.referee.plan import Entrant


class FarPlayer:
    """Another player than a session: it vouches when a test says so, and counts all it is told."""

    lag = 0.0
    host_delay = 0.0

    def __init__(self, name: str) -> None:
        self.entrant = Entrant(name, "1", f"{name}'s", sends_nonces=False)
        self.probes: list[Callable[[bool], None]] = []
        self.items: list[arena_pb2.RefereeItem] = []
        self.uselessness = 0
        self._news = asyncio.Event()

    def send(self, item: bytes) -> None:
        self.items += arena_pb2.PlayResponse.FromString(item).items
        self._news.set()

    def ask(self, item: bytes, ask_id: int) -> None:
        del ask_id
        self.send(item)

    def useless(self) -> None:
        self.uselessness += 1

    def vouches(self, later: Callable[[bool], None]) -> bool:
        self.probes.append(later)
        self._news.set()
        return False

    async def until(self, so: Callable[[], bool]) -> None:
        """Wait until this is so; it is looked at whenever the player hears something."""
        while not so():
            self._news.clear()
            await self._news.wait()

    @property
    def asks(self) -> list[arena_pb2.Ask]:
        return [item.ask for item in self.items if item.WhichOneof("item") == "ask"]

    @property
    def faults(self) -> list[int]:
        """The faults of seat 0, which is the player's, step by step."""
        happened = [item.happened for item in self.items if item.WhichOneof("item") == "happened"]
        return [step.revealed[0].fault for step in happened]
