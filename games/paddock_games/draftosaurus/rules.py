"""The rule options of a match, where the rulebooks differ, and the presets (section 6)."""

from typing import Final, NamedTuple

from paddock_games.draftosaurus.material import ZOO
from paddock_games.errors import BadRules
from paddock_games.options import read_options


class Rules(NamedTuple):
    """The rule options of a match; the defaults are the preset `international`."""

    quarantine_may_stay: bool = False  # A1
    five_player_die_hold: bool = False  # A2
    prairie_capacity: int | None = None  # A3
    place_after_reveal: bool = False  # A4

    @property
    def version(self) -> int:
        """The version of the rules that has these options."""
        return 1


PRESETS: Final[dict[str, Rules]] = {
    "international": Rules(),
    "polish": Rules(quarantine_may_stay=True, five_player_die_hold=True, prairie_capacity=6),
}


def read_rules(options: object, where: str = "rules") -> Rules:
    """The rules that a preset's name, an object of options or None (the defaults) stands for."""
    return read_options(Rules, PRESETS, _check, options, where)


def _check(key: str, value: object, where: str) -> None:
    if key == "prairie_capacity":
        if value is not None and not (type(value) is int and 1 <= value <= ZOO):
            raise BadRules(where, f"give null for no limit or a number from 1 to {ZOO}")
    elif type(value) is not bool:
        raise BadRules(where, "give true or false")
