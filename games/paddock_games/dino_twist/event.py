"""The events: one object and one code for every kind, and what each changes in a round."""

from typing import Final

from paddock_games.dino_twist.material import (
    CARNAGE_BONUS,
    EVENT_COPIES,
    FURY_BONUS,
    PAIRS,
    SPECIES,
    TERRITORIES,
    EventKind,
    Species,
    Territory,
)

# Shapes of what is done with cards of the hand, as bits: of plays, of a burial, of a discard.
SINGLE: Final = 1
DUO: Final = 2
TRIO: Final = 4
MIXED: Final = 8  # HELP: a Duo of two species
BURIAL: Final = 16
DISCARD: Final = 32

_SHAPES: Final[dict[EventKind, int]] = {
    "ALONE": SINGLE,
    "NEVER_TWO_WITHOUT_THREE": SINGLE | DUO | TRIO,
    "HELP": SINGLE | DUO | MIXED,
}

MEANS: Final[dict[EventKind, str]] = {
    "METEOR": "that territory can't be attacked",
    "FURY": "plays of that species count 3 more",
    "VOLCANO": "the game ends",
    "NEVER_TWO_WITHOUT_THREE": "up to three cards of one species",
    "ALONE": "single cards only",
    "EARTHQUAKE": "captured Dinos settle on either territory",
    "TORNADO": "the pairs of Twist Island swapped places",
    "NEW_GENERATIONS": "up to three cards were exchanged",
    "CARNAGE": "every play counts 2 more",
    "HELP": "Duos of two species are allowed",
}
"""The effect of an event, in words."""


class Event:
    """An event card and what it does; equal means identical."""

    __slots__ = (
        "bonus", "code", "kind", "meteor", "name", "open", "quakes", "shapes", "species",
        "territory",
    )  # fmt: skip

    code: int
    kind: EventKind | None  # None: no event applies (B3)
    territory: Territory | None  # of a METEOR
    species: Species | None  # of a FURY
    name: str  # such as METEOR-SEA, FURY-KARNI or HELP
    shapes: int  # the plays that are allowed
    bonus: tuple[int, ...]  # by species' index: what a play counts more
    meteor: int  # the territory that can't be attacked, -1 where there is none
    quakes: bool  # whether it is an EARTHQUAKE
    open: tuple[int, ...]  # by species' index: which of its two territories can be, as bits

    def __new__(cls, name: str) -> "Event":
        """The event of this name; KeyError where there is none."""
        return NAMED[name]

    def __reduce__(self) -> tuple[type["Event"], tuple[str]]:
        return Event, (self.name,)

    def __copy__(self) -> "Event":
        return self

    def __deepcopy__(self, memo: object) -> "Event":
        return self

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Event({self.name!r})"


def _make(code: int, kind: EventKind | None, word: Territory | Species | None) -> Event:
    event = object.__new__(Event)
    event.code, event.kind = code, kind
    event.territory = next((t for t in TERRITORIES if t == word), None)
    event.species = next((s for s in SPECIES if s == word), None)
    event.name = f"{kind or 'NONE'}-{word}" if word else kind or "NONE"
    event.shapes = _SHAPES[kind] if kind in _SHAPES else SINGLE | DUO
    everybody = CARNAGE_BONUS if kind == "CARNAGE" else 0
    event.bonus = tuple(FURY_BONUS if s == event.species else everybody for s in SPECIES)
    event.meteor = TERRITORIES.index(event.territory) if event.territory else -1
    event.quakes = kind == "EARTHQUAKE"
    event.open = tuple(
        sum(1 << bit for bit, place in enumerate(pair) if place != event.meteor) for pair in PAIRS
    )
    return event


def _words(kind: EventKind) -> tuple[Territory | Species | None, ...]:
    if kind == "METEOR":
        return TERRITORIES
    return SPECIES if kind == "FURY" else (None,)


EVENTS: Final = tuple(
    _make(code, kind, word)
    for code, (kind, word) in enumerate(
        (kind, word) for kind in EVENT_COPIES for word in _words(kind)
    )
)
NO_EVENT: Final = _make(-1, None, None)
NAMED: Final = {event.name: event for event in (*EVENTS, NO_EVENT)}
EVENT_NAMES: Final = tuple(event.name for event in EVENTS)
# B1: the 25 event cards, in order.
ALL_EVENTS: Final = tuple(
    event.code for event in EVENTS if event.kind for _ in range(EVENT_COPIES[event.kind])
)
