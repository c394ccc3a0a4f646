"""Hidden stays hidden: all that bots and spectators are sent, against what they may know."""

import asyncio
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from paddock.v1 import arena_pb2, match_pb2
from paddock_games import FORMATS
from paddock_wire import codec_of
from tests.server import knowledge
from tests.server.organiser import Finished, Organiser
from tests.server.process import Server
from tests.server.raw import Bot, anything, bots, connected, nothing, number
from tests.wire import messages

NAMES = [f"bot-{number}" for number in range(6)]
RULES = {
    "draftosaurus": ("", "polish", json.dumps({"place_after_reveal": True})),
    "dino_twist": ("", json.dumps({"attack_with_play": True, "discard_in_turn": True})),
}
TABLES = [
    (name, form.seats[1], rules) for name, form in FORMATS.items() for rules in RULES[form.game]
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("hidden")) as server:
        yield server


def _about(bot: Bot, match_id: str) -> list[arena_pb2.RefereeItem]:
    """All that a bot was told of a match."""
    kinds = ("match_started", "ask", "happened", "match_ended")
    said = [(item, str(item.WhichOneof("item"))) for item in bot.heard]
    return [i for i, kind in said if kind in kinds and getattr(i, kind).match_id == match_id]


def _check_seat(bot: Bot, match: Finished) -> None:
    replay, seat = match.replay, match.bots.index(bot.name)
    begin, *told, end = _about(bot, replay.match.id)
    assert begin.match_started.commitment == hashlib.sha256(replay.match.seed).digest()
    assert codec_of(replay.match.format).read_rules(begin.match_started) == replay.match.rules
    expected = list(knowledge.of_seat(replay, seat))
    assert len(told) == len(expected)
    asks = set()
    for item, wanted in zip(told, expected, strict=True):
        if wanted.HasField("ask"):
            asks.add(item.ask.ask_id)
            assert item.ask.bank_ms == 0
            assert 0 < item.ask.time_ms <= 30_000
            wanted.ask.ask_id, wanted.ask.time_ms = item.ask.ask_id, item.ask.time_ms
        assert item == wanted
    assert len(asks) == sum(item.HasField("ask") for item in told)
    assert end.match_ended.seed == replay.match.seed
    # Nobody's part of the deal, and nothing of the seed, in anything before the end.
    before = b"".join(item.SerializeToString() for item in (begin, *told))
    for secret in (replay.match.seed, *(seated.nonce for seated in replay.match.seats)):
        assert secret not in before
        assert secret.hex().encode() not in before


def _check_stream(bot: Bot, matches: list[Finished]) -> None:
    """Nothing else came, and nothing between the lines."""
    counted = sum(len(_about(bot, match.summary.match_id)) for match in matches)
    others = len(bot.of("welcome")) + len(bot.of("ping"))
    assert len(bot.heard) == counted + others
    for frame in bot.frames:
        assert not knowledge.has_unknown_fields(arena_pb2.PlayResponse.FromString(frame))
    over: set[str] = set()
    for frame in bot.frames:
        over.update(i.match_ended.match_id for i in arena_pb2.PlayResponse.FromString(frame).items)
        for match in matches:
            assert match.replay.match.seed not in frame or match.summary.match_id in over


def test_a_bot_is_sent_what_its_seat_may_know_and_nothing_else(server: Server) -> None:
    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, NAMES, sends_nonces=True) as players,
        ):
            organiser = Organiser(channel)
            ids = [
                (await organiser.start(name, NAMES[:seats], seats=seats, rules=rules))[0]
                for name, seats, rules in TABLES
            ]
            matches = [await organiser.finished(match_id) for match_id in ids]
            for bot in players:
                mine = [match for match in matches if bot.name in match.bots]
                await bot.next("match_ended", len(mine) - 1)
                for match in mine:
                    _check_seat(bot, match)
                _check_stream(bot, mine)

    asyncio.run(play())


@pytest.mark.parametrize("format_name", ["series", "two-player-winter", "dino-twist"])
def test_whoever_watches_sees_the_open_table_and_no_hand(server: Server, format_name: str) -> None:
    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, NAMES[: FORMATS[format_name].usual_seats], nothing) as players,
        ):
            organiser = Organiser(channel)
            (match_id,) = await organiser.start(format_name, [bot.name for bot in players])
            first = [await bot.next("ask") for bot in players]
            request = match_pb2.WatchMatchRequest(match_id=match_id)
            stream = organiser.stub.WatchMatch(request)
            items = aiter(stream)
            seen = [await anext(items)]
            for bot, ask in zip(players, first, strict=True):
                bot.answer = anything(bot.name)
                bot.put(*bot.answer(ask))
            seen += [item async for item in items]
            match = await organiser.finished(match_id)
            _check_watching(seen, match.replay)
            late = organiser.stub.WatchMatch(request)
            assert [item async for item in late] == []  # it is over: there is nothing to see

    asyncio.run(play())


def _check_watching(seen: list[Any], replay: Any) -> None:
    states = [*(step.state for step in replay.steps), replay.end]
    *open_, end = seen
    expected = [match_pb2.WatchMatchResponse(table=messages.table(states[0]))]
    for index, step in enumerate(replay.steps):
        happened = messages.happened(replay.match.id, index, step)
        expected.append(match_pb2.WatchMatchResponse(happened=happened))
        expected.append(match_pb2.WatchMatchResponse(table=messages.table(states[index + 1])))
    assert open_ == expected
    assert not any(knowledge.has_unknown_fields(item) for item in seen)
    assert end.match_ended.seed == replay.match.seed


def test_nobody_learns_of_a_choice_before_all_are_in(server: Server) -> None:
    """In every step one bot waits until the others' answers have surely been taken."""

    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["one", "two", "three"], nothing) as players,
        ):
            organiser = Organiser(channel)
            (match_id,) = await organiser.start("summer", ["one", "two", "three"], seats=3)
            for step in range(12):
                asks = [await bot.next("ask", step) for bot in players]
                slow = step % 3
                for index, bot in enumerate(players):
                    if index != slow:
                        bot.put(number(asks[index].ask_id, step % len(asks[index].choices)))
                for bot in players:  # whatever was said before this is refused was taken before it
                    bot.put(number(1, 0))
                for bot in players:
                    await bot.next("refused", step)
                for bot in players:
                    told = [i for i in _about(bot, match_id) if not i.HasField("match_started")]
                    assert len(told) == 2 * step + 1  # asks and reveals, and the open ask
                    assert told[-1].ask.ask_id == asks[players.index(bot)].ask_id
                players[slow].put(number(asks[slow].ask_id, 0))
            assert (await organiser.finished(match_id)).clean()

    asyncio.run(play())
