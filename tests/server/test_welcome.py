"""Welcome tells a client all it needs to know, so that no client carries a list."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from paddock.v1 import arena_pb2, bot_pb2
from paddock_games import FORMATS, GAMES
from paddock_wire import CODECS
from tests.server.organiser import Organiser
from tests.server.process import GUARD_S, Server
from tests.server.raw import Bot, connected


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("welcome")) as server:
        yield server


def _welcomed(server: Server, name: str, plays: Sequence[str], **said: Any) -> arena_pb2.Welcome:
    """Welcome, once the organiser sees these formats: they are stored soon after it."""

    async def talk() -> arena_pb2.Welcome:
        async with connected(server.address) as channel:
            bot = Bot(channel, name, **said)
            welcome = await bot.enter()
            organiser = Organiser(channel)
            shown: list[str] = []
            deadline = time.monotonic() + GUARD_S
            while shown != list(plays):
                assert time.monotonic() < deadline, shown
                row = (await organiser.bots.GetBot(bot_pb2.GetBotRequest(name=name))).bot
                shown = list(row.formats)
            await bot.close()
            return welcome

    return asyncio.run(talk())


def test_welcome_has_every_format_and_game(server: Server) -> None:
    welcome = _welcomed(server, "curious", list(FORMATS), formats=[])
    for told, form in zip(welcome.formats, FORMATS.values(), strict=True):
        assert (told.name, told.game, told.title) == (form.name, form.game, form.title)
        assert (told.least_seats, told.most_seats) == form.seats
        assert told.usual_seats == form.usual_seats
    for said, game in zip(welcome.games, GAMES.values(), strict=True):
        assert (said.name, said.rules_version) == (game.name, game.rules_version)
        assert [preset.name for preset in said.presets] == list(game.presets)
        assert next(iter(game.presets.values())) == game.rules(None)  # the first is the default
        for preset in said.presets:
            assert preset.WhichOneof("rules") == game.name
            started = arena_pb2.MatchStarted(**{game.name: getattr(preset, game.name)})
            assert CODECS[game.name].read_rules(started) == game.presets[preset.name]


@pytest.mark.parametrize(
    ("said", "plays"),
    [
        ({"formats": []}, list(FORMATS)),
        ({"formats": ["winter", "summer", "winter"]}, ["winter", "summer"]),
        ({"formats": [], "known_formats": ["chess", "winter", "summer"]}, ["summer", "winter"]),
        ({"formats": ["winter"], "known_formats": ["chess", "winter"]}, ["winter"]),
    ],
    ids=["no names", "names", "known", "names that are known"],
)
def test_what_a_hello_stands_for(server: Server, said: dict[str, Any], plays: list[str]) -> None:
    welcome = _welcomed(server, "modest", plays, **said)
    assert [form.name for form in welcome.formats if form.plays] == [
        name for name in FORMATS if name in plays
    ]
