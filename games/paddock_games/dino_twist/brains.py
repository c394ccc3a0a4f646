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
    ways = table.attacks(view.seat, choice)
    return max([settled(view, way.at, way.to) for way in ways], default=0)


def settled(view: View, territory: int, to: int) -> int:
    """The strength that the own island wins if the Dino beaten there settles here; -1: nowhere."""
    if territory < 0 or to < 0:
        return 0
    return STRENGTH[view.twist[territory]] - STRENGTH[view.island[to]]
