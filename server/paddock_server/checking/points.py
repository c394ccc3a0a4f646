"""The points of ordinary play: pings, whole matches, tight time, many matches at once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from paddock_server.checking.report import Failed
from paddock_server.checking.subject import Subject
from paddock_server.checking.table import Late, Table
from paddock_server.referee.clock import Clock
from paddock_server.wire import items

MOST_MATCHES: Final = 16
TIGHT: Final = Clock(base=0.3, bank=0.0, lag_allowance=0.1)
_PONG_SECONDS: Final = 2.0
_SETTLE_SECONDS: Final = 0.1
_PINGS: Final = (7, 7_000_000_007, 8)


class Point(NamedTuple):
    """A point of the check: one thing that a bot must be able to do."""

    name: str
    do: Callable[[Subject], Awaitable[str]]  # the sentence for a pass; raises Failed
    plays: bool = True  # whether it needs a format that the bot can play


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
        table = Table(bot.stage, format_name, Clock())
        await table.play(bot.stream)
        await settled(bot)
        bot.played.append(format_name)
        return f"a whole match, {table.asks} asks: {slowest(table.slowest)}"

    return Point(f"format {format_name}", play, plays=False)


async def tight_time(bot: Subject) -> str:
    """The bot answers in time when time is tight; it has two tries, as machines can be slow."""
    for last in (False, True):
        table = Table(bot.stage, bot.played[0], TIGHT)
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
    tables = [Table(bot.stage, names[i % len(names)], Clock()) for i in range(most)]
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


async def settled(bot: Subject) -> None:
    """Wait a moment; raises Failed where the bot ends its stream or sends something wrong."""
    await bot.stream.quiet(_SETTLE_SECONDS)


def slowest(seconds: float) -> str:
    """A sentence about the slowest answer."""
    return f"the slowest answer took {seconds * 1000:.0f} ms"
