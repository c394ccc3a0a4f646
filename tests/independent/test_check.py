"""check() accepts matches played at random by the rules, and refuses every corruption of them."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from . import draftosaurus as second
from .draftosaurus import SPECIES, Wrong, below, check, legal, put, score

Record = dict[str, Any]
POLISH = {"quarantine_may_stay": True, "five_player_die_hold": True, "prairie_capacity": 6}
DEFAULTS = dict.fromkeys(POLISH, False) | {"prairie_capacity": None, "place_after_reveal": False}
TABLES = [
    *[(form, seats) for form in ("summer", "winter", "series") for seats in (3, 4, 5)],
    *[(form, 2) for form in ("two-player", "two-player-winter", "two-player-series")],
]


def play(form: str, seats: int, options: dict[str, Any], number: int) -> Record:
    """Play one match at random and record it."""
    chooser = random.Random(number)
    rules = DEFAULTS | options
    seed, nonces = chooser.randbytes(32), [chooser.randbytes(16) for _ in range(seats)]
    forfeits = [chooser.random() < 0.1 for _ in range(seats)]
    stream = second.words(seed, nonces)
    first = below(stream, seats)
    hold = seats == 5 and rules["five_player_die_hold"]
    # Who holds the die over both games of a series, counted from the first holder.
    passing = [0, 1, 2, 3, 4, 4] * 4 if hold else list(range(24))
    boards = ["SUMMER", "WINTER"] if "series" in form else ["SUMMER"]
    boards = ["WINTER"] if "winter" in form else boards
    games, totals, t_rexes = [], [0] * seats, [0] * seats
    for board in boards:
        rollers = [(first + passing.pop(0)) % seats for _ in range(12)]
        bag = SPECIES * {2: 8, 3: 6, 4: 8, 5: 10}[seats]
        bag.sort(key=SPECIES.index)
        second.shuffle(stream, bag)
        dice = [second.FACES[below(stream, 6)] for _ in range(12)]
        deals: list[Any] = []
        turns: list[Any] = []
        zoos: list[Any] = [{} for _ in range(seats)]
        hands: list[list[str]] = [[] for _ in range(seats)]
        for roller, die in zip(rollers, dice, strict=True):
            if not hands[0]:
                deals.append([[bag.pop(0) for _ in range(6)] for _ in range(seats)])
                hands = [list(hand) for hand in deals[-1]]
            turn: Record = {"roller": roller, "die": die, "placements": []}
            for seat in range(seats):
                free = seat == roller and not (hold and len(turns) in (5, 11))
                found = legal(board, zoos[seat], hands[seat], die, free, rules)
                species, pen, slot = chooser.choice(sorted(found))
                put(zoos[seat], species, pen, slot)
                hands[seat].remove(species)
                placement = {"species": species, "pen": pen, "slot": slot}
                turn["placements"].append(placement | {"ms": 2.5, "lag_ms": 1, "fault": None})
            if seats == 2:
                turn["discards"] = [hand.pop(chooser.randrange(len(hand))) for hand in hands]
            turns.append(turn)
            hands = hands[-1:] + hands[:-1]
        game: Record = {"board": board, "first_roller": rollers[0]}
        game |= {"deals": deals, "turns": turns}
        if board == "WINTER":
            game["quarantine"] = [leave(zoo, rules, chooser) for zoo in zoos]
        game["scores"] = score(board, zoos, rules)["scores"]
        games.append(game)
        for seat in range(seats):
            totals[seat] += game["scores"][seat]["total"]
            t_rexes[seat] += game["scores"][seat]["t_rexes"]
    return {
        "record": "paddock/1", "match": "M1", "tournament": None,
        "game": "draftosaurus", "format": form, "rules": rules,
        "started": "2026-11-15T12:00:00.000Z", "ended": "2026-11-15T12:00:01.250Z",
        "seats": [
            {"bot": "b", "version": "1", "owner": "o", "nonce": nonce.hex(), "forfeit": forfeit}
            for nonce, forfeit in zip(nonces, forfeits, strict=True)
        ],
        "fairness": {"commitment": hashlib.sha256(seed).hexdigest(), "seed": seed.hex()},
        "games": games, "totals": totals, "ranks": second.rank(totals, t_rexes, forfeits),
    }  # fmt: skip


def leave(zoo: Any, rules: Any, chooser: random.Random) -> Record | None:
    """Move a quarantined dinosaur at random, or leave it where the rules let it stay."""
    if not zoo.get("QUARANTINE") or (rules["quarantine_may_stay"] and chooser.random() < 0.5):
        return None
    choices = legal("WINTER", zoo, zoo["QUARANTINE"], "NO_T_REX", True, rules)
    species, pen, slot = chooser.choice(sorted(choices))
    zoo["QUARANTINE"] = []
    put(zoo, species, pen, slot)
    return {"pen": pen, "slot": slot}


@pytest.mark.parametrize("options", [{}, POLISH, {"place_after_reveal": True}])
@pytest.mark.parametrize(("form", "seats"), TABLES)
def test_random_matches_pass(form: str, seats: int, options: dict[str, Any]) -> None:
    """Whatever the format, the seats and the options, a match played by the rules is right."""
    for number in range(20):
        check(json.loads(json.dumps(play(form, seats, options, number))))


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Walk over every (container, key or index) of a record."""
    for key in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from places(node[key])


