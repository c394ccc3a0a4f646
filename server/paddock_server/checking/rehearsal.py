"""The rehearsal of a recorded match: one of its bots is asked again."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from paddock_games.clock import Clock as Terms
from paddock_games.decision import Decision, decisions
from paddock_games.record import PlayedMatch
from paddock_server.basics.name import is_name
from paddock_server.checking.points import settled
from paddock_server.checking.program import NAME
from paddock_server.checking.report import Failed, Gone
from paddock_server.checking.stage import Asked, Stage
from paddock_server.checking.stream import Stream
from paddock_server.checking.subject import Subject
from paddock_server.referee.asks import ask_id
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask
from paddock_server.referee.result import results_of
from paddock_server.wire import items

_NUMBER: Final = 1  # of the match
_DYING_SECONDS: Final = 2.0  # that a process takes to end after its stream did


class Comparison(NamedTuple):
    """A decision of the record, and the choice of the bot now."""

    decision: Decision
    choice: Any
    ms: float  # that the bot took

    @property
    def same(self) -> bool:
        """Whether it is the recorded choice."""
        return bool(self.choice == self.decision.choice)


class Rehearsal(NamedTuple):
    """The result of a rehearsal, as far as the bot came."""

    comparisons: tuple[Comparison, ...]
    asked: int  # how many decisions of the seat the record has
    problem: str  # why the bot came no further; empty: it answered everything


class Wanted(NamedTuple):
    """The match and the seat to rehearse, and the time for it."""

    match: PlayedMatch
    seat: int
    base_ms: int | None  # the base time that the bot hears of; None: that of the record
    patience: float  # seconds that the bot has to connect, and for every answer


async def rehearse(
    command: Sequence[str], wanted: Wanted, hear: Callable[[str], None]
) -> Rehearsal:
    """Start the bot and repeat all asks of its seat; raises CannotStart.

    The match goes on with the recorded choices, whatever the bot answers. `hear` takes the bot's
    output line by line.
    """
    stage = Stage()
    await stage.start()
    recorded = wanted.match.match.seats[wanted.seat].bot
    name = recorded if is_name(recorded) else NAME
    bot = Subject(command, stage, wanted.patience, name, hear)
    asked = {decision.step: decision for decision in decisions(wanted.match, wanted.seat)}
    comparisons: list[Comparison] = []
    problem = ""
    try:
        await bot.start()
        await _play(bot, wanted, asked, comparisons)
    except Failed as failed:
        end = await bot.epitaph(_DYING_SECONDS if isinstance(failed, Gone) else 0)
        problem = f"{failed}; {end}" if end else str(failed)
    finally:
        await bot.stop()
        await stage.stop()
    return Rehearsal(tuple(comparisons), len(asked), problem)


async def _play(
    bot: Subject, wanted: Wanted, asked: Mapping[int, Decision], comparisons: list[Comparison]
) -> None:
    """Play the match with the bot, and add its choices to the comparisons."""
    match, steps, _ = wanted.match
    if match.format not in bot.formats:
        raise Failed(f"it does not say that it plays {match.format}")
    stream = bot.stream
    stream.say(items.started(match, wanted.seat, _clock(wanted), bytes(items.DICE_BYTES)))
    for number, step in enumerate(steps):
        if number in asked:
            comparisons.append(await _compare(bot, stream, wanted, asked[number]))
        stream.say(items.happened(match, number, step))
    stream.say(items.ended(items.MatchEnd(wanted.match, results_of(wanted.match))))
    with suppress(Failed):  # it has answered everything, and may leave
        await settled(bot)


async def _compare(bot: Subject, stream: Stream, wanted: Wanted, decision: Decision) -> Comparison:
    match, seat = wanted.match.match, wanted.seat
    legal = decision.state.legal(seat)
    number = ask_id(_NUMBER, decision.step, seat)
    bot.stage.asked[number] = Asked(match.game.name, legal)
    time_ms = decision.time_ms if wanted.base_ms is None else wanted.base_ms
    ask = Ask(
        seat=seat,
        ask_id=number,
        state=decision.state,
        legal=legal,
        time_left=time_ms / 1000,
        bank=decision.bank_ms / 1000,
    )
    began = bot.stage.time.now()
    stream.say(items.ask(match, ask, items.table(match, decision.state)))
    came = await stream.until(
        lambda: number in stream.answers or match.id in stream.resigned, wanted.patience
    )
    if match.id in stream.resigned:
        raise Failed("it resigned")
    if not came:
        raise Failed(f"it did not answer within {wanted.patience:g} s")
    answer = stream.answers[number][0]
    return Comparison(decision, answer.choice, answer.at.since(began) * 1000)


def _clock(wanted: Wanted) -> Clock:
    """The clock that the bot hears of; its answers are not judged by it."""
    terms = wanted.match.match.clock or Terms()
    base_ms = terms.base_ms if wanted.base_ms is None else wanted.base_ms
    return Clock(
        base_ms / 1000, terms.bank_ms / 1000, terms.lag_allowance_ms / 1000, terms.max_faults
    )
