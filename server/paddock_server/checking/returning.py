"""The points of coming back: after lost connections, and to a server that restarted or froze."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from paddock_server.checking.points import attentive, settled
from paddock_server.checking.report import Failed
from paddock_server.checking.scripted_table import ScriptedTable
from paddock_server.checking.stream import Stream
from paddock_server.checking.subject import Subject
from paddock_server.referee.clock import Clock

_CUTS: Final = (1, 3)  # the asks at which the line is cut
_DOWN_SECONDS: Final = 1.5
_NOTICE_SECONDS: Final = 30.0  # that a bot has to notice a frozen server
_POLL_SECONDS: Final = 0.1


async def returned(bot: Subject, still_open: Sequence[str] | None = None) -> tuple[Stream, float]:
    """The bot's next stream after its connection was cut, and the seconds that it was away."""
    now = bot.stage.time.now
    await attentive(bot.stream)  # it has to have read the last resume token
    began = now()
    bot.stage.cut()
    bot.lose()
    stream = await resumed(bot, "the connection was lost", still_open)
    return stream, now().at - began.at


async def resumed(bot: Subject, event: str, still_open: Sequence[str] | None = None) -> Stream:
    """The bot's next stream, which has to continue its session."""
    token = bot.resume_token
    missing = f"it did not come back after {event}"
    stream = await bot.arrive(bot.patience, missing, still_open)
    if bot.hello.resume_token != token:
        sent = bot.hello.resume_token[:40]
        raise Failed(
            f"it came back with resume token {sent!r}, not {token!r}; "
            "send the one of the last Welcome"
        )
    return stream


async def lost_connection(bot: Subject) -> str:
    """After a lost connection the bot comes back with its resume token and plays on."""
    away: list[float] = []

    async def cut() -> Stream:
        stream, seconds = await returned(bot)
        away.append(seconds)
        return stream

    await _play_through(bot, cut, _CUTS)
    shown = " and ".join(f"{seconds:.1f} s" for seconds in away)
    return f"it was back after {shown}, with its resume token, and played on"


async def restarted_server(bot: Subject) -> str:
    """The bot finds the server again that was gone for a while, and plays on."""

    async def restart() -> Stream:
        line = bot.stage.line
        bot.stage.exchange.remark("the server was stopped")
        await line.close()
        bot.lose()
        await asyncio.sleep(_DOWN_SECONDS)
        await line.open()
        bot.stage.exchange.remark("the server was started again")
        return await resumed(bot, f"the server was gone for {_DOWN_SECONDS:g} s")

    await _play_through(bot, restart, (1,))
    return f"the server was gone for {_DOWN_SECONDS:g} s; it came back and played on"


async def frozen_server(bot: Subject) -> str:
    """The bot notices that the server is silent, connects again, and plays on."""
    noticed: list[float] = []

    async def freeze() -> Stream:
        line, time = bot.stage.line, bot.stage.time
        bot.stage.exchange.remark("the server froze: it is connected and silent")
        began, calls = time.now(), bot.stage.calls
        line.freeze()
        try:
            while bot.stage.calls == calls:
                if not time.left(began, _NOTICE_SECONDS):
                    raise Failed(
                        f"it did not connect again within {_NOTICE_SECONDS:g} s after the server "
                        "froze; turn on the keepalive of HTTP/2, with 10 s and a timeout of 5 s"
                    )
                await asyncio.sleep(_POLL_SECONDS)
            noticed.append(time.now().at - began.at)
        finally:
            line.thaw()
        bot.lose()
        return await resumed(bot, "the server was frozen")

    await _play_through(bot, freeze, (1,), _NOTICE_SECONDS)
    return f"it noticed after {noticed[0]:.0f} s that the server was frozen, and played on"


async def _play_through(
    bot: Subject,
    interrupt: Callable[[], Awaitable[Stream]],
    when: Sequence[int],
    longest: float = _DOWN_SECONDS,
) -> None:
    """Play a match with interruptions after some asks, none longer than this many seconds; what was
    asked before is asked again.

    At the first interruption the bot has answered, and the answer is lost: it has to give the same
    answer again.
    """
    stream = bot.stream
    clock = Clock(bank=bot.patience + longest + 5)
    table = ScriptedTable(bot.stage, bot.played[0], clock)
    interruptions = 0
    await table.begin(stream)
    while table.open:
        stream.say(table.ask())
        lost: Any = None
        if interruptions < len(when) and table.asks > when[interruptions]:
            if interruptions == 0:
                lost = await table.answer(stream)
            interruptions += 1
            stream = await interrupt()
            stream.say(table.started(), table.ask())
        choice = await table.answer(stream)
        if lost is not None and choice != lost:
            raise Failed(
                f"it answered ask {table.ask_id} with {lost}, and with {choice} when it came back; "
                "an ask that is sent again wants the same answer"
            )
        table.check_nonce(stream)
        table.step(stream, choice)
    table.end(stream)
    await settled(bot)


async def ended_meanwhile(bot: Subject) -> str:
    """The bot takes new matches after its match ended while it was away."""
    stream = bot.stream
    table = ScriptedTable(bot.stage, bot.played[0], Clock())
    await table.begin(stream)
    stream.say(table.ask())
    await table.answer(stream)
    stream, _ = await returned(bot, still_open=())
    again = ScriptedTable(bot.stage, bot.played[0], Clock())
    await again.play(stream)
    await settled(bot)
    return "its match ended while it was away, and it played the next one"
