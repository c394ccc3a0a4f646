"""Notices of matches: what listeners hear when one was dealt, and when one is over."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from paddock_server.referee.plan import Deal, Plan
from paddock_server.referee.result import SeatResult
from paddock_server.store.rows import RatingChange

_LOG = logging.getLogger("paddock.tables")


class MatchDealt(NamedTuple):
    """A match whose deal is durable: others of its block can be dealt."""

    number: int
    id: str
    plan: Plan
    deal: Deal


class Finished(NamedTuple):
    """A match that is over, with its record."""

    number: int
    id: str
    plan: Plan
    results: Sequence[SeatResult]  # by seat
    record: Mapping[str, Any]  # the document
    changes: Sequence[RatingChange] = ()  # by seat; empty: it is not rated


class Listener(Protocol):
    """Whoever has to know of deals and ends."""

    def dealt(self, dealt: MatchDealt) -> None:
        """A match was dealt."""

    def finished(self, finished: Finished) -> None:
        """A match is over, and all of it is durable."""


class EndListener:
    """A listener to ends alone."""

    def __init__(self, hear: Callable[[Finished], None]) -> None:
        self._hear = hear

    def dealt(self, dealt: MatchDealt) -> None:
        """Nothing: deals are of no interest."""

    def finished(self, finished: Finished) -> None:
        """Hear of an end."""
        self._hear(finished)


class Listeners(list[Listener]):
    """All who listen, in the order in which they hear of things."""

    def dealt(self, dealt: MatchDealt) -> None:
        """Tell all of a deal."""
        for listener in self:
            try:
                listener.dealt(dealt)
            except Exception:  # noqa: BLE001 -- the other matches have to go on
                _LOG.exception("a listener failed at a deal", extra={"match": dealt.id})

    def finished(self, finished: Finished) -> None:
        """Tell all of an end."""
        for listener in self:
            try:
                listener.finished(finished)
            except Exception:  # noqa: BLE001 -- the other matches have to go on
                _LOG.exception("a listener failed at an end", extra={"match": finished.id})
