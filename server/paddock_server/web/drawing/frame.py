"""A frame: a match at one turn as plain values, the same for HTML and JSON.

Everything is of one moment: hand, board and points as the seats saw them before they decided, and
then what they chose. So the boards after the last turn of a game are a frame of their own.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from paddock_games.game import Timing
from paddock_games.record import PlayedMatch


class Decision(NamedTuple):
    """A decision of a seat: its choice, time and fault."""

    seat: int
    choice: str  # in words
    ms: float | None  # from the ask to the answer; null if it was not timed
    lag_ms: float | None  # the part put down to the network
    fault: str | None  # why the referee chose for the seat
    charge_ms: float | None = None  # what the seat was charged: not network, referee or host
    fallback: str | None = None  # why the bot's client chose the default instead of the bot
    host_ms: float = 0.0  # the part in which the arena's machine kept a hosted bot waiting


class Place(NamedTuple):
    """A place of a seat's board with its pieces."""

    name: str
    stands: tuple[str | None, ...]  # null: a free place among taken ones
    came: tuple[int, ...]  # which of them came in the turn before
    chosen: bool = False  # whether something goes there, or is attacked there, in this turn


def mark(places: Sequence[Place], chosen: Collection[str | None]) -> tuple[Place, ...]:
    """The places, those marked that are chosen in this turn."""
    return tuple(place._replace(chosen=place.name in chosen) for place in places)


class Holding(NamedTuple):
    """The holding of a seat before it decides: places, hand and points."""

    places: tuple[Place, ...]
    hand: tuple[str, ...]  # empty if it is hidden
    parts: Mapping[str, int]  # what its points are made of
    total: int  # its points, those of earlier games of the match included
    gained: int = 0  # what this turn adds to them


class Frame(NamedTuple):
    """A match before the decisions of one turn, and these decisions."""

    turn: int  # from 1
    turns: int
    scene: str  # what is played on, such as the board
    title: str
    note: str  # what holds for everybody this turn
    die: str  # what the die shows; empty without a die
    seats: tuple[Holding, ...]
    decisions: tuple[Decision, ...]
    shared: tuple[Place, ...] = ()  # places that belong to nobody
    end: "Frame | None" = None  # what the last turn of a game leads to, with nothing to decide


def timing_of(decision: Mapping[str, Any]) -> Timing:
    """The time of a decision in a record that was checked when it was written."""
    return Timing(
        ms=decision["ms"],
        lag_ms=decision["lag_ms"],
        fault=decision["fault"],
        charge_ms=decision.get("charge_ms"),
        fallback=decision.get("fallback"),
        host_ms=decision.get("host_ms", 0.0),
    )


class Drawing(NamedTuple):
    """The drawing of a game."""

    frames: Callable[[PlayedMatch], tuple[Frame, ...]]
    open: Callable[[Any], Frame]  # from what lies open on a table under way
    picture: Callable[[Frame, int, str], Markup]  # a seat's board, labelled with its name
    die: Callable[[Frame], Markup]
    token: Callable[[str], Markup]  # one piece, as in a hand
    name: Callable[[str], str]  # of a piece, a place or a part, in words
    sprite: Markup  # shapes that the pictures of a page share
    parts: Callable[[Any], Sequence[Mapping[str, int]]]  # from a record's games: points by seat
    timings: Callable[[Any], Sequence[Sequence[Timing]]]  # and the time of every decision
    tie_break: str  # fewer of this decide between equal points; empty: they share the place
    sights: Callable[[], Mapping[str, Markup]]  # the pictures of the game's rules page, by name
