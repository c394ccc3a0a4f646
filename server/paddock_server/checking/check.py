"""The check of a bot: all points in order, with a new start of the bot after a failure."""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from paddock_server.checking import leaving, nonces, points, returning, trouble
from paddock_server.checking.points import Point
from paddock_server.checking.program import Program, Starter
from paddock_server.checking.report import Failed, Gone, NotUsed, PointResult
from paddock_server.checking.stage import Stage
from paddock_server.checking.subject import Subject

HELLO: Final = Point("hello", points.hello, plays=False)
PING: Final = Point("ping", points.ping, plays=False)
LAST: Final = (
    Point("tight time", points.tight_time),
    Point("many matches", points.many_matches),
    Point("several asks", points.several_asks),
    Point("slow choose", points.slow_choose),
    Point("duplicated ask", trouble.duplicated_ask),
    Point("changed ask", trouble.changed_ask),
    Point("refused answer", trouble.refused_answer),
    Point("late ask", trouble.late_ask),
    Point("unknown item", trouble.unknown_item),
    Point("unknown field", trouble.unknown_field),
    Point("two-step nonce", nonces.two_steps, fresh=True),
    Point("lost connection", returning.lost_connection, fresh=True),
    Point("ended meanwhile", returning.ended_meanwhile),
    Point("restarted server", returning.restarted_server, fresh=True),
    Point("frozen server", returning.frozen_server, fresh=True),
    Point("goodbye", leaving.goodbye, plays=False),
    Point("other address", leaving.other_address, plays=False, fresh=True),
    Point("refused session", leaving.refused_session, plays=False),
    Point("replaced", leaving.replaced, plays=False),
    Point("stopped", leaving.stopped),
)
POINTS: Final = tuple(point.name for point in (HELLO, PING, *LAST))
"""The names of all points that do not belong to a format, in order."""

_DYING_SECONDS: Final = 2.0  # that a process takes to end after its stream did
_WORDS_SECONDS: Final = 0.2  # for the last lines of its output


async def check(
    command: Sequence[str],
    formats: Sequence[str] = (),
    patience: float = 20.0,
    report: Callable[[PointResult], None] = lambda _: None,
    only: Collection[str] = (),
    *,
    starter: Starter = Program.start,
) -> list[PointResult]:
    """The results of all points, each reported as soon as it is known; raises CannotStart.

    Without formats the bot is checked in all formats that it plays. Every wait has an end:
    `patience` is the time in seconds that the bot has to connect. `only` names the points to
    check after hello; the bot then has to play its formats, and is not checked in each of them.
    `starter` starts its process, perhaps in a jail.
    """
    results: list[PointResult] = []

    def note(result: PointResult) -> None:
        results.append(result)
        report(result)

    stage = Stage()
    await stage.start()
    bot = Subject(command, stage, patience, starter=starter)
    try:
        note(await _judge(HELLO, bot, results))
        wanted = dict.fromkeys(formats or (bot.formats if results[0].passed else ()))
        chosen = (PING, *map(points.whole_match, wanted), *LAST)
        if only:
            bot.played = [name for name in wanted if name in bot.formats]
            chosen = tuple(point for point in (PING, *LAST) if point.name in only)
        for point in chosen:
            note(await _judge(point, bot, results))
    finally:
        await bot.stop()
        await stage.stop()
    return results


async def _judge(point: Point, bot: Subject, before: Sequence[PointResult]) -> PointResult:
    """Take the bot through one point."""
    if before and not before[0].passed:
        return PointResult(point.name, None, "not reached: hello did not pass")
    if point.plays and not bot.played:
        return PointResult(point.name, None, "not reached: no format was played without a mistake")
    if before and (point.fresh or not bot.present):
        try:
            await bot.start()  # earlier failures are reported and must not count twice
        except Failed as failed:
            return PointResult(
                point.name, None, f"not reached: the bot was started again, {failed}"
            )
    bot.stage.forget()
    try:
        sentence = await point.do(bot)
        return PointResult(point.name, True, sentence + bot.stage.forgiven)
    except NotUsed as unused:
        return PointResult(point.name, None, str(unused), used=False)
    except Failed as failed:
        end = await bot.epitaph(_DYING_SECONDS if isinstance(failed, Gone) else _WORDS_SECONDS)
        sentence = f"{failed}; {end}" if end else str(failed)
        exchange, output = bot.stage.exchange.lines(), bot.output
        await bot.stop()
        return PointResult(point.name, False, sentence, exchange, output)
