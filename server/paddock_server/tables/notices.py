"""Notices of matches, for listeners: a match was dealt, a match is over."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from paddock_server.referee.plan import Deal, Plan
from paddock_server.referee.result import SeatResult
from paddock_server.store.rows import RatingChange

_LOG = logging.getLogger("paddock.tables")


class MatchDealt(NamedTuple):
    """A match whose deal is stored, so that the others of its block can be dealt."""

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
    """A listener that hears of deals and of finished matches."""

    def dealt(self, dealt: MatchDealt) -> None:
        """A match was dealt."""

    def finished(self, finished: Finished) -> None:
        """A match is over, and its record is stored."""


class EndListener:
    """A listener that hears of finished matches only."""

    def __init__(self, hear: Callable[[Finished], None]) -> None:
        self._hear = hear

    def dealt(self, dealt: MatchDealt) -> None:
        """Ignore a deal."""

    def finished(self, finished: Finished) -> None:
        """Pass a finished match on."""
        self._hear(finished)


class Listeners(list[Listener]):
    """The listeners of a server, in the order in which they hear of matches."""

    def dealt(self, dealt: MatchDealt) -> None:
        """Tell all listeners of a deal."""
        for listener in self:
            try:
                listener.dealt(dealt)
            except Exception:  # noqa: BLE001 -- the other matches have to go on
                _LOG.exception("listener failed after a deal", extra={"match": dealt.id})

    def finished(self, finished: Finished) -> None:
        """Tell all listeners of a finished match."""
        for listener in self:
            try:
                listener.finished(finished)
            except Exception:  # noqa: BLE001 -- the other matches have to go on
                _LOG.exception("listener failed after a match ended", extra={"match": finished.id})
