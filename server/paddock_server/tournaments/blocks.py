"""Blocks of a tournament: the first match of a block is dealt, the others get its deal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from paddock_ladder.schedules import Pairing
from paddock_server.referee.plan import Deal


@dataclass
class _Block:
    size: int
    deal: Deal | None = None
    leads: str = ""  # the key of the match whose deal the others wait for
    held: list[Pairing] = field(default_factory=list)


class Blocks:
    """The blocks of a tournament: which matches may be submitted, and with which deal."""

    def __init__(self) -> None:
        self._blocks: dict[str, _Block] = {}

    def add(
        self, pairings: Iterable[Pairing], sizes: Mapping[str, int]
    ) -> list[tuple[Pairing, Deal | None, int]]:
        """Add pairings; those that can be played now, with their deal and their block's size."""
        ready = []
        for pairing in pairings:
            block = self._blocks.setdefault(pairing.block, _Block(sizes[pairing.block]))
            if block.deal is None and block.leads and block.size > 1:
                block.held.append(pairing)
                continue
            block.leads = block.leads or pairing.key
            ready.append((pairing, block.deal, block.size))
        return ready

    def lead(self, name: str, key: str, size: int) -> None:
        """Note that a match of this block is under way, and not dealt yet."""
        self._blocks.setdefault(name, _Block(size)).leads = key

    def dealt(self, name: str, deal: Deal, size: int) -> list[tuple[Pairing, Deal | None, int]]:
        """Note the deal of this block; the pairings that can be played now."""
        block = self._blocks.setdefault(name, _Block(size))
        if block.deal is None:
            block.deal = deal
        held, block.held = block.held, []
        return [(pairing, block.deal, block.size) for pairing in held]

    def gone(self, name: str, key: str) -> list[tuple[Pairing, Deal | None, int]]:
        """Note that the first match of a block is not played; the pairing that is dealt instead."""
        block = self._blocks.get(name)
        if block is None or block.deal is not None or block.leads != key or not block.held:
            return []
        first = block.held.pop(0)
        block.leads = first.key
        return [(first, None, block.size)]

    def drop(self, name: str, key: str) -> None:
        """Drop a match of this block, which is not played any more."""
        block = self._blocks.get(name)
        if block is not None:
            block.held = [pairing for pairing in block.held if pairing.key != key]

    @property
    def held(self) -> list[Pairing]:
        """The pairings that wait for their block's deal."""
        return [pairing for block in self._blocks.values() for pairing in block.held]
