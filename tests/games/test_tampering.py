"""Every lie in a record is noticed: each node that means something, changed to other good values.

A lie that leads to another match that could have been played, point for point, is none that a
record can show; there the independent check has to find nothing either.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from tests.games.tables import match, played
from tests.independent import draftosaurus as independent

from paddock_games import BadRecord, read_record, verify, write_record

RECORDED: Final = {
    "summer": ("summer", 4, None),
    "winter": ("winter", 3, None),
    "polish": ("winter", 5, "polish"),
    "prairie": ("summer", 3, {"prairie_capacity": 2}),
    "reveal": ("two-player-winter", 2, {"place_after_reveal": True}),
    "series": ("series", 3, None),
    "two-player-series": ("two-player-series", 2, None),
}
every_record = pytest.mark.parametrize("name", RECORDED)

SEATS: Final = range(5)
PENS: Final = sorted({pen for pens in independent.PENS.values() for pen in pens} | {"RIVER"})
NAMES: Final = {  # keys whose value is one of a known set: all the other values are tried
    "die": independent.FACES,
    "board": list(independent.PENS),
    "species": independent.SPECIES,
    "pen": PENS,
    "slot": range(6),
    "roller": SEATS,
    "first_roller": SEATS,
    "format": list(independent.FORMATS),
    "quarantine_may_stay": [False, True],
    "five_player_die_hold": [False, True],
    "place_after_reveal": [False, True],
    "forfeit": [False, True],
    "prairie_capacity": [None, 1, 2, 6, 12],
}
# These may turn a match into another one that adds up.
ALSO_POSSIBLE: Final = (
    "pen", "slot", "quarantine_may_stay", "five_player_die_hold", "place_after_reveal",
    "prairie_capacity", "quarantine",
)  # fmt: skip
HEX: Final = ("seed", "commitment", "nonce")


def recorded(name: str) -> dict[str, Any]:
    """A match of this kind, played at random, as JSON gives it back."""
    form, seats, rules = RECORDED[name]
    one = match(form, seats, rules, number=12)
    record: dict[str, Any] = json.loads(json.dumps(write_record(one, *played(one))))
    return record


def others(key: str, value: Any) -> list[Any]:
    """Other values that could stand here."""
    if key in HEX:
        return [
            "0123456789abcdef"[int(value[0], 16) ^ 1] + value[1:],
            value[:-1] + "0f"[value[-1] == "0"],
        ]
    if key in NAMES:
        return [other for other in NAMES[key] if other != value]
    if type(value) is int:
        return [value + 1, value - 1]
    if value in independent.SPECIES:  # a dinosaur of a deal, or a discard
        return [other for other in independent.SPECIES if other != value]
    if key == "quarantine":
        return [None, {"pen": "RIVER", "slot": 0}, {"pen": "LOOKOUT", "slot": 0}]
    return []


def lies(node: Any, key: str = "", path: str = "") -> Iterator[tuple[str, str, Any, Any, Any]]:
    """Every (path, name, container, index, other value) of a record."""
    for at in list(node) if isinstance(node, dict) else range(len(node)):
        name = str(at) if isinstance(node, dict) else key
        here = f"{path}.{at}" if path else str(at)
        entry = name == "quarantine" and isinstance(node, list)
        if isinstance(node[at], dict | list):
            yield from lies(node[at], name, here)
        if entry or not isinstance(node[at], dict | list):
            for other in others(name, node[at]):
                if other != node[at]:
                    yield here, name, node, at, other


def is_right(record: Any) -> bool:
    """Whether the library finds nothing wrong."""
    try:
        verify(read_record(json.dumps(record)))
    except BadRecord as problem:
        sentence = str(problem)
    else:
        return True
    assert sentence.isprintable()
    return False


def is_right_independently(record: Any) -> bool:
    """Whether the second reading of the rules finds nothing wrong."""
    try:
        independent.check(record)
    except independent.Wrong:
        return False
    return True


@every_record
def test_every_lie_is_noticed(name: str) -> None:
    record = recorded(name)
    assert is_right(record)
    told: dict[str, int] = {}
    for path, key, node, at, other in list(lies(record)):
        truth, node[at] = node[at], other
        right = is_right(record)
        if key in ALSO_POSSIBLE:
            assert right is is_right_independently(record), f"{path}: {truth} -> {other}"
        else:
            assert not right, f"{path}: {truth} -> {other}"
        told[key] = told.get(key, 0) + (not right)
        node[at] = truth
    assert is_right(record)
    unnoticed = {key for key, number in told.items() if not number}
    assert unnoticed <= {"place_after_reveal", "prairie_capacity", "quarantine_may_stay",
                         "five_player_die_hold"}  # fmt: skip


@every_record
def test_every_node_that_means_something_is_lied_about(name: str) -> None:
    """So that the test above can't pass by leaving something out."""
    keys = {key for _, key, *_ in lies(recorded(name))}
    expected = {
        *("seed", "commitment", "nonce", "format", "forfeit", "deals", "die", "roller", "board"),
        *("first_roller", "species", "pen", "slot", "total", "t_rexes", "totals", "ranks"),
        *("RIVER", "T_REX_BONUS", "quarantine_may_stay", "prairie_capacity"),
    }
    if "winter" in RECORDED[name][0] or "series" in RECORDED[name][0]:
        expected |= {"quarantine", "LOVERS_BRIDGE", "PYRAMID", "LOOKOUT", "WELL_ORDERED_WOOD"}
    if RECORDED[name][1] == 2:
        expected.add("discards")
    assert expected <= keys


@every_record
def test_two_things_exchanged_are_noticed(name: str) -> None:
    """What is right each by itself is wrong in another place: deals, turns, seats, scores."""
    record = recorded(name)
    for game in record["games"]:
        for several in (game["deals"], *game["deals"], game["turns"], game["scores"]):
            for one in range(len(several) - 1):
                if several[one] == several[one + 1]:
                    continue
                several[one], several[one + 1] = several[one + 1], several[one]
                assert not is_right(record)
                several[one], several[one + 1] = several[one + 1], several[one]
    record["seats"].append(record["seats"].pop(0))
    assert not is_right(record)


@every_record
def test_another_match_can_not_be_passed_off(name: str) -> None:
    """A record with the seed, or the games, of another match that is right itself."""
    form, seats, rules = RECORDED[name]
    one = match(form, seats, rules, number=99)
    another = write_record(one, *played(one))
    for key in ("fairness", "seats", "games", "totals"):
        record = recorded(name)
        assert record[key] != another[key]
        assert not is_right(record | {key: another[key]})
    assert is_right(another)
