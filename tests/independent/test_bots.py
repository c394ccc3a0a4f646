"""The sample bots choose as docs/sample-bots.md says: in whole matches, and as recorded."""

from hashlib import sha256
from random import Random
from typing import Any

import pytest

from paddock import lines
from paddock.ask import Ask
from paddock.bots.careful import CarefulBot
from paddock.bots.greedy import GreedyBot
from paddock.bots.random import RandomBot
from paddock.dice import Dice
from paddock.match import Match, Seat
from paddock_games.clock import Clock
from tests.games.tables import TABLES, match, options
from tests.independent import bots

OTHERS = 2  # matches with other rules than the usual
BOTS = {bot.name: bot for bot in (RandomBot(), GreedyBot(), CarefulBot())}


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
                dice = sha256(bytes([seat])).digest()
                view = state.view(seat)
                told = _told(form, seats, seat, one.rules)
                drawn = Dice(dice, decisions[seat])
                ask = Ask(1, told, view, tuple(view.legal), 1000, 1000, drawn)
                chosen = {name: ask.legal.index(bot.choose(ask)) for name, bot in BOTS.items()}
                plain = lines.ask(ask)
                assert chosen == {
                    name: bots.number(
                        name, plain, one.rules._asdict(), dice=dice, decision=decisions[seat]
                    )
                    for name in BOTS
                }
                decisions[seat] += 1
                choices[seat] = ask.legal[chosen[chooser.choice(list(BOTS))]]
            state = state.step(choices)
