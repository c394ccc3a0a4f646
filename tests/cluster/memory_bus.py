"""A bus in memory that loses, repeats, delays and splits packets by a seeded schedule."""

import asyncio
import random
from collections.abc import Callable


class Weather:
    """What happens to packets; 0 everywhere is a perfect bus."""

    def __init__(
        self, seed: int = 0, *, lost: float = 0, twice: float = 0, late: float = 0
    ) -> None:
        self.rng = random.Random(seed)
        self.lost, self.twice, self.late = lost, twice, late
        self.delay = 0.0  # seconds that every packet takes
        self.split: set[frozenset[int]] = set()  # pairs of nodes that can't reach each other
        self.hearers: dict[int, Callable[[bytes], None]] = {}


class MemoryBus:
    """A node's connection to the bus."""

    def __init__(self, weather: Weather) -> None:
        self._weather = weather
        self._me = 0

    def listen(self, node: int, hear: Callable[[bytes], None]) -> None:
        self._me = node
        self._weather.hearers[node] = hear

    async def open(self) -> None:
        pass

    def carry(self, node: int, packet: bytes) -> None:
        weather, rng = self._weather, self._weather.rng
        if frozenset((self._me, node)) in weather.split or rng.random() < weather.lost:
            return
        for _ in range(2 if rng.random() < weather.twice else 1):
            delay = weather.delay + (rng.random() * 0.05 if rng.random() < weather.late else 0.0)
            asyncio.get_running_loop().call_later(delay, self._arrive, node, packet)

    def _arrive(self, node: int, packet: bytes) -> None:
        hear = self._weather.hearers.get(node)
        if hear is not None and frozenset((self._me, node)) not in self._weather.split:
            hear(packet)

    async def close(self) -> None:
        self._weather.hearers.pop(self._me, None)
