"""The points of trouble on a stream: repeated, changed, refused, late and unknown items."""

from collections import Counter
from typing import Final

from paddock_server.checking.newer import UNKNOWN_ITEM
from paddock_server.checking.points import settled
from paddock_server.checking.report import Failed
from paddock_server.checking.returning import returned
from paddock_server.checking.scripted_table import Change, ScriptedTable
from paddock_server.checking.stream import Stream
from paddock_server.checking.subject import Subject
from paddock_server.referee.asks import ask_id
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Refuse
from paddock_server.wire import items

_REPEAT_SECONDS: Final = 0.1  # to wait for an answer to a repeated ask
_CHANGED_MATCHES: Final = 5
_REFUSALS: Final = ("choice/illegal", "choice/malformed", "choice/from_a_later_version")


async def duplicated_ask(bot: Subject) -> str:
    """The bot answers a repeated ask as before, or not at all."""
    stream = bot.stream
    table = ScriptedTable(bot.stage, bot.played[0], Clock())
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


async def changed_ask(bot: Subject) -> str:
    """The bot chooses anew where an ask has another view than before, under the same id.

    A bot that repeats its old number is found where that is not legal any more, which is up to the
    deal: so there are more matches until it was not, within reason.
    """
    stream = bot.stream
    changes: Counter[Change] = Counter()
    for _ in range(_CHANGED_MATCHES):
        table = ScriptedTable(bot.stage, bot.played[0], Clock())
        await table.begin(stream)
        while table.open:
            stream.say(table.ask())
            choice = await table.answer(stream)
            change = table.vary(choice)
            changes[change] += 1
            if change is not Change.NOTHING:
                stream.say(table.ask())
                choice = await table.answer(stream, before=1)
            table.step(stream, choice)
        table.end(stream)
        if changes[Change.ANSWER]:
            break
    await settled(bot)
    changed = changes[Change.VIEW] + changes[Change.ANSWER]
    return f"{changed} asks came again with another view, and each got a choice of its own"


async def refused_answer(bot: Subject) -> str:
    """The bot plays on after a refusal and after the referee chose for it."""
    stream = bot.stream
    table = ScriptedTable(bot.stage, bot.played[0], Clock())
    refused = 0
    await table.begin(stream)
    while table.open:
        stream.say(table.ask())
        choice = await table.answer(stream)
        if table.asks % 2:
            table.step(stream, choice)
            continue
        reason = _REFUSALS[refused % len(_REFUSALS)]
        refused += 1
        stream.say(items.refused(Refuse(0, table.ask_id, reason, "choose again while you can")))
        await stream.quiet(_REPEAT_SECONDS)  # it may choose again, and need not
        table.overrule(stream)
    table.end(stream)
    await settled(bot)
    return f"{refused} answers were refused, the referee chose, and it played on"


async def late_ask(bot: Subject) -> str:
    """Asks and refusals of a finished match do no harm."""
    stream = bot.stream
    table = ScriptedTable(bot.stage, bot.played[0], Clock())
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
    again = ScriptedTable(bot.stage, bot.played[0], Clock())
    await again.play(stream)
    await settled(bot)
    return "late asks, stale refusals and a second end of a match did no harm"


async def unknown_item(bot: Subject) -> str:
    """The bot ignores items of a later version of the protocol."""
    stream = bot.stream
    table = ScriptedTable(bot.stage, bot.played[0], Clock())
    for frame in (UNKNOWN_ITEM, b""):  # and one without items
        stream.say(frame)
        await stream.quiet(_REPEAT_SECONDS)
    await table.begin(stream)
    while table.open:
        stream.say(UNKNOWN_ITEM, table.ask(), UNKNOWN_ITEM)
        table.step(stream, await table.answer(stream))
    table.end(stream)
    await settled(bot)
    return f"{table.asks} asks between items of an unknown kind were answered"


async def unknown_field(bot: Subject) -> str:
    """The bot ignores fields and values of a later version of the protocol, from Welcome on."""
    bot.newer = True
    try:
        stream, _ = await returned(bot)
        table = ScriptedTable(bot.stage, bot.played[0], Clock())
        await table.play(stream)
        await settled(bot)
        stream.newer = False
    finally:
        bot.newer = False
    return f"{table.asks} asks with unknown fields in every message were answered"
