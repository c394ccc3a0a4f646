"""The interface of the tables: everything that matches under way take in and give out.

They take in values and players. They give out bytes for players, events for the scribe, items for
watchers and notices for listeners. Nothing outside holds a table, so tables in another process are
only another implementation of this interface.
"""

from collections.abc import Sequence
from typing import Protocol

from paddock_server.referee.answers import Answer
from paddock_server.referee.plan import Plan
from paddock_server.store.rows import Unfinished
from paddock_server.tables.notices import Listeners
from paddock_server.tables.open_match import OpenMatch
from paddock_server.tables.player import Player
from paddock_server.tables.watching import Watcher


class Tables(Protocol):
    """The tables of all matches under way."""

    @property
    def listeners(self) -> Listeners:
        """The listeners to deals and ends, in the order in which they hear of them."""

    def __len__(self) -> int:
        """How many matches are under way."""

    # --- beginning and ending ---------------------------------------------------------------

    def begin(
        self, number: int, match_id: str, plan: Plan, players: Sequence[Player | None]
    ) -> None:
        """Play a match; its opening is durable before anybody hears of it.

        A seat without a player is a house bot's, or its bot has just gone and may come back.
        """

    def resume(self, unfinished: Sequence[Unfinished]) -> None:
        """Resume matches that were open when a server died, from the journal."""

    async def drained(self) -> None:
        """Wait until no match is under way."""

    def stop(self) -> None:
        """Stop all tables; open matches stay in the journal."""

    # --- what bots say ----------------------------------------------------------------------

    def choice(
        self, player: Player, ask_id: int, answer: Answer, took: float | None = None
    ) -> None:
        """An answer to an ask; `took` is how long it took, where the player's holder measured it.

        It is in seconds. None: the table measures.
        """

    def digest(self, player: Player, match_id: str, digest: bytes) -> None:
        """The digest of a bot's part of a deal."""

    def nonce(self, player: Player, match_id: str, nonce: bytes) -> None:
        """A bot's part of a deal."""

    def resign(self, player: Player, match_id: str) -> None:
        """A bot resigns a match."""

    def back(self, player: Player, only: int | None = None) -> None:
        """A bot is connected (again): its matches go on; with `only`, the one of this number."""

    def lost(self, player: Player) -> None:
        """A bot's connection is gone; its matches wait for it within their time."""

    def stranded(self, player: Player) -> None:
        """A bot was cut off without a fault of its own: its matches wait, as after a restart."""

    # --- what others see --------------------------------------------------------------------

    def open_matches(self, most: int) -> list[OpenMatch]:
        """The matches under way, the newest first."""

    def open_match(self, match_id: str) -> OpenMatch | None:
        """A match under way; None where it has not begun or is over."""

    def matches_of(self, bot: str) -> list[str] | None:
        """The ids of the matches that a bot is playing; None: they are not known here."""

    def watch(self, match_id: str, *, from_now: bool = False) -> Watcher | None:
        """Begin to watch a match under way; None where it has not begun, is over or is withheld.

        Its items begin with the open table, unless `from_now` is set.
        """

    def watchers(self, match_id: str) -> int:
        """The number of watchers of a match."""

    @property
    def loop_lag(self) -> float:
        """How late the event loop was last, in seconds."""
