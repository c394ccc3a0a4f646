"""Dino Twist and the independent second reading of its rules agree over thousands of games."""

import json
from random import Random
from typing import Any, Final

import pytest
from tests.games.tables import match, of_game, options
from tests.independent import dino_twist as independent
from tests.independent.draftosaurus import Wrong

from paddock_games import FORMATS, GAMES, play, read_record, verify, write_record

GAME: Final = GAMES["dino_twist"]
THINKERS: Final = [brain for name, brain in GAME.brains.items() if name != "random"]
CHUNKS: Final = 4
GAMES_A_CHUNK: Final = 250


def simulated(form: str, number: int) -> dict[str, Any]:
    """The record of one match: any seats, mostly random brains, half with other rules."""
    chooser = Random(f"{form} {number}")
    seats = chooser.randint(*FORMATS[form].seats)
    rules = None if chooser.random() < 0.5 else chooser.choice(options(form))
    one = match(form, seats, rules, chooser.getrandbits(64))
    one = one._replace(seats=[s._replace(forfeit=chooser.random() < 0.1) for s in one.seats])
    brains = [
        chooser.choice(THINKERS) if chooser.random() < 0.2 else GAME.brains["random"]
        for _ in range(seats)
    ]
    return write_record(one, *play(one.start(), brains, [chooser] * seats))


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("form", sorted({form for form, _ in of_game("dino_twist")}))
def test_thousands_of_games_pass_the_independent_check(form: str, chunk: int) -> None:
    seats, shuffles, events = set(), 0, set()
    for number in range(chunk * GAMES_A_CHUNK, (chunk + 1) * GAMES_A_CHUNK):
        record = simulated(form, number)
        if number % 20 == 0:
            line = json.dumps(record)
            verify(read_record(line))
            record = json.loads(line)
        independent.check(record)
        seats.add(len(record["seats"]))
        shuffles += len(record["games"][0]["shuffled"])
        events |= {told["event"] for told in record["games"][0]["rounds"]}
    assert seats == {2, 3, 4, 5, 6}
    assert shuffles > 20
    assert events >= set(independent.events()) - {"VOLCANO"}


@pytest.mark.parametrize(("form", "seats"), of_game("dino_twist"))
def test_the_independent_check_notices_lies(form: str, seats: int) -> None:
    """So that the test above can fail: each of these is a lie about one thing."""
    one = match(form, seats, None, 6)
    chooser = Random(3)
    good = write_record(one, *play(one.start(), [GAME.brains["random"]] * seats, [chooser] * seats))
    independent.check(good)
    told = good["games"][0]
    attacks = [(r, s) for r, now in enumerate(told["rounds"])
               for s, attack in enumerate(now["attacks"]) if attack]  # fmt: skip
    number, seat = attacks[-1]
    for path in (
        ("events", 0), ("hands", 0, 0), ("pile", 3), ("rounds", 0, "event"),
        ("rounds", 1, "plays", 0, "cards", 0), ("rounds", number, "attacks", seat, "territory"),
        ("rounds", number, "attacks", seat), ("scores", 0, "parts", "ISLAND"),
        ("rounds", 1, "plays", 0),
    ):  # fmt: skip
        record = json.loads(json.dumps(good))
        node: Any = record["games"][0]
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = None if isinstance(node[path[-1]], dict) else "VOLI-11"
        with pytest.raises((Wrong, IndexError)):
            independent.check(record)
