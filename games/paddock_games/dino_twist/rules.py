"""The rule options of a match, where the book leaves a choice, and the presets (section 4)."""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from paddock_games.dino_twist.material import COPIES, MAX_SEATS, STRENGTHS
from paddock_games.dino_twist.rules_1 import Rules1
from paddock_games.errors import BadRules
from paddock_games.options import read_options

VERSION: Final = 2
TIES: Final = ("share", "skip", "in_turn")  # T15


class Rules(NamedTuple):
    """The rule options of a match; the defaults are the preset `standard`."""

    claw_copies: int = 1  # B2: how many of the three copies of a card carry a claw
    claw_strengths: str = ""  # B2: such as "9 10"; all copies of these carry a claw, no others do
    quiet_first_round: bool = False  # B3: the first event does not apply
    graveyard_per_card: bool = False  # B4: points for every card of an entry
    equals_in_seat_order: bool = False  # B5: equal totals act one after the other
    attack_with_play: bool = False  # B6: the attacked territory is named with the play
    fizzled_returns: bool = False  # B7: a play without a target goes back to the hand
    attack_may_be_waived: bool = False  # B8
    must_settle: bool = False  # B8: a captured Dino may never be discarded
    bury_by_territory: bool = False  # B10: only the Dino on the same territory is compared
    babies_reshuffled: bool = False  # B11: they are discarded like any other card
    others_draw_last: bool = False  # B12: cancelled and burying seats draw after those that act
    discard_in_turn: bool = False  # B14: seat by seat, each draws before the next discards
    island_bonus_ties: str = "share"  # T15: what islands that fill up in one round get; see TIES
    small_seats: str = ""  # T17: seats with a Small T-Rex island, such as "02"

    @property
    def version(self) -> int:
        """The version of the rules that has these options."""
        return VERSION

    @property
    def need_not_settle(self) -> bool:
        """B8: an empty territory has to be settled."""
        return False

    @property
    def waived_returns(self) -> bool:
        """B8: a waived play never returns to the hand."""
        return False


AnyRules: TypeAlias = Rules | Rules1
"""The options of any version; those of an earlier one also have the properties of the newest."""

PRESETS: Final[dict[str, Rules]] = {"standard": Rules()}


def read_rules(options: object, where: str = "rules") -> Rules:
    """The rules that a preset's name, an object of options or None (the defaults) stands for."""
    rules = read_options(Rules, PRESETS, _check, options, where)
    if rules.claw_strengths and rules.claw_copies != Rules().claw_copies:
        raise BadRules(f"{where}.claw_strengths", "give claw_copies or claw_strengths, not both")
    return rules


def rules_of_version(options: Mapping[str, object], version: int, where: str) -> AnyRules:
    """The rules of a record or a store, written when the rules had this version."""
    if version > 1:
        return read_rules(options, where)
    return read_options(Rules1, {}, _check, options, where)


def _check(key: str, value: object, where: str) -> None:
    if key == "claw_copies":
        if type(value) is not int or not 0 <= value <= COPIES:
            raise BadRules(where, f"give a number from 0 to {COPIES}")
    elif key == "claw_strengths":
        words = value.split(" ") if isinstance(value, str) else ()
        if value != " ".join(str(s) for s in STRENGTHS if str(s) in words):
            least, most = STRENGTHS[0], STRENGTHS[-1]
            raise BadRules(where, f'give strengths from {least} to {most} in order, as in "9 10"')
    elif key == "island_bonus_ties":
        if value not in TIES:
            raise BadRules(where, f"give one of {', '.join(TIES)}")
    elif key == "small_seats":
        seats = "".join(map(str, range(MAX_SEATS)))
        if not isinstance(value, str) or value != "".join(s for s in seats if s in value):
            raise BadRules(where, f'give the seats in order, such as "02", of {seats}')
    elif type(value) is not bool:
        raise BadRules(where, "give true or false")
