"""Matches of Draftosaurus whose hands and dice are written by hand instead of drawn."""

from collections.abc import Mapping
from typing import Final

from tests.independent.draftosaurus import FACES, SPECIES

from paddock_games import GAMES
from paddock_games.draftosaurus import Choice, State
from paddock_games.draftosaurus.deal import Hidden
from paddock_games.draftosaurus.setting import setting

# T-Rex, Diplodocus, Triceratops, Spinosaurus, steGosaurus, Parasaurolophus
LETTERS: Final = "RDTSGP"
ALL: Final = LETTERS


def names(letters: str) -> list[str]:
    """The species that the letters stand for."""
    return [SPECIES[LETTERS.index(letter)] for letter in letters]


def table(
    form: str, hands: list[str], die: str = "NO_T_REX", first: int = 0, rules: object = None
) -> State:
    """The start of a match in which every round deals these hands and every roll shows this."""
    place = setting(form, len(hands), GAMES["draftosaurus"].rules(rules))
    drawn = tuple(tuple(LETTERS.index(letter) for letter in hand) for hand in hands)
    faces = (FACES.index(die),) * place.turns
    return State.first(place, Hidden(first, (drawn,) * (place.rounds * len(place.boards)), faces))


def go(state: State, chosen: Mapping[int, Choice] | None = None) -> State:
    """The next state, if the seats choose this, and the others what the referee would."""
    return state.step({**{seat: state.default(seat) for seat in state.to_move}, **(chosen or {})})


def open_pens(state: State, seat: int) -> set[str | None]:
    """The places that the seat may use now, with one dinosaur or another."""
    return {choice.pen for choice in state.legal(seat)}
