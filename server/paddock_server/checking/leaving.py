"""The points of leaving: Goodbye, refusals of a session, and SIGTERM."""

from typing import Final

from paddock.v1 import arena_pb2
from paddock_server.checking.points import attentive
from paddock_server.checking.report import Failed, NotUsed
from paddock_server.checking.returning import resumed, returned
from paddock_server.checking.scripted_table import ScriptedTable
from paddock_server.checking.subject import Subject
from paddock_server.referee.clock import Clock

_AWAY_MS: Final = 1500
_MOVE_MS: Final = 100
_EARLY_SECONDS: Final = 0.05  # that clocks may differ
_STAY_AWAY_SECONDS: Final = 3.0
_STOP_SECONDS: Final = 5.0
_DRAINING: Final = "server/draining"
_STOPS: Final = "the server is about to stop; come back in a moment"


def _dismiss(bot: Subject, goodbye: arena_pb2.Goodbye) -> None:
    """Say Goodbye and end the bot's stream."""
    stream = bot.stream
    item = arena_pb2.RefereeItem(goodbye=goodbye)
    stream.say(arena_pb2.PlayResponse(items=[item]).SerializeToString())
    stream.end(goodbye.reason, goodbye.sentence)
    bot.lose()


async def goodbye(bot: Subject) -> str:
    """The bot stays away as long as Goodbye says, and then comes back."""
    now = bot.stage.time.now
    words = arena_pb2.Goodbye(reason=_DRAINING, sentence=_STOPS, return_after_ms=_AWAY_MS)
    _dismiss(bot, words)
    began = now()
    wanted = _AWAY_MS / 1000
    await bot.arrive(
        wanted + bot.patience, f"it did not come back after Goodbye asked for {wanted} s"
    )
    stayed = bot.stream.began.at - began.at
    if stayed < wanted - _EARLY_SECONDS:
        raise Failed(
            f"it came back after {stayed:.2f} s; Goodbye asked it to stay away for {wanted:.2f} s"
        )
    return f"asked to stay away for {wanted:.2f} s, it came back after {stayed:.2f} s"


async def other_address(bot: Subject) -> str:
    """The bot follows the address in Goodbye, stays there, and finds back when it is gone."""
    home, other = bot.stage.line, bot.stage.other_line
    words = arena_pb2.Goodbye(
        reason=_DRAINING, sentence=_STOPS, return_after_ms=_MOVE_MS, address=other.address
    )
    _dismiss(bot, words)
    stream = await bot.arrive(
        bot.patience, f"it did not come back after Goodbye sent it to {other.address}"
    )
    if home.carries(stream.port):
        raise NotUsed("it came back where it was before: it does not follow Goodbye.address")
    stream, _ = await returned(bot)
    if home.carries(stream.port):
        raise Failed(
            "it left the address of Goodbye after one lost connection, though it had been "
            "welcomed there; stay until an attempt there fails"
        )
    await attentive(stream)
    await other.close()
    bot.lose()
    try:
        await resumed(bot, "the address of Goodbye was gone")
    finally:
        await other.open()
    return "it went to the address of Goodbye, stayed there, and came back when that was gone"


async def refused_session(bot: Subject) -> str:
    """The bot does not try again endlessly when the server refuses it."""
    bot.stage.cut()
    bot.lose()
    stream = await bot.called(bot.patience, "it did not come back after the connection was lost")
    reason = "auth/bad_token"
    stream.end(reason, "this is not the token of this bot; ask the organiser for a new one")
    end = await _stays_away(bot, f"it came back by itself after {reason} (UNAUTHENTICATED)")
    if bot.code == 0:
        raise Failed(f"its process ended with exit code 0 after {reason}; end with another code")
    return f"refused with {reason}, it did not try again; {end}"


async def replaced(bot: Subject) -> str:
    """The bot does not come back by itself after another session replaced it."""
    sentence = "another session of this bot was opened; run it once"
    _dismiss(bot, arena_pb2.Goodbye(reason="session/replaced", sentence=sentence))
    await _stays_away(
        bot,
        "it came back by itself after session/replaced (return_after_ms 0); "
        "two copies of it would replace each other endlessly",
    )
    return f"another session took its place, and it stayed away for {_STAY_AWAY_SECONDS:g} s"


async def _stays_away(bot: Subject, otherwise: str) -> str:
    """How its process ended, in words; raises Failed where the bot connects again."""
    if await bot.stage.stream(_STAY_AWAY_SECONDS) is not None:
        raise Failed(otherwise)
    return await bot.epitaph(0) or "its process runs on"


async def stopped(bot: Subject) -> str:
    """The bot ends soon after SIGTERM, with exit code 0, and gives no match up."""
    stream = bot.stream
    table = ScriptedTable(bot.stage, bot.played[0], Clock())
    await table.begin(stream)
    stream.say(table.ask())
    await table.answer(stream)
    await bot.terminate(_STOP_SECONDS)
    if bot.code is None:
        raise Failed(
            f"it did not end within {_STOP_SECONDS:g} s after SIGTERM; end the stream and exit"
        )
    if bot.code != 0:
        raise Failed("it got SIGTERM; end the stream and exit with code 0")
    await stream.ended(_STOP_SECONDS)  # what its process sent last may still be on its way
    if stream.resigned:
        raise Failed("it resigned when it got SIGTERM; just end the stream")
    bot.lose()
    return "it ended after SIGTERM with exit code 0, and gave no match up"
