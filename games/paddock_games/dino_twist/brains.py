"""Players of Dino Twist: each looks at a view and picks one of its legal choices."""

from random import Random

from paddock_games.dino_twist.card import STRENGTH
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.material import GRAVEYARD_POINTS
from paddock_games.dino_twist.view import View


def greedy(view: View, rng: Random) -> Choice:
    """The best immediate points, if nobody gets in the way; the first of equals."""
    return max(view.legal, key=lambda choice: points_won(view, choice))


def points_won(view: View, choice: Choice) -> int:
    """What a choice adds to this seat's points at once, bonuses left out."""
    if choice.kind == "BURY":
        return GRAVEYARD_POINTS * (len(choice.codes) if view.rules.graveyard_per_card else 1)
    if choice.kind == "ATTACK":
        return settled(view, choice.at, choice.to)
    if choice.kind == "DISCARD":
        return 0
    table = view.table
    return max(
        [settled(view, at, to) for at in table.targets(choice)
         for to in table.places(view.seat, at)],
        default=0,
    )  # fmt: skip


def settled(view: View, at: int, to: int) -> int:
    """The strength that the own island wins if the Dino beaten there settles here; -1: nowhere."""
    if at < 0 or to < 0:
        return 0
    occupant = view.island[to]
    return STRENGTH[view.twist[at]] - (STRENGTH[occupant] if occupant >= 0 else 0)
