"""What a client remembers between two streams: enough to answer once, and never more and more."""

import asyncio
import logging
from typing import Any

import pytest

from paddock import Ask, Bot
from paddock.bot_session import BotSession
from paddock.line_session import LineSession
from paddock.outbox import MOST_ITEMS, Outbox
from paddock.sitting import REMEMBERED_ASKS
from paddock.v1 import arena_pb2
from tests.sdk import wire


class Held(Bot):
    """Chooses when it is let go."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.let_go = asyncio.Event()
        self.done = asyncio.Event()

    async def choose(self, ask: Ask) -> Any:
        self.asked.append(ask.id)
        await self.let_go.wait()
        asyncio.get_running_loop().call_soon(self.done.set)  # after the answer is noted
        return ask.legal[-1]


def session(bot: Bot) -> BotSession:
    return BotSession(bot, arena_pb2.Hello(bot="held", max_matches=1), lambda: None)


async def said(outbox: Outbox) -> list[arena_pb2.BotItem]:
    """All that waits to be sent, when nothing more comes."""
    outbox.close()
    return [item async for frame in outbox.frames() for item in frame.items]


def test_what_was_chosen_without_a_stream_is_sent_on_the_next() -> None:
    async def scene() -> None:
        bot = Held()
        here = session(bot)
        state = wire.first_state()
        first = here.connect()
        here.receive(wire.started("M1", state))
        here.receive(wire.ask("M1", 1, state))
        here.disconnect()
        bot.let_go.set()
        await bot.done.wait()
        second = here.connect()
        here.receive(wire.started("M1", state))
        here.receive(wire.ask("M1", 1, state))
        assert [item.WhichOneof("item") for item in await said(first)] == ["hello", "nonce"]
        hello, nonce, choice = await said(second)
        assert (hello.hello.bot, nonce.nonce.match_id) == ("held", "M1")
        assert choice.choice.number == len(state.legal(0)) - 1
        assert bot.asked == [1]
        await here.close()

    asyncio.run(scene())


def test_a_program_is_asked_again_if_an_ask_shows_something_else() -> None:
    async def scene() -> None:
        told: list[Any] = []
        here = LineSession(arena_pb2.Hello(bot="held", max_matches=1), told.append)
        outbox = here.connect()
        state = wire.first_state()
        other = state.step({seat: state.legal(seat)[0] for seat in state.to_move})
        here.receive(wire.started("M1", state))
        for shown, number in ((state, 0), (state, 0), (other, 1), (other, 1)):
            here.receive(wire.ask("M1", 1, shown))
            here.hear(str(number).encode())  # a repeated ask is not open, and this is passed over
        asks = [line["view"]["turn"] for line in told if line["type"] == "ask"]
        assert asks == [0, 1]
        choices = [item.choice.number for item in await said(outbox) if item.HasField("choice")]
        assert choices == [0, 0, 1, 1]

    asyncio.run(scene())


def test_it_forgets_what_is_long_over() -> None:
    async def scene() -> None:
        bot = Held()
        bot.let_go.set()
        here = session(bot)
        outbox = here.connect()
        state = wire.first_state()
        here.receive(wire.started("M0", state))
        many = range(1, 10 * REMEMBERED_ASKS)
        for ask_id in many:
            bot.done.clear()
            here.receive(wire.ask("M0", ask_id, state))
            await bot.done.wait()
        (sitting,) = here._sittings.values()
        assert len(sitting._asked) == REMEMBERED_ASKS
        assert not sitting.asked(1)
        assert sitting.asked(many[-1])
        for number in range(200):
            here.receive(wire.started(f"M{number}", state))
        assert len(here._sittings) == 200
        assert bot.asked == list(many)
        assert len(await said(outbox)) == 1 + 201 + len(many)
        here.disconnect()
        here.connect()
        still = arena_pb2.OpenMatches(match_ids=["M7", "M199"])  # the others ended meanwhile
        welcome = arena_pb2.Welcome(open_matches=still)
        here.receive(arena_pb2.RefereeItem(welcome=welcome))
        assert set(here._sittings) == {"M7", "M199"}
        await here.close()

    asyncio.run(scene())


def test_a_frame_stays_small() -> None:
    async def scene() -> None:
        outbox = Outbox()
        for number in range(2 * MOST_ITEMS + 5):
            outbox.put(arena_pb2.BotItem(pong=arena_pb2.Pong(id=number)))
        outbox.close()
        frames = [frame async for frame in outbox.frames()]
        assert [len(frame.items) for frame in frames] == [MOST_ITEMS, MOST_ITEMS, 5]
        numbers = [item.pong.id for frame in frames for item in frame.items]
        assert numbers == list(range(2 * MOST_ITEMS + 5))
        assert all(frame.ByteSize() < 64 * 1024 for frame in frames)

    asyncio.run(scene())


def test_a_frame_stays_small_where_items_have_many_words() -> None:
    async def scene() -> None:
        outbox = Outbox()
        reason = "\N{PILE OF POO}" * 200
        for number in range(MOST_ITEMS):
            outbox.put(arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=number, fallback=reason)))
        outbox.close()
        frames = [frame async for frame in outbox.frames()]
        assert [item.choice.ask_id for frame in frames for item in frame.items] == [
            *range(MOST_ITEMS)
        ]
        assert all(32 * 1024 < frame.ByteSize() < 64 * 1024 for frame in frames[:-1])

    asyncio.run(scene())


@pytest.mark.parametrize("kind", ["bot", "lines"])
def test_what_an_author_has_to_know_is_a_warning(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    notice = "held does not play summer: tournament cup waits for it without end"

    async def scene() -> None:
        lines = LineSession(arena_pb2.Hello(bot="held", max_matches=1), lambda _: None)
        here = session(Held()) if kind == "bot" else lines
        here.connect()
        welcome = arena_pb2.Welcome(notices=[notice])
        here.receive(arena_pb2.RefereeItem(welcome=welcome))

    asyncio.run(scene())
    assert ("paddock", logging.WARNING, notice) in caplog.record_tuples
