"""A sitting: one match of a bot; its methods are called in order, and each ask is answered once."""

import asyncio
import inspect
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from paddock.ask import Ask, read_ask, seen
from paddock.bot import Bot
from paddock.dice import Dice
from paddock.ending import log_end
from paddock.fallback import described, fallback
from paddock.match import Match, Refusal, fault_name, read_event, read_result
from paddock.part import Part
from paddock.pool import BUGS, CallResult, Pool, attempt
from paddock.v1 import arena_pb2
from paddock_wire import Unreadable

log = logging.getLogger("paddock")

REMEMBERED_ASKS: Final = 8  # of a match; the referee has one open at a time

Send = Callable[[arena_pb2.BotItem], None]
Job = Callable[[], Awaitable[None]]


class Own(NamedTuple):
    """The secrets of this client in a match: its part in the deal and the seed of its dice."""

    part: Part
    seed: bytes


@dataclass
class Asked:
    """An ask that the bot was shown, and its answer."""

    view: bytes  # as the referee sent it
    answer: arena_pb2.Choice | None = None  # None while the bot chooses


class Sitting:
    """This bot's seat in one match, from MatchStarted to MatchEnded, over any number of streams."""

    def __init__(self, bot: Bot, match: Match, own: Own, pool: Pool, send: Send) -> None:
        self.match: Final = match
        self._bot = bot
        self.part: Final = own.part
        self._seed = own.seed
        self._decisions = 0  # that were asked for so far
        self._pool = pool
        self._send = send
        self._asked: dict[int, Asked] = {}  # by ask, the last ones
        self._open: Asked | None = None  # the ask that still wants an answer
        self._jobs: deque[Job] = deque()
        self._worker: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Tell the bot that the match begins."""
        self._hook("started", self.match)

    def ask(self, message: arena_pb2.Ask) -> None:
        """Answer an ask, or repeat its answer; a choice under way goes on. An ask with another view
        is another ask, even if it has the same id."""
        view = seen(message)
        asked = self._asked.get(message.ask_id)
        if asked is not None and asked.view == view:
            if asked.answer is not None:
                self._send(arena_pb2.BotItem(choice=asked.answer))
            return
        self._asked[message.ask_id] = self._open = asked = Asked(view)
        while len(self._asked) > REMEMBERED_ASKS:
            del self._asked[next(iter(self._asked))]
        self._queue(lambda: self._choose(message, asked))

    def asked(self, ask_id: int) -> bool:
        """Whether this ask, a recent one, belongs to this match."""
        return ask_id in self._asked

    def happened(self, message: arena_pb2.Happened) -> None:
        """Call the `happened` hook, and log the faults of this seat."""
        for shown in message.revealed:
            if shown.seat == self.match.seat and shown.fault:
                fault = fault_name(shown.fault)
                log.warning("fault %s: match %s: the referee chose", fault, self.match.id)
        if self._listens("happened"):
            self._hook("happened", self.match, read_event(message, self.match))

    def refused(self, refusal: Refusal) -> None:
        """Tell the bot that an answer did not count."""
        self._hook("refused", self.match, refusal)

    def end(self, message: arena_pb2.MatchEnded) -> asyncio.Task[None] | None:
        """Call the `ended` hook, in the returned task if there is one; open choices no longer
        matter."""
        self._open = None
        result = read_result(message, self.match)
        log_end(self.match, result, self.part)
        self._hook("ended", self.match, result)
        return self._worker

    def stop(self) -> asyncio.Task[None] | None:
        """Call no other method of the bot; the task, if any, ends with the present call."""
        self._jobs.clear()
        if self._worker is not None:
            self._worker.cancel()
        return self._worker

    async def _choose(self, message: arena_pb2.Ask, asked: Asked) -> None:
        if asked is not self._open:
            return  # it was over before an earlier choice of this match was made
        where = f"match {self.match.id}, ask {message.ask_id}"
        ask = read_ask(message, self.match, Dice(self._seed, self._decisions))
        self._decisions += 1
        loop = asyncio.get_running_loop()
        began = loop.time()
        outcome = await self._call(self._bot.choose, ask)
        took_ms = round((loop.time() - began) * 1000)
        answer = _answer(ask, outcome, where)
        if asked is not self._open:
            log.warning("answer dropped: %s: choose was too late, after %d ms", where, took_ms)
            return
        log.debug("answer sent: %s: %s, after %d ms", where, ask.legal[answer.number], took_ms)
        asked.answer = answer
        self._send(arena_pb2.BotItem(choice=answer))

    def _listens(self, hook: str) -> bool:
        return getattr(type(self._bot), hook) is not getattr(Bot, hook)

    def _hook(self, hook: str, *values: object) -> None:
        if self._listens(hook):
            self._queue(lambda: self._tell(hook, values))

    async def _tell(self, hook: str, values: tuple[object, ...]) -> None:
        outcome = await self._call(getattr(self._bot, hook), *values)
        if outcome.error is not None:
            log.error("hook failed: match %s: %s", self.match.id, hook, exc_info=outcome.error)

    def _queue(self, job: Job) -> None:
        self._jobs.append(job)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._jobs:
            job = self._jobs.popleft()
            try:
                await job()
            except Unreadable as problem:
                sentence = "message unreadable: match %s: %s; install a newer paddock"
                log.error(sentence, self.match.id, problem)  # noqa: TRY400 -- a sentence will do
            except Exception:
                log.exception("call failed: match %s goes on", self.match.id)

    async def _call(self, function: Callable[..., Any], *values: object) -> CallResult:
        """The result of a method of the bot, called here if it is async and in a thread if not."""
        if inspect.iscoroutinefunction(function):
            return await _awaited(function(*values))
        outcome = await self._pool.run(lambda: function(*values))
        return await _awaited(outcome.value) if inspect.isawaitable(outcome.value) else outcome


async def _awaited(value: Awaitable[Any]) -> CallResult:
    try:
        return CallResult(await value, None)
    except BUGS as error:
        return CallResult(None, error)


class _NotLegal(ValueError):
    """Raised when `choose` returned something that is not a legal choice."""


def _answer(ask: Ask, outcome: CallResult, where: str) -> arena_pb2.Choice:
    """The answer with the bot's choice, or a fallback with the default and an error in the log."""
    chosen = outcome
    if outcome.error is None:  # comparing and showing a value may run the author's code
        chosen = attempt(lambda: _number(ask, outcome.value))
    error = chosen.error
    if error is None:
        return arena_pb2.Choice(ask_id=ask.id, number=chosen.value)
    if isinstance(error, _NotLegal):
        log.error("fallback: %s: %s; %s is played instead", where, error, ask.default)
        return fallback(ask, str(error))
    log.error(
        "fallback: %s: choose failed; %s is played instead", where, ask.default, exc_info=error
    )
    return fallback(ask, described(error))


def _number(ask: Ask, value: Any) -> int:
    try:
        return ask.legal.index(value)
    except ValueError:
        raise _NotLegal(f"choose returned {value!r}, which is not one of ask.legal") from None
