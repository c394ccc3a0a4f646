"""A lost connection is not a lost match: bots that come back go on where they were."""

import asyncio
from collections.abc import Iterator

import grpc
import grpc.aio
import pytest

from paddock.v1 import arena_pb2
from tests.server.organiser import Organiser
from tests.server.process import Server
from tests.server.raw import Answer, Bot, anything, bots, connected, nothing, number


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("reconnecting")) as server:
        yield server


class Wanderer:
    """A bot with a new stream for every decision; it never answers unless it is told to."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel
        self._resume = ""
        self.bot = self._new()
        self.ask = arena_pb2.Ask()

    def _new(self) -> Bot:
        return Bot(self._channel, "wanderer", nothing, resume_token=self._resume, sends_nonces=True)

    async def enter(self) -> None:
        """Come in, and hear how things stand."""
        welcome = await self.bot.enter()
        self._resume = welcome.resume_token

    async def dropped(self) -> None:
        """The connection is lost before the answer."""
        await self.bot.close()
        self.bot = self._new()
        await self._again()

    async def answered(self) -> None:
        """The connection is lost after the answer, with the next ask on its way."""
        answered = self.ask.ask_id
        self.bot.put(number(answered, 0))
        await self.bot.until(lambda: self.bot.of("ask")[-1].ask_id > answered)
        self.ask = self.bot.of("ask")[-1]
        await self.dropped()

    async def overtaken(self) -> None:
        """It comes back before its old stream is found dead."""
        old, self.bot = self.bot, self._new()
        await self._again()
        assert (await old.ended()).code is grpc.StatusCode.OK
        assert not old.of("goodbye")
        await old.close()

    async def replaced(self) -> None:
        """Another client of the same name comes: the newer one counts, and the older is told."""
        self._resume = ""
        old, self.bot = self.bot, self._new()
        await self._again()
        (await old.ended()).must_be("session/replaced")
        (goodbye,) = old.of("goodbye")
        assert (goodbye.reason, goodbye.return_after_ms) == ("session/replaced", 0)
        await old.close()

    async def _again(self) -> None:
        """The new stream is told the same as the old one was."""
        await self.enter()
        repeated = await self.bot.next("ask")
        assert repeated.ask_id == self.ask.ask_id
        assert repeated.view == self.ask.view
        assert repeated.choices == self.ask.choices
        assert 0 < repeated.time_ms <= self.ask.time_ms <= 30_000
        self.ask = repeated


def test_a_bot_that_loses_every_stream_plays_on_without_a_fault(server: Server) -> None:
    async def play() -> None:
        async with connected(server.address) as channel, bots(server.address, ["steady"]):
            organiser = Organiser(channel)
            wanderer = Wanderer(channel)
            await wanderer.enter()
            (match_id,) = await organiser.start("two-player-winter", ["steady", "wanderer"])
            wanderer.ask = await wanderer.bot.next("ask")
            started = wanderer.bot.of("match_started")[0]
            nonce = wanderer.bot.nonces[match_id]
            for _ in range(2):
                for loss in (
                    wanderer.dropped,
                    wanderer.answered,
                    wanderer.overtaken,
                    wanderer.replaced,
                ):
                    await loss()
                    assert wanderer.bot.of("match_started") == [started]  # and its commitment
            last = wanderer.bot
            last.answer = anything("wanderer")
            last.put(*last.answer(wanderer.ask))
            await last.next("match_ended")
            await last.close()
            match = await organiser.finished(match_id)
            assert match.clean()
            assert match.replay.match.seats[match.bots.index("wanderer")].nonce == nonce

    asyncio.run(play())


def test_a_half_close_is_a_lost_connection_and_no_resignation(server: Server) -> None:
    async def play() -> None:
        async with connected(server.address) as channel, bots(server.address, ["calm"]):
            organiser = Organiser(channel)
            bot = Bot(channel, "hangs-up", nothing)
            await bot.enter()
            (match_id,) = await organiser.start("two-player", ["calm", "hangs-up"])
            await bot.next("ask")
            await bot.call.done_writing()
            assert (await bot.ended()).code is grpc.StatusCode.OK
            await bot.close()
            async with bots(server.address, ["hangs-up"]):
                assert (await organiser.finished(match_id)).clean()

    asyncio.run(play())


def test_matches_wait_until_all_their_bots_are_there_and_free(server: Server) -> None:
    """A bot that takes two matches at once never gets three, and gets all of them in the end."""
    most = 0

    def counted(bot: list[Bot]) -> Answer:
        play = anything("busy")

        def answer(ask: arena_pb2.Ask) -> list[arena_pb2.BotItem]:
            nonlocal most
            (mine,) = bot
            most = max(most, len(mine.of("match_started")) - len(mine.of("match_ended")))
            return list(play(ask))

        return answer

    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["opponent", "busy"]),
        ):
            pass  # both are known, and gone
        async with connected(server.address) as channel, bots(server.address, ["opponent"]) as one:
            organiser = Organiser(channel)
            ids = await organiser.start("two-player", ["opponent", "busy"], 12)
            # A call later nothing has begun, for one of them is not there.
            assert {summary.state for summary in (await organiser.all())[:12]} == {1}
            assert not one[0].of("match_started")
            seen: list[Bot] = []
            busy = Bot(channel, "busy", counted(seen), max_matches=2)
            seen.append(busy)
            await busy.enter()
            for match_id in ids:
                assert (await organiser.finished(match_id)).clean()
            await busy.close()
        assert most == 2

    asyncio.run(play())
