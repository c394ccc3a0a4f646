"""The codec of a game: its values as bytes for the wire and as JSON for lines, and back.

A codec gets what lies open on the table, what one seat knows, a choice or rule options; never a
state. So what is hidden from a seat has no way to the wire.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from paddock.v1 import arena_pb2

Json: TypeAlias = dict[str, Any]
"""An object of a line, as json.dumps takes it."""


class Terms(NamedTuple):
    """What MatchStarted says once, and views of the match leave out."""

    format: str
    seats: int
    rules: Any


class Codec(Protocol):
    """What a game's package provides. Whatever can't be read is an Unreadable."""

    # --- the rules' values as bytes -------------------------------------------------------------

    def rules(self, rules: Any, /) -> bytes:
        """The rule options, as a field of MatchStarted."""

    def table(self, table: Any, /) -> bytes:
        """What lies open, the same for everybody: the game's own table message."""

    def view(self, shared: bytes, view: Any, /) -> bytes:
        """What a seat knows, as a GameView; `shared` is `table` of its table."""

    def watched(self, shared: bytes, /) -> bytes:
        """The open table, as a GameTable."""

    def choice(self, choice: Any, /) -> bytes:
        """A choice, as a GameChoice."""

    def choices(self, legal: Sequence[Any], /) -> bytes:
        """The legal choices, as fields of an Ask."""

    def scores(self, table: Any, /) -> bytes:
        """The points in detail of a match that is over, as a field of MatchEnded."""

    # --- messages as the rules' values ----------------------------------------------------------

    def read_rules(self, message: arena_pb2.MatchStarted, /) -> Any:
        """The rule options of a match that begins, of the version that it is played by."""

    def read_view(self, message: arena_pb2.GameView, terms: Terms, seat: int, /) -> Any:
        """What the seat knows: equal to the view that was sent."""

    def read_choice(self, message: arena_pb2.GameChoice, /) -> Any:
        """The choice that a message stands for."""

    def read_scores(self, message: arena_pb2.MatchEnded, /) -> tuple[tuple[Any, ...], ...]:
        """The points in detail, by game of the match and by seat."""

    # --- the rules' values as JSON --------------------------------------------------------------

    def view_json(self, view: Any, /) -> Json:
        """What a seat knows, in the names of records and positions."""

    def read_view_json(self, written: Json, terms: Terms, seat: int, /) -> Any:
        """What the seat knows: equal to the view that was written."""

    def choice_json(self, choice: Any, /) -> Json:
        """A choice."""

    def read_choice_json(self, written: Json, /) -> Any:
        """The choice that this stands for."""
