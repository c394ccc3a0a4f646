"""What is fuzzed: readers of bytes from strangers, each with the one error that it may raise.

A seed is a valid input, from which a fuzzer goes on.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError

from paddock.v1 import arena_pb2
from paddock_games import GAMES, GamesError, read_record, verify
from paddock_server.basics.errors import ServerError
from paddock_server.tournaments.definition import read_definition
from paddock_server.wire.answers import read_answer

_RECORDS: Final = Path(__file__).parents[1] / "data" / "records" / "dino_twist_1.jsonl"
_DEMO: Final = Path(__file__).parents[2] / "demo.toml"


class Target(NamedTuple):
    """A reader, the error that says what is wrong, and valid inputs."""

    read: Callable[[bytes], object]
    refuses: tuple[type[Exception], ...]
    seeds: tuple[bytes, ...]


def _frame(data: bytes) -> None:
    for item in arena_pb2.PlayRequest.FromString(data).items:
        if item.WhichOneof("item") == "choice":
            read_answer(item.choice)


def _frame_seed() -> bytes:
    choice = arena_pb2.GameChoice()
    choice.draftosaurus.slot = 1
    items = [
        arena_pb2.BotItem(hello=arena_pb2.Hello(bot="ada", version="1", protocol=1)),
        arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=7, number=3)),
        arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=8, choice=choice)),
        arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=9, fallback="ValueError: 3")),
        arena_pb2.BotItem(nonce=arena_pb2.Nonce(match_id="M", nonce=bytes(16))),
    ]
    return arena_pb2.PlayRequest(items=items).SerializeToString()


def _position(data: bytes) -> None:
    value = json.loads(data)
    for game in GAMES.values():
        for read in (game.score, game.legal):
            try:
                read(value)
            except GamesError:
                continue


TARGETS: Final[Mapping[str, Target]] = {
    "frame": Target(_frame, (DecodeError,), (_frame_seed(),)),
    "record": Target(
        lambda data: verify(read_record(data)),
        (GamesError,),
        (_RECORDS.read_bytes().splitlines()[0],),
    ),
    "position": Target(
        _position,
        (ValueError, RecursionError),  # it is not JSON
        (b'{"board": "SUMMER", "zoos": [{"RIVER": ["T_REX"]}, {}]}',),
    ),
    "tournament": Target(
        lambda data: read_definition(data.decode(errors="replace")),
        (ServerError,),
        (_DEMO.read_bytes(),),
    ),
}


def survives(target: Target, data: bytes) -> None:
    """Read this; whatever is raised beyond a refusal is a defect."""
    with suppress(*target.refuses):
        target.read(data)
