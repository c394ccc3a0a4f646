"""Notices of matches, for listeners: a match was dealt, a match is over."""

import logging
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from paddock_games import PlayedMatch
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
    withheld: tuple[str, ...] = ()  # bots that were connected, and whose nonce was late


class Finished(NamedTuple):
    """A match that is over, with everything that its record is written from."""

    number: int
    id: str
    plan: Plan
    results: Sequence[SeatResult]  # by seat
    whole: PlayedMatch | None  # None: it was played on another node of a cluster
    changes: Sequence[RatingChange] = ()  # by seat; empty: it is not rated

    @property
    def played(self) -> PlayedMatch:
        """The whole match, which the node that played it knows."""
        if self.whole is None:
            raise LookupError(f"match {self.id} was played on another node")
        return self.whole


class MatchStuck(NamedTuple):
    """A match that was set aside, because the server could not store what happened in it."""

    number: int
    id: str
    plan: Plan
    why: str


class Listener(Protocol):
    """A listener that hears of deals, of finished matches and of those that were set aside."""

    def dealt(self, dealt: MatchDealt) -> None:
        """A match was dealt."""

    def finished(self, finished: Finished) -> None:
        """A match is over, and its record is stored."""

    def stuck(self, stuck: MatchStuck) -> None:
        """A match was set aside."""


class EndListener:
    """A listener that hears of finished matches only."""

    def __init__(self, hear: Callable[[Finished], None]) -> None:
        self._hear = hear

    def dealt(self, dealt: MatchDealt) -> None:
        """Ignore a deal."""

    def finished(self, finished: Finished) -> None:
        """Pass a finished match on."""
        self._hear(finished)

    def stuck(self, stuck: MatchStuck) -> None:
        """Ignore a match that was set aside."""


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

    def stuck(self, stuck: MatchStuck) -> None:
        """Tell all listeners of a match that was set aside."""
        for listener in self:
            try:
                listener.stuck(stuck)
            except Exception:  # noqa: BLE001 -- the other matches have to go on
                _LOG.exception("listener failed after a match stuck", extra={"match": stuck.id})
