"""Suspicions: pairs of bots in which one wins too often, as an organiser is told of them.

They are found by `paddock_server.standings.inspecting`, which a server runs in a child process.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import NamedTuple

from paddock_server.basics.errors import ServerError
from paddock_server.standings import child


class Suspicion(NamedTuple):
    """A pair of bots in a format, in which the first wins more often than strengths allow."""

    format: str
    winner: str
    winner_version: str
    loser: str
    loser_version: str
    meetings: int
    wins: int
    expected: float  # wins, by the strengths of both
    chance: float  # of this many wins or more, if all is well


class NotInspected(ServerError):
    """Raised when a history can't be inspected; the text says why."""

    reason = "ladder/not_inspected"


class Inspector:
    """A reader of whole histories beside a server, one at a time."""

    def __init__(self, address: str) -> None:
        """`address` names the database."""
        self._address = address
        self._turn = asyncio.Lock()

    async def suspicions(self, format_names: Sequence[str]) -> list[Suspicion]:
        """The suspicions in these formats, the least credible of each format first."""
        async with self._turn:
            try:
                found = await child.output(self._address, "suspicions", *format_names)
            except child.ChildFailed as problem:
                raise NotInspected(str(problem)) from None
        return loads(found.written)


def dumps(suspicions: Sequence[Suspicion]) -> bytes:
    """Suspicions as bytes, for `loads`."""
    return json.dumps(suspicions).encode()


def loads(text: bytes) -> list[Suspicion]:
    """Suspicions that `dumps` wrote."""
    return [Suspicion(*values) for values in json.loads(text)]