@pytest.mark.parametrize(("form", "seats"), TABLES)
def test_nothing_can_be_spoilt_or_missing(form: str, seats: int) -> None:
    """Putting nonsense in any one place, or taking any one thing away, is noticed."""
    record = play(form, seats, {}, 1)
    for node, key in places(record):
        before = node[key]
        node[key] = -0.5
        with pytest.raises(Wrong):
            check(record)
        node[key] = before
        kept = node.copy()
        del node[key]
        with pytest.raises(Wrong):
            check(record)
        node.clear()
        node.update(kept) if isinstance(node, dict) else node.extend(kept)
    check(record)


def swap(node: Any, one: Any, other: Any) -> None:
    """Exchange two entries."""
    node[one], node[other] = node[other], node[one]


def raise_part(record: Record) -> None:
    """Give a seat a point too many, consistently."""
    record["games"][0]["scores"][0]["parts"]["RIVER"] += 1
    record["games"][0]["scores"][0]["total"] += 1
    record["totals"][0] += 1


SPOILERS: list[tuple[str, str, Callable[[Record], object]]] = [
    ("two-player-winter", "commitment", lambda r: r["fairness"].update(commitment="0" * 64)),
    ("two-player-winter", "first_roller|deal 0", lambda r: r["seats"][0].update(nonce="0" * 32)),
    ("two-player-winter", "deal 0", lambda r: swap(r["games"][0]["deals"][0], 0, 1)),
    ("two-player-winter", "die", lambda r: r["games"][0]["turns"][3].update(die="NO_FACE")),
    ("two-player-winter", "roller", lambda r: swap(r["games"][0]["turns"], 0, 1)),
    ("two-player-winter", "discard", lambda r: r["games"][0]["turns"][2].update(discards=["", ""])),
    ("two-player-winter", "no pen", lambda r: r["games"][0]["turns"][4]["placements"][1].update(
        pen="WOODY_TRIO")),
    ("two-player-winter", "does not take", lambda r: r["games"][0]["turns"][4]["placements"][
        1].update(pen="RIVER", slot=1)),
    ("two-player-winter", "not in the hand", lambda r: r["games"][0]["turns"][4]["placements"][
        1].update(species="VELOCIRAPTOR")),
    ("two-player-winter", "RIVER", raise_part),
    ("two-player-winter", "parts", lambda r: r["games"][0]["scores"][1]["parts"].update(
        QUARANTINE=0)),
    ("two-player-series", "first_roller", lambda r: r["games"][1].update(
        first_roller=1 - r["games"][1]["first_roller"])),
    ("two-player-series", "board", lambda r: swap(r["games"], 0, 1)),
    ("two-player-series", "totals", lambda r: r.update(totals=[0, 0])),
    ("two-player-series", "rank", lambda r: r["seats"][r["ranks"].index(1)].update(forfeit=True)),
    ("summer", "discards", lambda r: r["games"][0]["turns"][0].update(discards=["T_REX"] * 3)),
    ("summer", "seats", lambda r: r.update(format="two-player")),
    ("summer", "quarantine", lambda r: r["games"][0].update(quarantine=[{"pen": "RIVER"}])),
]  # fmt: skip


@pytest.mark.parametrize(("form", "message", "spoil"), SPOILERS)
def test_each_lie_is_named(form: str, message: str, spoil: Callable[[Record], object]) -> None:
    """A plausible lie is refused with a message that says what it is about."""
    record = play(form, 3 if form == "summer" else 2, {}, 5)
    spoil(record)
    with pytest.raises(Wrong, match=message):
        check(record)


def test_options_matter() -> None:
    """A match played under the Polish options is refused under the international ones."""
    for option, seats, message in [
        ("five_player_die_hold", 5, "turn 5 roller"),
        ("quarantine_may_stay", 4, "must move"),
    ]:
        record = play("winter", seats, POLISH, 2)
        record["rules"] = record["rules"] | {option: False}
        with pytest.raises(Wrong, match=message):
            check(record)


def test_the_die_binds_all_but_the_roller() -> None:
    """On an empty board, the far bank is closed to a non-roller whom the die sends elsewhere."""
    for record in [play("winter", 3, {}, number) for number in range(20)]:
        turn = record["games"][0]["turns"][0]
        if turn["die"] not in ("WOODLANDS", "FOOD_COURT"):
            continue
        turn["placements"][turn["roller"] - 1].update(pen="LOVERS_BRIDGE_RIGHT", slot=0)
        with pytest.raises(Wrong, match="does not satisfy the die"):
            check(record)
