"""The points of ordinary play: pings, whole matches, little time, many matches at once."""

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
    """One thing that a bot must be able to do."""

    name: str
    do: Callable[[Subject], Awaitable[str]]  # the sentence for a pass; raises Failed
    plays: bool = True  # whether it needs a format that the bot can play


async def hello(bot: Subject) -> str:
    """It connects, and says properly who it is."""
    await bot.start()
    said = bot.hello
    formats = "1 format" if len(bot.formats) == 1 else f"{len(bot.formats)} formats"
    client = f" by {said.client[:80]}" if said.client else ""
    most = max(1, said.max_matches)
    matches = "1 match" if most == 1 else f"{most} matches"
    return f"version {said.version[:40] or '(none)'}{client}: {formats}, {matches} at once"


async def ping(bot: Subject) -> str:
    """Every Ping is answered with its own id."""
    stream = bot.stream
    for sent in _PINGS:
        stream.pongs.clear()
        stream.say(items.ping(sent))
        if not await stream.until(lambda: bool(stream.pongs), _PONG_SECONDS):
            raise Failed(f"it left a Ping without Pong for {_PONG_SECONDS:g} s; answer at once")
        if stream.pongs != [sent]:
            said = ", ".join(map(str, stream.pongs))
            raise Failed(f"it answered Ping {sent} with Pong {said}; repeat the id")
    return f"{len(_PINGS)} pings, {len(_PINGS)} pongs"


def whole_match(format_name: str) -> Point:
    """The point that a format is played from beginning to end."""

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
    """It answers in time when there is little; a second try, for machines have their moments."""
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
    """It plays as many matches at once as it says."""
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
    """Failed where the bot hangs up on what it was told last, or says what it must not."""
    await bot.stream.quiet(_SETTLE_SECONDS)


def slowest(seconds: float) -> str:
    """How long the slowest answer took."""
    return f"the slowest answer took {seconds * 1000:.0f} ms"
