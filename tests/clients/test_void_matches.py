"""A match that the server had to set aside: every client says why, and accuses nobody."""

import asyncio
from collections.abc import Sequence

from paddock_server.checking.nonces import commitments, committed, shown
from paddock_server.checking.points import attentive
from paddock_server.checking.scripted_table import ScriptedTable
from paddock_server.checking.stage import Stage
from paddock_server.checking.subject import Subject
from paddock_server.referee.clock import Clock
from paddock_server.referee.result import SeatResult
from paddock_server.wire import items
from tests.clients.building import Builder
from tests.clients.languages import OTHERS, Language

PATIENCE = 60.0  # nothing is measured by it
WHY = "the store took no match"


async def _void(command: Sequence[str]) -> tuple[str, list[str]]:
    """The id of a match that was void, and what the bot logged of it."""
    stage = Stage()
    await stage.start()
    said: list[str] = []
    bot = Subject(command, stage, PATIENCE, hear=said.append)
    try:
        await bot.start()
        table = ScriptedTable(stage, bot.formats[0], Clock())
        match = table.match
        digest = await committed(stage, bot.stream, table)
        bot.stream.say(commitments(table, digest))
        await shown(stage, bot.stream, match.id, digest)
        results = [SeatResult(seat.bot, seat.version, 0, 1, False, 0) for seat in match.seats]
        bot.stream.say(items.set_aside(match, results, WHY))
        await attentive(bot.stream)
        async with asyncio.timeout(PATIENCE):
            while not any(match.id in line and "void" in line for line in said):
                await bot.stream.quiet(0.05)
    finally:
        await bot.stop()
        await stage.stop()
    return match.id, said


def _judge(command: Sequence[str]) -> None:
    match_id, said = asyncio.run(_void(command))
    assert any(f"match void: {match_id} counts for nothing: {WHY}" in line for line in said), said
    assert not any("nonces wrong" in line or "seed wrong" in line for line in said), said


def test_a_void_match_of_an_sdk(language: Language, builder: Builder) -> None:
    builder.build(language)
    _judge([str(language.program("random"))])


def test_a_void_match_over_the_bridge() -> None:
    _judge(OTHERS["sh"].command)
