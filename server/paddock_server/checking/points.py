"""The points of ordinary play: pings, whole matches, tight time, many matches at once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from paddock_server.checking.report import Failed
from paddock_server.checking.scripted_table import Late, ScriptedTable
from paddock_server.checking.stream import Stream
from paddock_server.checking.subject import Subject
from paddock_server.lobby.limits import Limits
from paddock_server.referee.clock import Clock
from paddock_server.wire import items

MOST_MATCHES: Final = Limits().matches_per_bot
_IN_A_FRAME: Final = 8  # matches whose asks come together
_THINKING: Final = Clock(base=5.0)  # a bot that uses its time thinks for seconds
_THOUGHTS: Final = 2
_PING_EVERY_SECONDS: Final = 0.1
TIGHT: Final = Clock(base=0.3, bank=0.0, lag_allowance=0.1)
_PONG_SECONDS: Final = 2.0
_SETTLE_SECONDS: Final = 0.1
_LAST_PING: Final = 9_000_000_000
_PINGS: Final = (7, 7_000_000_007, 8)


class Point(NamedTuple):
    """A point of the check: one thing that a bot must be able to do."""

    name: str
    do: Callable[[Subject], Awaitable[str]]  # the sentence for a pass; raises Failed
    plays: bool = True  # whether it needs a format that the bot can play
    fresh: bool = False  # whether the bot is started again, so that it does not wait long to return


async def hello(bot: Subject) -> str:
    """The bot connects and sends a valid Hello."""
    await bot.start()
    introduction = bot.hello
    formats = "1 format" if len(bot.formats) == 1 else f"{len(bot.formats)} formats"
    client = f" by {introduction.client[:80]}" if introduction.client else ""
    most = max(1, introduction.max_matches)
    matches = "1 match" if most == 1 else f"{most} matches"
    version = introduction.version[:40] or "(none)"
    return f"version {version}{client}: {formats}, {matches} at once"


async def ping(bot: Subject) -> str:
    """The bot answers every Ping with its id."""
    stream = bot.stream
    for sent in _PINGS:
        stream.pongs.clear()
        stream.say(items.ping(sent))
        if not await stream.until(lambda: bool(stream.pongs), _PONG_SECONDS):
            raise Failed(f"it did not answer a Ping within {_PONG_SECONDS:g} s; send Pong at once")
        if stream.pongs != [sent]:
            pongs = ", ".join(map(str, stream.pongs))
            raise Failed(f"it answered Ping {sent} with Pong {pongs}; repeat the id")
    return f"{len(_PINGS)} pings, {len(_PINGS)} pongs"


def whole_match(format_name: str) -> Point:
    """The point of one format: a whole match of it."""

    async def play(bot: Subject) -> str:
        if format_name not in bot.formats:
            raise Failed(f"it does not say that it plays {format_name}")
        table = ScriptedTable(bot.stage, format_name, Clock())
        await table.play(bot.stream)
        await settled(bot)
        bot.played.append(format_name)
        return f"a whole match, {table.asks} asks: {slowest(table.slowest)}"

    return Point(f"format {format_name}", play, plays=False)


async def tight_time(bot: Subject) -> str:
    """The bot answers in time when time is tight; it has two tries, as machines can be slow."""
    for last in (False, True):
        table = ScriptedTable(bot.stage, bot.played[0], TIGHT)
        try:
            await table.play(bot.stream)
        except Late:
            if last:
                raise
            await bot.start()
            continue
        break
    await settled(bot)
    return f"{table.asks} asks with {TIGHT.base * 1000:.0f} ms each: {slowest(table.slowest)}"


async def many_matches(bot: Subject) -> str:
    """The bot plays as many matches at once as its Hello says."""
    most = min(max(1, bot.hello.max_matches), MOST_MATCHES)
    names = bot.played
    tables = [ScriptedTable(bot.stage, names[i % len(names)], Clock()) for i in range(most)]
    playing = [asyncio.create_task(table.play(bot.stream)) for table in tables]
    try:
        await asyncio.gather(*playing)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    await settled(bot)
    matches = "1 match, all it takes" if most == 1 else f"{most} matches at once"
    return f"{matches}: {slowest(max(table.slowest for table in tables))}"


async def several_asks(bot: Subject) -> str:
    """The bot answers everything that comes in one frame."""
    stream = bot.stream
    size = min(max(1, bot.hello.max_matches), _IN_A_FRAME)
    names = bot.played
    tables = [ScriptedTable(bot.stage, names[i % len(names)], Clock()) for i in range(size)]
    stream.say(*[table.started() for table in tables])
    for table in tables:
        if bot.hello.sends_nonces:
            await table.take_nonce(stream)
        table.deal(stream)
    asks = frames = 0
    while still := [table for table in tables if table.open]:
        stream.pongs.clear()
        around = items.ping(2 * frames), items.ping(2 * frames + 1)
        stream.say(around[0], *[table.ask() for table in still], around[1])
        for table in still:
            table.step(stream, await table.answer(stream))
        await _ponged(stream, {2 * frames, 2 * frames + 1})
        asks += len(still)
        frames += 1
    for table in tables:
        table.end(stream)
    await settled(bot)
    return f"{asks} asks in {frames} frames, up to {size} together and between pings"


async def slow_choose(bot: Subject) -> str:
    """The bot answers pings while it chooses, however long that takes."""
    stream = bot.stream
    table = ScriptedTable(bot.stage, bot.played[0], _THINKING)
    pings, slow_pong = 0, 0.0
    now = bot.stage.time.now
    await table.begin(stream)
    for _ in range(_THOUGHTS):
        if not table.open:
            break
        stream.say(table.ask())
        answering = asyncio.create_task(table.answer(stream))
        try:
            while not answering.done():
                pings += 1
                began = now().at
                stream.say(items.ping(pings))
                await _ponged(stream, {pings})
                slow_pong = max(slow_pong, now().at - began)
                await asyncio.wait({answering}, timeout=_PING_EVERY_SECONDS)
            table.step(stream, await answering)
        finally:
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)
    table.play_out(stream)
    await settled(bot)
    return f"{slowest(table.slowest)}; of {pings} pongs meanwhile, {slow_pong * 1000:.0f} ms"


async def attentive(stream: Stream) -> None:
    """Wait until the bot has read everything so far."""
    stream.say(items.ping(_LAST_PING))
    await _ponged(stream, {_LAST_PING})


async def _ponged(stream: Stream, wanted: set[int]) -> None:
    if not await stream.until(lambda: wanted <= set(stream.pongs), _PONG_SECONDS):
        raise Failed(
            f"it did not answer a Ping within {_PONG_SECONDS:g} s while it was asked to choose; "
            "let choose run beside the stream"
        )


async def settled(bot: Subject) -> None:
    """Wait a moment; raises Failed where the bot ends its stream or sends something wrong."""
    await bot.stream.quiet(_SETTLE_SECONDS)


def slowest(seconds: float) -> str:
    """A sentence about the slowest answer."""
    return f"the slowest answer took {seconds * 1000:.0f} ms"
