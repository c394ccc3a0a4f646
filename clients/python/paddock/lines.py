"""Lines of JSON to and from a program that plays, and its process.

A line is a JSON object with the names of match records and position files.
`clients/bridge/README.md` shows all kinds of lines.
"""

import asyncio
import json
import logging
import os
import re
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from paddock.ask import Ask
from paddock.errors import BadSettings
from paddock.match import Event, Match, Refusal, Result, Seat
from paddock.v1 import arena_pb2
from paddock_wire import Json, Unreadable, codec_of

log = logging.getLogger("paddock")

MOST_BYTES: Final = 64 * 1024  # of a line from the bot
MOST_UNREAD: Final = 16 * 1024 * 1024  # bytes that may wait for a bot that does not read
GRACE_S: Final = 2.0  # for the bot to end, after each signal
_SHOWN: Final = 200  # characters of a line in messages


def started(match: Match, dice: bytes) -> Json:
    """A `started` line; `dice` is the seed of the seat's own dice."""
    return {
        "type": "started",
        "match": match.id,
        "format": match.format,
        "seat": match.seat,
        "seats": [_seat(seat) for seat in match.seats],
        "rules": match.rules._asdict(),
        "rules_version": match.rules.version,
        "clock": match.clock._asdict(),
        "commitment": match.commitment.hex(),
        "tournament": match.tournament or None,
        "dice": dice.hex(),
    }


def _seat(seat: Seat) -> Json:
    """A seat in lines; without `cpu_share` where it has none, as in a record."""
    values = seat._asdict()
    if not seat.cpu_share:
        del values["cpu_share"]
    return values


def ask(decision: Ask) -> Json:
    """An `ask` line."""
    codec = codec_of(decision.match.format)
    return {
        "type": "ask",
        "match": decision.match.id,
        "ask": str(decision.id),  # it can exceed 2^53, where the numbers of many languages end
        "format": decision.match.format,
        "seat": decision.match.seat,
        "time_ms": decision.time_ms,
        "bank_ms": decision.bank_ms,
        "view": codec.view_json(decision.view),
        "choices": [codec.choice_json(choice) for choice in decision.legal],
    }


def happened(match: Match, event: Event) -> Json:
    """A `happened` line: what everybody chose."""
    choice_json = codec_of(match.format).choice_json
    revealed = [{**seat._asdict(), "choice": choice_json(seat.choice)} for seat in event.revealed]
    return {"type": "happened", "match": match.id, "step": event.step, "revealed": revealed}


def refused(match: Match | None, refusal: Refusal) -> Json:
    """A `refused` line: an answer did not count."""
    return {
        "type": "refused",
        "match": match.id if match else None,
        "ask": str(refusal.ask_id) if refusal.ask_id else None,
        "reason": refusal.reason,
        "sentence": refusal.sentence,
    }


def ended(result: Result) -> Json:
    """An `ended` line: a match is over."""
    void = {"void_reason": result.void_reason} if result.void_reason else {}
    return {
        "type": "ended",
        "match": result.match.id,
        "seat": result.match.seat,
        "seats": [seat._asdict() for seat in result.seats],
        "scores": [[score._asdict() for score in seats] for seats in result.scores],
        "seed": result.seed.hex(),
        "nonces": [nonce.hex() for nonce in result.nonces],
        **void,
    }


class Garbage(Exception):
    """Raised for a line that is not an answer; its text continues "this line"."""

    def __init__(self, sentence: str, ask_id: int | None = None) -> None:
        super().__init__(sentence)
        self.ask_id = ask_id  # None: it could not be read


class Answer(NamedTuple):
    """A number or a choice, as the bot wrote it."""

    ask_id: int | None  # None: the oldest open ask
    said: int | Json


def read_answer(line: bytes) -> Answer:
    """The answer in a line; raises Garbage where the line is not an answer."""
    if len(line) > MOST_BYTES:
        raise Garbage(f"is longer than {MOST_BYTES} bytes")
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise Garbage("is not JSON") from None
    if _is_whole(value):
        return Answer(None, value)
    if not isinstance(value, dict):
        raise Garbage('is neither a whole number nor {"ask": ..., "number": ...}')
    ask_id = _ask_id(value.get("ask"))
    if value.keys() == {"ask", "number"} and _is_whole(value["number"]):
        return Answer(ask_id, value["number"])
    if value.keys() == {"ask", "choice"} and isinstance(value["choice"], dict):
        return Answer(ask_id, value["choice"])
    raise Garbage('wants "ask", and "number" (a whole number) or "choice" (an object)', ask_id)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _ask_id(value: object) -> int:
    if isinstance(value, str | int) and re.fullmatch("[0-9]{1,20}", str(value)):
        return int(value)
    raise Garbage('wants an "ask" with the id of the ask that it answers')


