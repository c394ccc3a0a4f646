"""The games in JSON, as the line bridge writes them: names are those of records and positions."""

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeAlias

from paddock_games import dino_twist, draftosaurus

Json: TypeAlias = dict[str, Any]


class Shape(Protocol):
    """One game in JSON; a choice that can't be read is an IllegalChoice or a TypeError."""

    def view(self, view: Any, /) -> Json:
        """What a seat knows."""

    def choice(self, choice: Any, /) -> Json:
        """A choice."""

    def read_choice(self, given: Json, /) -> Any:
        """The choice that this stands for."""


class _Draftosaurus:
    def view(self, view: draftosaurus.View) -> Json:
        return {
            "board": view.board,
            "game": view.game,
            "round": view.round,
            "turn": view.turn,
            "roller": view.roller,
            "die": view.die,
            "phase": view.phase,
            "zoos": [zoo.as_dict() for zoo in view.zoos],
            "hand": list(view.hand),
            "picks": list(view.picks),
            "removed": list(view.removed),
            "finished": [[zoo.as_dict() for zoo in zoos] for zoos in view.table.finished],
        }

    def choice(self, choice: draftosaurus.Choice) -> Json:
        return {name: getattr(choice, name) for name in ("kind", "species", "pen", "slot")}

    def read_choice(self, given: Json) -> draftosaurus.Choice:
        return draftosaurus.Choice(**given)


class _DinoTwist:
    def view(self, view: dino_twist.View) -> Json:
        table = view.table
        return {
            "round": view.round,
            "event": view.event.name if view.event.kind else None,
            "events": [event.name for event in view.events],
            "phase": view.phase,
            "twist": view.twist.as_dict(),
            "islands": [island.as_dict() for island in view.islands],
            "graveyards": [
                [[card.name for card in entry] for entry in graveyard]
                for graveyard in view.graveyards
            ],
            "island_bonuses": list(table.bonuses),
            "hand": [card.name for card in view.hand],
            "hand_sizes": list(table.hand_sizes),
            "pile_size": table.pile_size,
            "discards": [card.name for card in view.discards],
            "face_down": list(table.face_down),
            "discarded": [card.name for card in view.discarded],
            "plays": [play and self.choice(play) for play in view.plays],
            "waiting": [list(group) for group in table.waiting],
        }

    def choice(self, choice: dino_twist.Choice) -> Json:
        return {
            "kind": choice.kind,
            "cards": [card.name for card in choice.cards],
            "species": choice.species,
            "territory": choice.territory,
            "settle": choice.settle,
            "face_down": choice.face_down,
        }

    def read_choice(self, given: Json) -> dino_twist.Choice:
        return dino_twist.Choice(**given)


# By the game's name in the rules library: one class a game, and a line here.
SHAPES: Final[Mapping[str, Shape]] = {"draftosaurus": _Draftosaurus(), "dino_twist": _DinoTwist()}
