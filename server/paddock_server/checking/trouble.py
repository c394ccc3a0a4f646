"""The points of trouble: repeated, late and unknown items, lost and ended streams."""

from typing import Final

from paddock.v1 import arena_pb2
from paddock_server.checking.points import settled
from paddock_server.checking.report import Failed
from paddock_server.checking.stream import Stream
from paddock_server.checking.subject import Subject
from paddock_server.checking.table import Table
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Refuse
from paddock_server.referee.opening import ask_id
from paddock_server.wire import items
from paddock_wire.fields import Field

_REPEAT_SECONDS: Final = 0.1  # to wait for an answer to a repeated ask
_AWAY_MS: Final = 1500
_EARLY_SECONDS: Final = 0.05  # that clocks may differ
_STAY_AWAY_SECONDS: Final = 3.0
_CUTS: Final = (1, 3)  # the asks at which the line is cut
_STRANGE_ITEM: Final = Field(arena_pb2.PlayResponse.ITEMS_FIELD_NUMBER).part(
    Field(99).part(Field(1).text("from a later version"))
)


async def duplicated_ask(bot: Subject) -> str:
    """The bot answers a repeated ask as before, or not at all."""
    stream = bot.stream
    table = Table(bot.stage, bot.played[0], Clock())
    sent: dict[int, int] = {}  # how often, by ask
    await table.begin(stream)
    while table.open:
        item = table.ask()
        stream.say(item, item)
        choice = await table.answer(stream)
        stream.say(item)
        sent[table.ask_id] = 3
        await stream.quiet(_REPEAT_SECONDS)
        _same(stream, sent)
        table.step(stream, choice)
    table.end(stream)
    await settled(bot)
    _same(stream, sent)
    return f"{len(sent)} asks, each sent three times: one choice for each"


def _same(stream: Stream, sent: dict[int, int]) -> None:
    for asked, times in sent.items():
        choices = [answer.choice for answer in stream.answers[asked]]
        for choice in choices:
            if choice != choices[0]:
                raise Failed(
                    f"it answered ask {asked} with {choices[0]}, and when the ask was repeated "
                    f"with {choice}; repeat the first answer"
                )
        if len(choices) > times:
            raise Failed(f"it answered ask {asked} {len(choices)} times, but got it {times} times")


async def late_ask(bot: Subject) -> str:
    """Asks and refusals of a finished match do no harm."""
    stream = bot.stream
    table = Table(bot.stage, bot.played[0], Clock())
    await table.begin(stream)
    last, late = b"", b""
    while table.open:
        last = table.ask()
        late = table.ask(ask_id(table.number, 4095, table.seat))  # the same under a later id
        old = table.ask_id
        stream.say(last)
        table.step(stream, await table.answer(stream))
    table.end(stream)
    never_asked = ask_id(next(bot.stage.numbers), 0, 0)
    refusals = (
        Refuse(0, old, "choice/stale", "this ask is over; nothing was charged"),
        Refuse(0, 0, "match/unknown", "this match is not an open match of this bot"),
        Refuse(0, never_asked, "choice/not_yours", "answer only your own asks"),
    )
    stream.say(last)
    stream.say(late)
    stream.say(*map(items.refused, refusals))
    table.end(stream)  # and once more that it is over
    await stream.quiet(_REPEAT_SECONDS)
    again = Table(bot.stage, bot.played[0], Clock())
    await again.play(stream)
    await settled(bot)
    return "late asks, stale refusals and a second end of a match did no harm"


async def unknown_item(bot: Subject) -> str:
    """The bot ignores items of a later version of the protocol."""
    stream = bot.stream
    table = Table(bot.stage, bot.played[0], Clock())
    for frame in (_STRANGE_ITEM, b""):  # and one without items
        stream.say(frame)
        await stream.quiet(_REPEAT_SECONDS)
    await table.begin(stream)
    while table.open:
        stream.say(_STRANGE_ITEM, table.ask(), _STRANGE_ITEM)
        table.step(stream, await table.answer(stream))
    table.end(stream)
    await settled(bot)
    return f"{table.asks} asks between items of an unknown kind were answered"


async def lost_connection(bot: Subject) -> str:
    """After a lost connection the bot comes back with its resume token and plays on."""
    stream = bot.stream
    clock = Clock(bank=bot.patience + 5)
    table = Table(bot.stage, bot.played[0], clock)
    away: list[float] = []
    await table.begin(stream)
    while table.open:
        stream.say(table.ask())
        cuts = len(away)
        if cuts < len(_CUTS) and table.asks > _CUTS[cuts]:
            if cuts == 0:
                await table.answer(stream)  # on its way when the line is cut: it never arrives
            stream, seconds = await _cut(bot)
            away.append(seconds)
            stream.say(table.started(), table.ask())
        choice = await table.answer(stream)
        table.check_nonce(stream)
        table.step(stream, choice)
    table.end(stream)
    await settled(bot)
    shown = " and ".join(f"{seconds:.1f} s" for seconds in away)
    return f"it was back after {shown}, with its resume token, and played on"


async def _cut(bot: Subject) -> tuple[Stream, float]:
    """The bot's next stream, and how long it was away."""
    token = bot.resume_token
    now = bot.stage.lateness.now
    began = now()
    bot.stage.cut()
    bot.lose()
    stream = await bot.arrive(bot.patience, "it did not come back after the connection was lost")
    if bot.hello.resume_token != token:
        sent = bot.hello.resume_token[:40]
        raise Failed(
            f"it came back with resume token {sent!r}, not {token!r}; "
            "send the one of the last Welcome"
        )
    return stream, now().at - began.at


async def goodbye(bot: Subject) -> str:
    """The bot stays away as long as Goodbye says, and then comes back."""
    stream = bot.stream
    now = bot.stage.lateness.now
    sentence = "the server is about to stop; come back in a moment"
    stream.say(items.goodbye("server/draining", sentence, _AWAY_MS))
    stream.end("server/draining", sentence)
    began = now()
    bot.lose()
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


async def replaced(bot: Subject) -> str:
    """The bot does not come back by itself after another session replaced it."""
    stream = bot.stream
    sentence = "another session of this bot was opened; run it once"
    stream.say(items.goodbye("session/replaced", sentence, 0))
    stream.end("session/replaced", sentence)
    bot.lose()
    if await bot.stage.stream(_STAY_AWAY_SECONDS) is not None:
        raise Failed(
            "it came back by itself after session/replaced (return_after_ms 0); "
            "two copies of it would replace each other for ever"
        )
    return f"another session took its place, and it stayed away for {_STAY_AWAY_SECONDS:g} s"
