"""Where the rulebooks differ: the rule options of a match, and the presets (section 6)."""

from typing import Final, NamedTuple

from paddock_games.draftosaurus.material import ZOO
from paddock_games.errors import BadRules


class Rules(NamedTuple):
    """The rule options of a match; the defaults are the preset `international`."""

    quarantine_may_stay: bool = False  # A1
    five_player_die_hold: bool = False  # A2
    prairie_capacity: int | None = None  # A3
    place_after_reveal: bool = False  # A4


PRESETS: Final[dict[str, Rules]] = {
    "international": Rules(),
    "polish": Rules(quarantine_may_stay=True, five_player_die_hold=True, prairie_capacity=6),
}


def read_rules(given: object, where: str = "rules") -> Rules:
    """The rules that a preset's name, an object of options or None (the defaults) stands for."""
    if given is None:
        return Rules()
    if isinstance(given, Rules):
        return given
    if isinstance(given, str):
        if given not in PRESETS:
            raise BadRules(where, f"no preset {given!r}; there are {', '.join(PRESETS)}")
        return PRESETS[given]
    if not isinstance(given, dict):
        raise BadRules(where, f"give an object of options or a preset ({', '.join(PRESETS)})")
    for key, value in given.items():
        if key not in Rules._fields:
            raise BadRules(where, f"no option {key!r}; there are {', '.join(Rules._fields)}")
        if key == "prairie_capacity":
            if value is not None and not (type(value) is int and 1 <= value <= ZOO):
                raise BadRules(
                    f"{where}.{key}", f"give null for no limit or a number from 1 to {ZOO}"
                )
        elif type(value) is not bool:
            raise BadRules(f"{where}.{key}", "give true or false")
    return Rules(**given)
