"""Tables of every format and every number of seats, played to their ends over real streams."""

import asyncio
import hashlib
import json
from collections.abc import Iterator

import pytest

from paddock.v1 import arena_pb2
from paddock_games import FORMATS
from paddock_wire import codec_of
from tests.server.organiser import Finished, Organiser
from tests.server.process import Server, sdk_bot
from tests.server.raw import Bot, bots, connected

NAMES = [f"bot-{number}" for number in range(6)]
RULES = {
    "draftosaurus": (
        "", "polish", json.dumps({"place_after_reveal": True, "quarantine_may_stay": True}),
    ),
    "dino_twist": ("",),
}  # fmt: skip
TABLES = [
    (name, seats, rules)
    for name, form in FORMATS.items()
    for seats in range(form.seats[0], form.seats[1] + 1)
    for rules in RULES[form.game]
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("tables")) as server:
        yield server


def _check_what_a_bot_heard(bot: Bot, match: Finished) -> None:
    mine = match.bots.index(bot.name)
    (started,) = [m for m in bot.of("match_started") if m.match_id == match.summary.match_id]
    (ended,) = [m for m in bot.of("match_ended") if m.match_id == match.summary.match_id]
    assert started.seat == mine
    assert [seat.bot for seat in started.seats] == match.bots
    assert started.commitment == hashlib.sha256(ended.seed).digest()
    assert ended.seed == match.replay.match.seed
    assert list(ended.nonces) == [seated.nonce for seated in match.replay.match.seats]
    assert ended.nonces[mine] == bot.nonces.get(started.match_id, bytes(16))
    rated = [seat.HasField("rating") for seat in ended.seats]
    assert rated == [not any(bot.startswith("house-") for bot in match.bots)] * len(rated)
    for seat in ended.seats:
        seat.ClearField("rating")
    assert list(ended.seats) == list(match.summary.results)
    assert codec_of(match.summary.format).read_scores(ended) == match.replay.end.scores()


def test_every_format_with_every_number_of_seats(server: Server) -> None:
    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, NAMES[:3], sends_nonces=True) as some,
            bots(server.address, NAMES[3:]) as others,  # they send none
        ):
            organiser = Organiser(channel)
            players = {bot.name: bot for bot in (*some, *others)}
            ids = [
                (await organiser.start(name, NAMES[-seats:], 2, seats=seats, rules=rules))
                for name, seats, rules in TABLES
            ]
            for (name, seats, _), pair in zip(TABLES, ids, strict=True):
                first, second = [await organiser.finished(match_id) for match_id in pair]
                assert first.summary.format == name
                assert sorted(first.bots) == sorted(second.bots) == NAMES[-seats:]
                assert first.bots != second.bots  # they changed seats
                for match in (first, second):
                    assert match.clean(), match.json
                    for bot in match.bots:
                        player = players[bot]
                        await _hears_the_end(player, match)
                        _check_what_a_bot_heard(player, match)
            for player in players.values():
                assert not player.of("refused")

    asyncio.run(play())


async def _hears_the_end(bot: Bot, match: Finished) -> None:
    match_id = match.summary.match_id
    await bot.until(lambda: any(ended.match_id == match_id for ended in bot.of("match_ended")))


def test_bots_of_the_sdk_and_of_the_house_at_one_table(server: Server) -> None:
    async def play() -> None:
        async with connected(server.address) as channel, bots(server.address, ["mine"]):
            organiser = Organiser(channel)
            with sdk_bot(server, "random"), sdk_bot(server, "greedy", "greedy"):
                await organiser.connected("random", "greedy")
                names = ["mine", "random", "greedy", "house-greedy"]
                for match_id in await organiser.start("series", names, 8, seats=5):
                    match = await organiser.finished(match_id)
                    assert match.clean()
                    assert sorted(match.bots) == sorted([*names, "house-greedy"])

    asyncio.run(play())


def test_three_matches_given_up_in_a_row_and_the_way_back(server: Server) -> None:
    def give_up(ask: arena_pb2.Ask) -> list[arena_pb2.BotItem]:
        return [arena_pb2.BotItem(resign=arena_pb2.Resign(match_id=ask.match_id))]

    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["good"]),
            bots(server.address, ["tired"], give_up, formats=["two-player"]) as (tired,),
        ):
            organiser = Organiser(channel)
            for match_id in await organiser.start("two-player", ["good", "tired"], 3):
                match = await organiser.finished(match_id)
                assert set(match.faults["tired"]) == {"RESIGNED"}
                assert match.faults["good"] == []
                ranks = {b: r.rank for b, r in zip(match.bots, match.summary.results, strict=True)}
                assert ranks == {"good": 1, "tired": 2}
            trial = (await tired.next("match_started", 3)).match_id
            assert set((await organiser.finished(trial)).bots) == {"tired", "house-random"}
            (bot,) = await organiser.connected("tired")
            assert "forfeited 3 matches in a row" in bot.probation
            (waits,) = await organiser.start("two-player", ["good", "tired"])
            await tired.close()
            async with bots(server.address, ["tired"], formats=["two-player"]) as (fresh,):
                assert fresh.of("welcome")[0].probation == bot.probation
                first = (await fresh.next("match_started")).match_id
                assert set((await organiser.finished(first)).bots) == {"tired", "house-random"}
                assert (await organiser.finished(waits)).clean()
                (bot,) = await organiser.connected("tired")
                assert bot.probation == ""

    asyncio.run(play())
