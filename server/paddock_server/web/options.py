"""Descriptions of all rule options, for people who play or watch."""

from collections.abc import Mapping
from typing import Final

OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "draftosaurus": {
        "quarantine_may_stay": "The dinosaur in quarantine may be left there at the end. It scores "
        "nothing, but a T-Rex there still earns its pen the bonus point.",
        "five_player_die_hold": "With five players the die is not passed after turn 5 of a round: "
        "the same player rolls turn 6, and everybody has to obey the die, the roller too.",
        "prairie_capacity": "The Prairie of Love holds at most this many dinosaurs; null means "
        "any number.",
        "place_after_reveal": "Everybody picks a dinosaur, all picks are shown, and only then "
        "everybody chooses a pen.",
    },
    "dino_twist": {
        "claw_copies": "How many of the three copies of every card carry a claw, 0 to 3.",
        "claw_strengths": 'The strengths whose cards carry a claw, such as "9 10": all copies of '
        "these do, and no other card.",
        "quiet_first_round": "The first event is shown but has no effect. There are ten rounds "
        "all the same.",
        "graveyard_per_card": "A graveyard pays 2 points for every card in it, not for every "
        "entry.",
        "equals_in_seat_order": "Plays of equal strength act one after the other in seat order, "
        "not at the same time.",
        "attack_with_play": "The territory to be attacked is named together with the secret play.",
        "fizzled_returns": "The cards of a play that can beat nothing go back to the hand, not to "
        "the discard pile.",
        "attack_may_be_waived": "A player may decline to attack; the cards are then discarded.",
        "must_settle": "A beaten Dino always moves to the winner's island; it may not be "
        "discarded in favour of the Dino that is there.",
        "bury_by_territory": "For burying, the Dino at home is compared only with the Dino on the "
        "same territory of Twist Island.",
        "babies_reshuffled": "Babies that leave play are discarded and come back with the next "
        "shuffle, like any other card.",
        "others_draw_last": "Players who buried or whose plays cancelled draw after those who "
        "act, not before.",
        "discard_in_turn": "Under New generations players discard one after the other, and each "
        "draws before the next one discards.",
        "island_bonus_ties": "What islands that fill up in the same round get: all of them the "
        "best bonus left (share), the same but every seat uses a bonus up (skip), or one bonus "
        "each in the order in which they acted (in_turn).",
        "small_seats": 'The seats that play with a Small T-Rex island, such as "02" for the '
        "first and the third.",
    },
}

UNDESCRIBED: Final = "See the rules in the documentation."
