"""Moments of Dino Twist that are written by hand instead of dealt."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from paddock_games import GAMES
from paddock_games.chance import Cursor
from paddock_games.dino_twist import Choice, State
from paddock_games.dino_twist.card import CARDS, NAMED
from paddock_games.dino_twist.deal import Hidden
from paddock_games.dino_twist.event import NAMED as EVENTS
from paddock_games.dino_twist.island import EMPTY, NOBODY, Island
from paddock_games.dino_twist.material import HOME, SPECIES, TERRITORIES
from paddock_games.dino_twist.setting import setting

LETTERS: Final = {species[0]: species for species in SPECIES}

# More than anybody draws in a test.
PILE: Final = (
    "A2 A2 A3 A3 H2 H2 V2 V2 K2 K2 A10 H10 V10 K10 A9 H9 V9 K9 A8 H8 V8 K8 A7 H7 V7 K7 A6 H6 V6 K6"
    " A5 H5 V5 K5 A4 H4 V4 K4 A10 H10 V10 K10 A9 H9 V9 K9 A8 H8 V8 K8"
)


def code(card: str) -> int:
    """The card that `K5` or, with a claw, `K5*` stands for."""
    name = f"{LETTERS[card[0]]}-{card[1:].rstrip('*')}" + "-CLAW" * card.endswith("*")
    return NAMED[name].code


def codes(cards: str) -> tuple[int, ...]:
    """The cards of a line such as `K5 A3*`."""
    return tuple(sorted(code(card) for card in cards.split()))


def names(cards: str) -> list[str]:
    """The names of the cards of a line."""
    return [CARDS[one].name for one in codes(cards)]


def island(**places: str) -> Island:
    """The island with these Dinos, by territory in small letters."""
    found = {TERRITORIES.index(place.upper()): code(card) for place, card in places.items()}
    return Island([found.get(at, EMPTY) for at in range(len(TERRITORIES))])


def twist(**places: str) -> Island:
    """Twist Island with these Dinos, and babies everywhere else."""
    babies = {place.lower(): f"{SPECIES[HOME[at]][0]}1" for at, place in enumerate(TERRITORIES)}
    return island(**(babies | places))


def table(
    hands: Sequence[str],
    event: str = "TORNADO",
    then: Sequence[str] = (),
    pile: str = PILE,
    islands: Mapping[int, Island] | None = None,
    on_twist: Island | None = None,
    form: str = "dino-twist",
    **rules: Any,
) -> State:
    """The first decision of the round in which this event shows, with these hands."""
    place = setting(form, len(hands), GAMES["dino_twist"].rules(rules))
    deal = Hidden(
        tuple(code(card) for card in pile.split()),
        tuple(EVENTS[name].code for name in (event, *then)),
        (0,) * len(hands),
        Cursor(bytes(32), (), 0),
        (),
    )
    blank = State.first(place, tuple(map(codes, hands)), deal)
    home = {seat: (islands or {}).get(seat, NOBODY) for seat in place.everybody}
    there = blank.table._replace(islands=tuple(home.values()), twist=on_twist or blank.table.twist)
    return State.of(there, blank.hands, blank.deal)


def play(cards: str, species: str | None = None, territory: str | None = None) -> Choice:
    """To play these cards."""
    return Choice("PLAY", names(cards), species, territory)


def attack(territory: str | None, settle: str | None = None) -> Choice:
    """To attack there and to settle here."""
    return Choice("ATTACK", (), None, territory, settle)


def go(state: State, chosen: Mapping[int, Choice] | None = None) -> State:
    """The next state, if the seats choose this, and the others what the referee would."""
    return state.step({**{seat: state.default(seat) for seat in state.to_move}, **(chosen or {})})
