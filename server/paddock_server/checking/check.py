"""The check of a bot: all points in order, with a new start of the bot after a failure."""

from collections.abc import Callable, Sequence
from typing import Final

from paddock_server.checking import points, trouble
from paddock_server.checking.points import Point
from paddock_server.checking.report import Failed, Gone, Outcome
from paddock_server.checking.stage import Stage
from paddock_server.checking.subject import Subject

FIRST: Final = (
    Point("hello", points.hello, plays=False),
    Point("ping", points.ping, plays=False),
)
LAST: Final = (
    Point("tight time", points.tight_time),
    Point("many matches", points.many_matches),
    Point("duplicated ask", trouble.duplicated_ask),
    Point("late ask", trouble.late_ask),
    Point("unknown item", trouble.unknown_item),
    Point("lost connection", trouble.lost_connection),
    Point("goodbye", trouble.goodbye, plays=False),
    Point("replaced", trouble.replaced, plays=False),
)
_DYING_SECONDS: Final = 2.0  # that a process takes to end after its stream did
_WORDS_SECONDS: Final = 0.2  # for the last lines of its output


async def check(
    command: Sequence[str],
    formats: Sequence[str] = (),
    patience: float = 20.0,
    report: Callable[[Outcome], None] = lambda _: None,
) -> list[Outcome]:
    """The outcomes of all points, each reported as soon as it is known; raises CannotStart.

    Without formats the bot is checked in all formats that it plays. Every wait has an end:
    `patience` is the time in seconds that the bot has to connect.
    """
    outcomes: list[Outcome] = []

    def note(outcome: Outcome) -> None:
        outcomes.append(outcome)
        report(outcome)

    stage = Stage()
    await stage.start()
    bot = Subject(command, stage, patience)
    try:
        for point in FIRST:
            note(await _judge(point, bot, outcomes))
        wanted = formats or (bot.formats if outcomes[0].passed else ())
        for point in (*map(points.whole_match, dict.fromkeys(wanted)), *LAST):
            note(await _judge(point, bot, outcomes))
    finally:
        await bot.stop()
        await stage.stop()
    return outcomes


async def _judge(point: Point, bot: Subject, before: Sequence[Outcome]) -> Outcome:
    """Take the bot through one point."""
    if before and not before[0].passed:
        return Outcome(point.name, None, "not reached: hello did not pass")
    if point.plays and not bot.played:
        return Outcome(point.name, None, "not reached: no format was played without a mistake")
    if before and not bot.present:
        try:
            await bot.start()  # earlier failures are reported and must not count twice
        except Failed as failed:
            return Outcome(point.name, None, f"not reached: the bot was started again, {failed}")
    bot.stage.exchange.clear()
    try:
        return Outcome(point.name, True, await point.do(bot))
    except Failed as failed:
        end = await bot.epitaph(_DYING_SECONDS if isinstance(failed, Gone) else _WORDS_SECONDS)
        sentence = f"{failed}; {end}" if end else str(failed)
        exchange, output = bot.stage.exchange.lines(), bot.output
        await bot.stop()
        return Outcome(point.name, False, sentence, exchange, output)
