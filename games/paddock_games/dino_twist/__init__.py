"""Dino Twist: attack Twist Island, settle your own. The rules, in the order to read them:

material -> rules (and rules_1, an earlier version) -> card, event -> choice -> hand, choices,
island -> attack -> scoring -> setting -> table -> view -> deal -> moment -> resolution -> state;
then brains and careful (players), record (match records) and position (typed positions).
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from paddock_games.brains import any_legal
from paddock_games.chance import Chance
from paddock_games.dino_twist import record
from paddock_games.dino_twist.brains import greedy
from paddock_games.dino_twist.careful import careful
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.deal import draw
from paddock_games.dino_twist.luck import luck_of
from paddock_games.dino_twist.position import legal_position, score_position
from paddock_games.dino_twist.rules import (
    PRESETS,
    VERSION,
    AnyRules,
    Rules,
    read_rules,
    rules_of_version,
)
from paddock_games.dino_twist.rules_1 import Rules1
from paddock_games.dino_twist.setting import FORMATS, setting
from paddock_games.dino_twist.state import State
from paddock_games.dino_twist.view import View
from paddock_games.field import Field
from paddock_games.game import Brain, Game, Luck, Step

__all__ = ["AnyRules", "Choice", "DinoTwist", "Rules", "Rules1", "State", "View"]


class DinoTwist(Game):
    """The game Dino Twist."""

    name = "dino_twist"
    formats = FORMATS
    presets = PRESETS
    rules_version = VERSION
    brains: ClassVar[dict[str, Brain]] = {"random": any_legal, "greedy": greedy, "careful": careful}

    def rules(self, options: object, where: str = "rules") -> Rules:
        return read_rules(options, where)

    def rules_of_version(
        self, options: Mapping[str, object], version: int, where: str = "rules"
    ) -> AnyRules:
        return rules_of_version(options, version, where)

    def check(self, format_name: str, seats: int, rules: AnyRules) -> None:
        setting(format_name, seats, rules)

    def start(self, format_name: str, seats: int, rules: AnyRules, chance: Chance) -> State:
        place = setting(format_name, seats, rules)
        return State.first(place, *draw(place, chance))

    def imagine(self, view: View, rng: Random) -> State:
        return State.imagined(view, rng)

    def shown(self, choice: Choice) -> Choice:
        return choice.open

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
