"""The base class of bots; `choose` is all that a bot needs."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from typing import Any, ClassVar

from paddock.ask import Ask
from paddock.match import Event, Match, Refusal, Result


class Bot(ABC):
    """A bot. Override `choose`, and any of the other methods.

    All of them may be plain or `async`. Plain ones run in threads, one for every match that is
    being played at once; what concerns one match is called in order, one call after the other.
    """

    name: ClassVar[str] = ""  # as the server knows it; empty: the name of the class
    version: ClassVar[str] = "1"
    formats: ClassVar[Sequence[str]] = ()  # that it plays; empty: all that the server has
    max_matches: ClassVar[int] = 8  # how many it plays at once

    @abstractmethod
    def choose(self, ask: Ask) -> Any:
        """One of `ask.legal`. Where this raises or returns anything else, the default is played,
        and counted as a fallback."""

    def started(self, match: Match) -> Awaitable[None] | None:  # noqa: B027
        """Called when a match begins."""

    def happened(self, match: Match, event: Event) -> Awaitable[None] | None:  # noqa: B027
        """Called with what everybody chose."""

    def ended(self, match: Match, result: Result) -> Awaitable[None] | None:  # noqa: B027
        """Called when a match ends."""

    def refused(self, match: Match, refusal: Refusal) -> Awaitable[None] | None:  # noqa: B027
        """Called when an answer did not count, with the reason."""
