"""The careful player: it looks at bonuses, at what it leaves to others, and at its hand.

A choice is worth the points it brings now; what it does for the island bonus and the claw bonus;
less what the card that stays on Twist Island is worth to the others; less what the cards that are
used would have been worth later. The weights were found by playing greedy. All is counted in whole
numbers, so that every language compares alike; docs/sample-bots.md describes it for them.
"""

from random import Random
from typing import Final

from paddock_games.dino_twist.brains import settled
from paddock_games.dino_twist.card import CLAW, STRENGTH
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.island import EMPTY
from paddock_games.dino_twist.material import (
    EVENTS_SHOWN,
    GRAVEYARD_POINTS,
    ISLAND_BONUSES,
)
from paddock_games.dino_twist.view import View

POINT: Final = 2520  # parts, which 1 to 10 divide
CLAWS: Final = 2 * POINT  # what one claw more on the island stands for
# What a point of strength that stays on Twist Island for others to beat stands for, with each round
# to come: 0.3 points with all nine.
LEFT_OVER: Final = 3 * POINT // (10 * (EVENTS_SHOWN - 1))
# What a point of strength in the hand stands for, with each of at most two rounds to come.
CARD: Final = POINT // 10
CARD_ROUNDS: Final = 2
AVERAGE: Final = 6  # the strength of a card that is drawn
LEAST_KEPT: Final = 4  # cards weaker than this are worth a new one


def careful(view: View, rng: Random) -> Choice:
    """The choice with the most points expected in the end; the first of equals."""
    if view.phase == "DISCARD":
        return max(view.legal, key=_new_cards)
    prospect = _Prospect(view)
    if view.phase == "ATTACK":
        return max(view.legal, key=prospect.attack)
    return max(view.legal, key=prospect.play)


def _new_cards(discard: Choice) -> int:
    """The strength that new cards are expected to add, compared with the discarded ones."""
    return sum(LEAST_KEPT - STRENGTH[code] for code in discard.codes)


class _Prospect:
    """The prospect of a seat: what its choices are worth as the table stands."""

    def __init__(self, view: View) -> None:
        self._view = view
        table = view.table
        left = EVENTS_SHOWN - len(table.events)  # rounds after this one
        self._left_over = LEFT_OVER * left
        self._card = CARD * min(CARD_ROUNDS, left)
        bonus = next((b for b in ISLAND_BONUSES if b not in table.bonuses), 0)
        gaps = view.island.count(EMPTY)
        can_be_filled = gaps <= left + 1
        # A territory that is filled counts for more of the island bonus the fewer are left.
        self._fill = bonus * POINT // (1 + gaps) if can_be_filled else 0

    def attack(self, choice: Choice) -> int:
        """What an attack brings, and what it leaves behind."""
        play = self._view.table.plays[self._view.seat]
        return 0 if choice.at < 0 or play is None else self._worth(play, choice.at, choice.to)

    def play(self, choice: Choice) -> int:
        """What a play or a burial brings, less what its cards would be worth in the hand."""
        spent = self._card * sum([STRENGTH[code] - AVERAGE for code in choice.codes])
        if choice.kind == "BURY":
            cards = len(choice.codes) if self._view.rules.graveyard_per_card else 1
            return POINT * GRAVEYARD_POINTS * cards - spent
        view, table = self._view, self._view.table
        ways = table.attacks(view.seat, choice)
        return max([self._worth(choice, way.at, way.to) for way in ways], default=0) - spent

    def _worth(self, play: Choice, territory: int, to: int) -> int:
        view = self._view
        beaten = view.twist[territory]
        worth = -self._left_over * (STRENGTH[play.stays] - STRENGTH[beaten])
        if to >= 0:
            occupant = view.island[to]
            worth += POINT * settled(view, territory, to) + CLAWS * (CLAW[beaten] - CLAW[occupant])
            worth += self._fill if occupant < 0 else 0
        return worth
