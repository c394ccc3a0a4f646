"""Players of Draftosaurus: each looks at a view and picks one of its legal choices."""

from random import Random

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.scoring import points
from paddock_games.draftosaurus.view import View
from paddock_games.draftosaurus.zoo import Zoo


def greedy(view: View, rng: Random) -> Choice:
    """The best immediate points; the first of equals."""
    if view.phase == "REMOVE":
        return max(view.legal, key=lambda choice: _worth_to_the_next(view, choice))
    if view.phase == "PICK":
        placing = view.table._replace(phase="PLACE")
        best = max(
            placing.legal(view.seat, view.hand), key=lambda choice: points_after(view, choice)
        )
        return Choice("PICK", best.species)
    return max(view.legal, key=lambda choice: points_after(view, choice))


def points_after(view: View, choice: Choice) -> int:
    """This seat's points if the others did nothing."""
    zoo = view.zoo.moved(choice) if choice.kind == "MOVE" else view.zoo.plus(choice)
    return points(_with(view, view.seat, zoo), view.seat)


def _with(view: View, seat: int, zoo: Zoo) -> list[Zoo]:
    zoos = list(view.zoos)
    zoos[seat] = zoo
    return zoos


def _worth_to_the_next(view: View, removal: Choice) -> int:
    """The most that the dinosaur would bring the seat that gets this hand, whatever is rolled."""
    next_seat = (view.seat + 1) % view.seats
    zoo = view.zoos[next_seat]
    places = [choice for pen in zoo for choice in pen.options[removal.bit]]
    return max(points(_with(view, next_seat, zoo.plus(place)), next_seat) for place in places)
