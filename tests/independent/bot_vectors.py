"""Recorded asks with the answers of the sample bots, for bots in other languages to be checked by.

`python -m tests.independent.bot_vectors --write` writes tests/data/bots/ again, after a change of
what the sample bots choose. docs/sample-bots.md tells what is in the files.
"""

import json
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from paddock.ask import Ask, read_ask
from paddock.bots.careful import CarefulBot
from paddock.bots.greedy import GreedyBot
from paddock.bots.random import RandomBot
from paddock.dice import Dice, match_seed
from paddock.match import read_match
from paddock.v1 import arena_pb2
from paddock_games import FORMATS, Match
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask as Wanted
from paddock_server.wire import items
from tests.games.tables import match

FOLDER: Final = Path(__file__).parents[1] / "data" / "bots"
BOTS: Final = {bot.name: bot for bot in (RandomBot(), GreedyBot(), CarefulBot())}
SECRET: Final = "paddock"  # noqa: S105 -- as public as can be
# By game: the rule options of the matches of a format, one after the other.
RULES: Final[dict[str, tuple[dict[str, object], ...]]] = {
    "draftosaurus": ({}, {"place_after_reveal": True, "quarantine_may_stay": True}),
    "dino_twist": ({}, {"attack_with_play": True, "graveyard_per_card": True}),
}


class Asked(NamedTuple):
    """An ask as it is sent, and as a bot gets it."""

    message: arena_pb2.Ask
    ask: Ask


def answers(ask: Ask) -> dict[str, int]:
    """The number of every sample bot's choice."""
    return {name: ask.legal.index(bot.choose(ask)) for name, bot in BOTS.items()}


def vectors(format_name: str) -> dict[str, Any]:
    """The matches of a format, each as one seat saw it."""
    rules = RULES[FORMATS[format_name].game]
    return {
        "format": format_name,
        "secret": SECRET,
        "matches": [_match(format_name, number, each) for number, each in enumerate(rules)],
    }


def _match(format_name: str, number: int, rules: dict[str, object]) -> dict[str, Any]:
    one = match(format_name, FORMATS[format_name].usual_seats, rules, number)
    dice = Random(f"dice {format_name} {number}").randbytes(items.DICE_BYTES)
    return match_vector(one, number, dice)


def match_vector(one: Match, seat: int, dice: bytes) -> dict[str, Any]:
    """A match as one seat saw it, with the answers of the sample bots."""
    (item,) = arena_pb2.PlayResponse.FromString(items.started(one, seat, Clock(), dice)).items
    return {
        "started": _text(item.match_started),
        "dice": match_seed(SECRET.encode(), dice, seat).hex(),
        "asks": [
            {"ask": _text(asked.message), **answers(asked.ask)}
            for asked in _asks(one, seat, item.match_started)
        ],
    }


def _asks(one: Match, seat: int, started: arena_pb2.MatchStarted) -> Iterator[Asked]:
    """The asks of a seat, in order, while all seats follow any of the bots."""
    chooser = Random(one.format)
    told = read_match(started)
    seed = match_seed(SECRET.encode(), told.dice, seat)
    state, decisions, step = one.start(), 0, 0
    while state.to_move:
        for asked in state.to_move:
            if asked == seat:
                message = _ask(one, step, state, seat)
                yield Asked(message, read_ask(message, told, Dice(seed, decisions)))
                decisions += 1
        brains = one.game.brains
        state = state.step(
            {
                asked: brains[chooser.choice(list(brains))](state.view(asked), chooser)
                for asked in state.to_move
            }
        )
        step += 1


def _ask(one: Match, step: int, state: Any, seat: int) -> arena_pb2.Ask:
    wanted = Wanted(seat, step + 1, state, state.legal(seat), 1.0, 10.0)
    sent = items.ask(one, wanted, items.table(one, state))
    (item,) = arena_pb2.PlayResponse.FromString(sent).items
    return item.ask


def _text(message: Any) -> str:
    return b64encode(message.SerializeToString(deterministic=True)).decode()


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for name in FORMATS:
        text = json.dumps(vectors(name), indent=1) + "\n"
        (FOLDER / f"{name}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    main()
