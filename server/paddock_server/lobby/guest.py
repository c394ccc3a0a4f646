"""A guest: a connected bot as the lobby knows it, wherever its stream is."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

from paddock_server.referee.plan import Entrant


class Offer(NamedTuple):
    """The formats and the number of matches that a bot offers to play."""

    formats: tuple[str, ...]
    max_matches: int  # at once


class Guest(ABC):
    """A connected bot: who it is, what it plays, and how it is told something. It is a player."""

    def __init__(self, session_id: str, resume_token: str, entrant: Entrant, offer: Offer) -> None:
        self.id = session_id
        self.resume_token = resume_token
        self.entrant = entrant  # as its next match takes it
        self.formats = offer.formats
        self.max_matches = offer.max_matches
        self.lag = 0.0  # seconds: the quickest of the last round trips
        self.host_delay = 0.0  # seconds of its open ask in which its host kept it from a processor
        self.order = 0  # among a cluster's sessions, by the database; 0: there is no cluster
        self.retiring = False  # it gets no new match: another version or process takes over
        self._announced = entrant.sends_nonces, entrant.commits_nonces

    @property
    def bot(self) -> str:
        """The bot's name."""
        return self.entrant.bot

    @property
    def hosted(self) -> bool:
        """Whether the arena runs this bot."""
        return False

    def take_nonces(self, wanted: bool) -> None:
        """Whether the bot's next matches wait for its nonces, if it announced them."""
        sends, commits = self._announced if wanted else (False, False)
        self.entrant = self.entrant._replace(sends_nonces=sends, commits_nonces=commits)

    @property
    @abstractmethod
    def waiting(self) -> int:
        """How many items wait for the bot to read, as far as this process knows."""

    @abstractmethod
    def send(self, item: bytes) -> None:
        """Queue an item for the bot."""

    def ask(self, item: bytes, ask_id: int) -> None:
        """Queue an ask for the bot."""
        del ask_id
        self.send(item)

    @abstractmethod
    def end(self, reason: str, sentence: str) -> None:
        """Close the session; the first reason counts."""

    @abstractmethod
    def useless(self) -> None:
        """Count a useless item."""

    @abstractmethod
    def vouches(self, later: Callable[[bool], None]) -> bool:
        """Whether the connection to the bot is known to work; see `Player`."""

    @abstractmethod
    def ping(self) -> None:
        """Measure the round-trip time to the bot."""

    def ping_after(self, seconds: float) -> None:
        """Measure it, unless that was begun within these seconds and this is known."""
        del seconds
        self.ping()