def message(decision: Ask, answer: Answer) -> tuple[arena_pb2.Choice, bool]:
    """The answer for the referee, and whether it is legal; raises Garbage for unknown choices."""
    said = answer.said
    if isinstance(said, int):
        if not 0 <= said < 2**32:  # what fits the wire
            raise Garbage(f"wants a number from 0 to {len(decision.legal) - 1}", decision.id)
        return arena_pb2.Choice(ask_id=decision.id, number=said), said < len(decision.legal)
    codec = codec_of(decision.match.format)
    try:
        choice = codec.read_choice_json(said)
    except Unreadable as problem:
        raise Garbage(f"names no choice: {str(problem)[:_SHOWN]}", decision.id) from None
    message = arena_pb2.GameChoice.FromString(codec.choice(choice))
    return arena_pb2.Choice(ask_id=decision.id, choice=message), choice in decision.legal


class Program:
    """The process of the bot."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._last = b""  # the last line of its output
        self._is_ending = False
        self._had_to_be_ended = False

    @classmethod
    async def start(cls, command: Sequence[str]) -> "Program":
        """The process of this command, without a shell and without PADDOCK_TOKEN."""
        environment = {key: value for key, value in os.environ.items() if key != "PADDOCK_TOKEN"}
        pipe = asyncio.subprocess.PIPE
        try:
            # A session of its own: Ctrl-C is the bridge's alone, and whatever the bot starts in
            # turn is ended with it.
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, env=environment, start_new_session=True
            )
        except (OSError, ValueError) as problem:
            raise BadSettings(f"{command[0]} can't be started: {problem}") from None
        return cls(process)

    def say(self, item: Json) -> None:
        """Write a line, without waiting for the bot to read it."""
        # No spaces and only ASCII, for simple tools.
        line = json.dumps(item, separators=(",", ":"))
        log.debug("to the bot: %s", line)
        stdin = self._process.stdin
        if stdin is None or stdin.is_closing():
            return
        stdin.write(f"{line}\n".encode())
        if stdin.transport.get_write_buffer_size() > MOST_UNREAD:
            log.error("bot killed: it left %d bytes unread", MOST_UNREAD)
            self._signal(signal.SIGKILL)

    async def listen(self, hear: Callable[[bytes], None]) -> None:
        """Pass on the lines of the bot until its output ends."""
        assert self._process.stdout is not None  # noqa: S101 -- it is a pipe
        async for line in read_lines(self._process.stdout):
            if self._is_ending:
                continue  # a process ends only when its pipes are empty
            log.debug("from the bot: %s", shown(line))
            self._last = line
            hear(line)
            await asyncio.sleep(0)  # a flood of lines must not keep everything else waiting

    async def end(self) -> None:
        """End the process: end of input, then SIGTERM, then SIGKILL."""
        self._is_ending = True
        if self._process.stdin is not None:
            self._process.stdin.close()
        for hint in (None, signal.SIGTERM, signal.SIGKILL):
            if hint is not None:
                self._had_to_be_ended |= self._process.returncode is None
                self._signal(hint)
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE_S):
                    await self._process.wait()
                    break
        self._signal(signal.SIGKILL)  # for what it started and left behind

    def epitaph(self) -> str:
        """A sentence on how it ended, with its last line."""
        code = self._process.returncode or 0
        how = f"ended with exit code {code}"
        if self._had_to_be_ended:
            how = "closed its output and had to be ended"
        elif code < 0:
            how = f"was ended by {signal.Signals(-code).name}"
        return f"the bot {how}; {self.last_words}"

    @property
    def last_words(self) -> str:
        """A sentence with its last line."""
        return f"the last it said was {shown(self._last)}" if self._last else "it said nothing"

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


async def read_lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The lines without line ends; of a line that is too long only the beginning, at once."""
    line, skipping = b"", False
    while chunk := await reader.read(MOST_BYTES):
        first, *rest = chunk.split(b"\n")
        line += first
        for following in rest:
            if not skipping:
                yield line
            line, skipping = following, False
        if len(line) > MOST_BYTES and not skipping:
            yield line
            skipping = True
        if skipping:
            line = b""
    if line:
        yield line


def shown(line: bytes) -> str:
    """A line for people to read, shortened."""
    text = line[: 4 * _SHOWN].decode(errors="backslashreplace")
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}... ({len(line)} bytes)"
