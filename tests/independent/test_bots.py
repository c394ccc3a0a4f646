"""The sample bots choose as docs/sample-bots.md says: in whole matches, and as recorded."""

import json
from base64 import b64decode
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from paddock import lines
from paddock.ask import Ask, read_ask
from paddock.dice import Dice, match_seed
from paddock.match import Match, Seat, read_match
from paddock.v1 import arena_pb2
from paddock_games import FORMATS
from paddock_games.clock import Clock
from tests.games.tables import TABLES, match, options
from tests.independent import bots
from tests.independent.bot_vectors import BOTS, FOLDER, answers, vectors

OTHERS = 2  # matches with other rules than the usual


def _described(ask: Ask, dice: bytes, decision: int) -> dict[str, int]:
    """What the bots choose by their description."""
    rules = ask.match.rules._asdict()
    return {
        name: bots.number(name, lines.ask(ask), rules, dice=dice, decision=decision)
        for name in BOTS
    }


def _told(form: str, seats: int, seat: int, rules: Any) -> Match:
    players = tuple(Seat(f"bot{number}", "1", "ada") for number in range(seats))
    return Match("M", form, players, seat, rules, Clock(), b"", "")


@pytest.mark.parametrize(("form", "seats"), TABLES)
def test_every_choice_is_the_one_that_the_page_describes(form: str, seats: int) -> None:
    """All three judge every ask, and the seats follow any of them."""
    chooser = Random(f"{form} {seats}")
    for number, rules in enumerate((None, *chooser.sample(options(form), OTHERS))):
        one = match(form, seats, rules, number=number)
        state = one.start()
        decisions = [0] * seats
        while state.to_move:
            choices = {}
            for seat in state.to_move:
                dice, view = sha256(bytes([seat])).digest(), state.view(seat)
                told = _told(form, seats, seat, one.rules)
                drawn = Dice(dice, decisions[seat])
                ask = Ask(1, told, view, tuple(view.legal), time_ms=1, bank_ms=1, dice=drawn)
                chosen = answers(ask)
                assert chosen == _described(ask, dice, decisions[seat])
                decisions[seat] += 1
                choices[seat] = ask.legal[chosen[chooser.choice(list(BOTS))]]
            state = state.step(choices)


@pytest.mark.parametrize("form", FORMATS)
def test_the_recorded_asks_are_answered_as_the_page_says(form: str) -> None:
    recorded = json.loads((FOLDER / f"{form}.json").read_text("utf-8"))
    assert recorded == vectors(form), "run: python -m tests.independent.bot_vectors --write"
    for one in recorded["matches"]:
        started = arena_pb2.MatchStarted.FromString(b64decode(one["started"]))
        told, dice = read_match(started), bytes.fromhex(one["dice"])
        assert dice == match_seed(recorded["secret"].encode(), started.dice, started.seat)
        for decision, each in enumerate(one["asks"]):
            ask = read_ask(arena_pb2.Ask.FromString(b64decode(each.pop("ask"))), told)
            assert each == _described(ask, dice, decision)


def test_no_format_is_left_without_recorded_asks() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(FORMATS)
