"""The codec of a game: its values as bytes for the wire and as JSON for lines, and back.

A codec gets the open table, the view of a seat, a choice or rule options, but never a state. So
it can't send what is hidden from a seat.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from paddock.v1 import arena_pb2

Json: TypeAlias = dict[str, Any]
"""A JSON object, as json.dumps takes it."""


class Terms(NamedTuple):
    """The terms of a match: MatchStarted has them once, and views leave them out."""

    format: str
    seats: int
    rules: Any


class Codec(Protocol):
    """The codec that a game's package provides; it raises Unreadable for what it can't read."""

    # --- the rules' values as bytes -------------------------------------------------------------

    def rules(self, rules: Any, /) -> bytes:
        """The rule options, as a field of MatchStarted."""

    def table(self, table: Any, /) -> bytes:
        """The open table, as the game's own table message."""

    def view(self, shared: bytes, view: Any, /) -> bytes:
        """The view of a seat, as a GameView; `shared` is `table` of its table."""

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
        """The view of the seat, equal to the view that was sent."""

    def read_choice(self, message: arena_pb2.GameChoice, /) -> Any:
        """The choice in a message."""

    def read_scores(self, message: arena_pb2.MatchEnded, /) -> tuple[tuple[Any, ...], ...]:
        """The points in detail, by game of the match and by seat."""

    # --- the rules' values as JSON --------------------------------------------------------------

    def view_json(self, view: Any, /) -> Json:
        """The view of a seat, with the names of records and positions."""

    def read_view_json(self, written: Json, terms: Terms, seat: int, /) -> Any:
        """The view of the seat, equal to the view that was written."""

    def choice_json(self, choice: Any, /) -> Json:
        """A choice."""

    def read_choice_json(self, written: Json, /) -> Any:
        """The choice in an object."""
