"""Draftosaurus: draft dinosaurs, fill a zoo. The rules, in the order to read them:

material -> rules -> choice, herd -> filling -> pen -> zoo -> scoring -> setting -> table -> view
-> deal -> state; then brains (players), record (match records) and position (typed positions).
"""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from paddock_games.brains import any_legal
from paddock_games.chance import Chance
from paddock_games.draftosaurus import record
from paddock_games.draftosaurus.brains import greedy
from paddock_games.draftosaurus.careful import careful
from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.deal import draw
from paddock_games.draftosaurus.luck import luck_of
from paddock_games.draftosaurus.position import legal_position, score_position
from paddock_games.draftosaurus.rules import PRESETS, Rules, read_rules
from paddock_games.draftosaurus.setting import FORMATS, setting
from paddock_games.draftosaurus.state import State
from paddock_games.draftosaurus.view import View
from paddock_games.field import Field
from paddock_games.game import Brain, Game, Luck, Step

__all__ = ["Choice", "Draftosaurus", "Rules", "State", "View"]


class Draftosaurus(Game):
    """The game Draftosaurus."""

    name = "draftosaurus"
    formats = FORMATS
    presets = PRESETS
    brains: ClassVar[dict[str, Brain]] = {"random": any_legal, "greedy": greedy, "careful": careful}

    def rules(self, options: object, where: str = "rules") -> Rules:
        return read_rules(options, where)

    def check(self, format_name: str, seats: int, rules: Rules) -> None:
        setting(format_name, seats, rules)

    def start(self, format_name: str, seats: int, rules: Rules, chance: Chance) -> State:
        place = setting(format_name, seats, rules)
        return State.first(place, draw(place, chance))

    def imagine(self, view: View, rng: Random) -> State:
        return State.imagined(view, rng)

    def luck(self, steps: Sequence[Step]) -> tuple[Luck, ...]:
        return luck_of(steps)

    def score(self, position: object) -> dict[str, Any]:
        return score_position(position)

    def legal(self, position: object) -> list[dict[str, Any]]:
        return legal_position(position)

    def dealt(self, state: State) -> list[dict[str, Any]]:
        return record.dealt(state)

    def recorded(self, games: Field, state: State) -> Step:
        return record.recorded(games, state)

    def place(self, state: State) -> str:
        return record.place(state)

    def games(self, steps: Sequence[Step], end: State) -> list[dict[str, Any]]:
        return record.games(steps, end)
