"""The luck of each seat in a match that was played: what the cards gave it.

Strong cards are worth more. What a seat draws is compared with the mean of the pile that it draws
from, so the mean of this luck is zero whoever plays. The first hand counts as drawn from the whole
deck: that one with too many of a species is dealt again (T5) says nothing about strengths.
"""

from collections.abc import Sequence
from typing import Final

from paddock_games.dino_twist.card import STRENGTH
from paddock_games.dino_twist.moment import Moment
from paddock_games.dino_twist.resolution import Resolution
from paddock_games.dino_twist.state import State
from paddock_games.game import Luck, Step

# Points in the end for each point of strength drawn, fitted to 500 matches of the careful and the
# greedy player. It is little: who plays well gets as much out of weak cards.
STRENGTH_POINTS: Final = 0.08


def luck_of(steps: Sequence[Step]) -> tuple[Luck, ...]:
    """What chance gave, by seat, in points."""
    first: State = steps[0].state
    deck = first.table.setting.deck
    strength = [_more_than_usual(hand, deck) for hand in first.hands]
    for step in steps:
        watched = _Watched(step.state)
        watched._carry_out(step.choices)
        strength = [sum(pair) for pair in zip(strength, watched.strength, strict=True)]
    return tuple(Luck(0.0, STRENGTH_POINTS * drawn) for drawn in strength)


class _Watched(Resolution):
    """A step that is worked out again to see who draws what from which pile."""

    __slots__ = ("strength",)

    def __init__(self, before: Moment) -> None:
        super().__init__(before)
        self.strength = [0.0] * self._setting.seats

    def _draw(self, seats: Sequence[int]) -> None:
        for seat in seats:
            first, shuffles = self._drawn, len(self._shuffled)
            super()._draw((seat,))
            if len(self._shuffled) > shuffles:  # what was left of the old pile was no luck
                first = 0
            drawn, pile = self._pile[first : self._drawn], self._pile[first:]
            self.strength[seat] += _more_than_usual(drawn, pile)


def _more_than_usual(drawn: Sequence[int], pile: Sequence[int]) -> float:
    if not drawn:
        return 0.0
    usual = sum([STRENGTH[card] for card in pile]) / len(pile)
    return sum([STRENGTH[card] for card in drawn]) - usual * len(drawn)
