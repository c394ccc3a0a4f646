"""What the book leaves open: the rule options of a match, and the presets (section 4)."""

from typing import Final, NamedTuple

from paddock_games.dino_twist.material import COPIES, MAX_SEATS
from paddock_games.errors import BadRules
from paddock_games.options import read_options


class Rules(NamedTuple):
    """The rule options of a match; the defaults are the preset `standard`."""

    claw_copies: int = 1  # B2: of the three copies of a card, so many carry a claw
    quiet_first_round: bool = False  # B3: the first event does not apply
    graveyard_per_card: bool = False  # B4: points for every card of an entry
    equals_in_seat_order: bool = False  # B5: equal totals act one after the other
    attack_with_play: bool = False  # B6: the attacked territory is named with the play
    fizzled_returns: bool = False  # B7: a play without a target goes back to the hand
    attack_may_be_waived: bool = False  # B8
    must_settle: bool = False  # B8: a captured Dino may not be discarded
    bury_by_species: bool = False  # B10: either territory of the species will do
    babies_reshuffled: bool = False  # B11: they are discarded like any other card
    others_draw_last: bool = False  # B12: cancelled and burying seats draw after those that act
    discard_in_turn: bool = False  # B14: seat by seat, each draws before the next discards
    small_seats: str = ""  # T17: seats with a Small T-Rex island, such as "02"


PRESETS: Final[dict[str, Rules]] = {"standard": Rules()}


def read_rules(given: object, where: str = "rules") -> Rules:
    """The rules that a preset's name, an object of options or None (the defaults) stands for."""
    return read_options(Rules, PRESETS, _check, given, where)


def _check(key: str, value: object, where: str) -> None:
    if key == "claw_copies":
        if type(value) is not int or not 0 <= value <= COPIES:
            raise BadRules(where, f"give a number from 0 to {COPIES}")
    elif key == "small_seats":
        seats = "".join(map(str, range(MAX_SEATS)))
        if not isinstance(value, str) or value != "".join(s for s in seats if s in value):
            raise BadRules(where, f'give the seats in order, such as "02", of {seats}')
    elif type(value) is not bool:
        raise BadRules(where, "give true or false")
