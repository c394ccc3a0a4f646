"""Lets a program in any language play, by lines of JSON on its stdin and stdout.

python -m paddock.bridge --name mine -- ./mybot its arguments

The lines are told in `clients/bridge/README.md`.
"""

import argparse
import asyncio
import logging
import os
import secrets
import signal
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from paddock import lines
from paddock.address import DEFAULT_SERVER, Address, given_address
from paddock.ask import Ask, read_ask
from paddock.connection import stay_connected
from paddock.dice import match_seed, own_secret
from paddock.errors import BadSettings, PaddockError, Unreadable
from paddock.lines import Garbage, Program
from paddock.match import Match, Refusal, read_event, read_match, read_result
from paddock.session import PROTOCOL, Session
from paddock.shapes import Json
from paddock.v1 import arena_pb2
from paddock_games import FORMATS
from paddock_games.chance import NONCE_BYTES

log = logging.getLogger("paddock")

CLIENT: Final = "paddock-bridge/0.1.0"
MOST_COMPLAINTS: Final = 20  # without a good answer in between
# Answers to one ask that are sent although they can't count. Then the referee knows, and a bot
# that answers every refusal with its next mistake floods nobody.
MOST_WRONG: Final = 8


class BotGone(PaddockError):
    """Raised when the bot's process ends before its time."""


@dataclass
class Asked:
    """An ask that the bot was shown."""

    ask: Ask
    open: bool = True  # whether it still wants an answer, as far as is known here
    answer: arena_pb2.Choice | None = None  # the legal one
    wrong: int = 0  # answers that can't count


class LineSession(Session):
    """A session whose bot is told lines by `say`, and whose lines are taken by `hear`."""

    def __init__(self, hello: arena_pb2.Hello, say: Callable[[Json], None]) -> None:
        super().__init__(hello)
        self._say = say
        self._matches: dict[str, tuple[Match, bytes]] = {}  # and the nonce
        self._asks: dict[int, Asked] = {}  # the open ones and some that were, the oldest first
        self._most_asks = 8 * hello.max_matches + 64
        self._complaints = 0
        self._secret = own_secret()

    # --- from the referee -------------------------------------------------------------------

    def _welcome(self, welcome: arena_pb2.Welcome) -> None:
        super()._welcome(welcome)
        for asked in self._asks.values():
            asked.open = False  # what still is will be told again

    def _known(self) -> Collection[str]:
        return self._matches

    def _forget(self, match_id: str) -> None:
        del self._matches[match_id]

    def _match_started(self, message: arena_pb2.MatchStarted) -> None:
        if message.match_id not in self._matches:
            match = read_match(message)
            self._matches[match.id] = match, secrets.token_bytes(NONCE_BYTES)
            names = ", ".join(seat.bot for seat in match.seats)
            log.info("match %s: %s, seat %d of %s", match.id, match.format, match.seat, names)
            self._say(lines.started(match, match_seed(self._secret, match.dice, match.seat)))
        _, nonce = self._matches[message.match_id]
        said = arena_pb2.Nonce(match_id=message.match_id, nonce=nonce)
        self._send(arena_pb2.BotItem(nonce=said))

    def _ask(self, message: arena_pb2.Ask) -> None:
        asked = self._asks.get(message.ask_id)
        if asked is None:
            match = self._match(message.match_id)
            self._close_asks_of(match)
            self._asks[message.ask_id] = asked = Asked(read_ask(message, match))
            self._say(lines.ask(asked.ask))
            closed = [ask_id for ask_id, each in self._asks.items() if not each.open]
            for ask_id in closed[: max(0, len(self._asks) - self._most_asks)]:
                del self._asks[ask_id]
        elif asked.answer is None:
            asked.open = True
        else:
            self._send(arena_pb2.BotItem(choice=asked.answer))

    def _happened(self, message: arena_pb2.Happened) -> None:
        match = self._match(message.match_id)
        self._close_asks_of(match)
        self._say(lines.happened(match, read_event(message, match)))

    def _refused(self, message: arena_pb2.Refused) -> None:
        refusal = Refusal(message.ask_id, message.reason, message.sentence)
        log.warning("ask %d: %s: %s", *refusal)
        asked = self._asks.get(message.ask_id)
        self._say(lines.refused(asked.ask.match if asked else None, refusal))

    def _match_ended(self, message: arena_pb2.MatchEnded) -> None:
        match = self._match(message.match_id)
        del self._matches[match.id]
        self._close_asks_of(match)
        result = read_result(message, match)
        log.info("match %s ended: rank %d", match.id, result.mine.rank)
        if result.kept_its_word is False:
            log.warning("match %s: the seed is not the one the server committed to", match.id)
        self._say(lines.ended(result))

    def _match(self, match_id: str) -> Match:
        if match_id not in self._matches:
            raise Unreadable(f"match {match_id} was not told of")
        return self._matches[match_id][0]

    def _close_asks_of(self, match: Match) -> None:
        for asked in self._asks.values():
            if asked.ask.match.id == match.id:
                asked.open = False

    # --- from the bot -----------------------------------------------------------------------

    def hear(self, line: bytes) -> None:
        """Take in a line that the bot said."""
        if not line.strip():
            return
        try:
            self._answer(lines.read_answer(line))
        except Garbage as problem:
            self._complain(f"this line {problem}: {lines.shown(line)}")
            asked = self._asks.get(problem.ask_id or 0) or self._oldest_open()
            if asked is not None and asked.answer is None:
                self._send_wrong(asked, arena_pb2.Choice(ask_id=asked.ask.id))

    def _answer(self, answer: lines.Answer) -> None:
        if answer.ask_id is None:
            asked = self._oldest_open()
            if asked is None:
                raise Garbage("answers nothing, for no ask is open")
        else:
            asked = self._asks.get(answer.ask_id)
            if asked is None:
                raise Garbage(f"answers ask {answer.ask_id}, which was not asked of late")
        message, is_legal = lines.message(asked.ask, answer)
        if asked.answer is not None:
            log.info("ask %d was answered before: %s does not count", asked.ask.id, answer.said)
        elif is_legal:
            asked.answer, asked.open = message, False
            self._complaints = 0
            self._send(arena_pb2.BotItem(choice=message))
        else:
            self._send_wrong(asked, message)

    def _oldest_open(self) -> Asked | None:
        return next((asked for asked in self._asks.values() if asked.open), None)

    def _send_wrong(self, asked: Asked, message: arena_pb2.Choice) -> None:
        """Let the referee refuse this: it notes the fault, and the bot may put it right."""
        asked.wrong += 1
        if asked.wrong <= MOST_WRONG:
            self._send(arena_pb2.BotItem(choice=message))

    def _complain(self, sentence: str) -> None:
        self._complaints += 1
        if self._complaints <= MOST_COMPLAINTS:
            log.warning("%s", sentence)
        if self._complaints == MOST_COMPLAINTS:
            log.warning("no more is said of such lines before a good answer comes")


async def bridge(
    command: Sequence[str], where: Address, token: str | None, hello: arena_pb2.Hello
) -> None:
    """Let the program play until a signal ends it; BotGone if it ends before."""
    stop = asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(one, stop.set)
    program = await Program.start(command)
    session = LineSession(hello, program.say)
    listening = asyncio.create_task(program.listen(session.hear))
    listening.add_done_callback(lambda _: stop.set())
    try:
        await stay_connected(where, token, session, stop)
        gone = listening.done()
    finally:
        await program.end()
        listening.cancel()
    if gone:
        listening.result()
        raise BotGone(program.epitaph())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m paddock.bridge",
        usage="%(prog)s [options] -- COMMAND [ARGUMENT ...]",
        description="Let a program in any language play, by lines of JSON on stdin and stdout.",
        epilog="PADDOCK_SERVER, PADDOCK_TOKEN and PADDOCK_BOT also count.",
    )
    add = parser.add_argument
    add("--server", metavar="HOST:PORT", help=f"or https://HOST:PORT; default {DEFAULT_SERVER}")
    add("--token", help="the bot's token; better in PADDOCK_TOKEN")
    add("--name", help="the bot's name on the server")
    add("--version", default="1", help="the bot's version, at most 40 characters; default 1")
    add("--language", default="", help="what it is written in, for the standings")
    add("--formats", metavar="LIST", help=f"with commas between; default {','.join(FORMATS)}")
    add("--max-matches", metavar="N", type=int, default=1, help="at once; default 1")
    add("--tls-ca", metavar="FILE", help="the file of the server's CA, PEM; turns TLS on")
    add("--tls-cert", metavar="FILE", help="the bot's own certificate")
    add("--tls-key", metavar="FILE", help="and its key")
    add("--verbose", action="store_true", help="show every line")
    return parser


def _hello(given: argparse.Namespace) -> arena_pb2.Hello:
    name = given.name or os.environ.get("PADDOCK_BOT")
    if not name:
        raise BadSettings("name: say who plays with --name or PADDOCK_BOT")
    if given.max_matches < 1:
        raise BadSettings(f"max-matches: give 1 or more, not {given.max_matches}")
    formats = given.formats.split(",") if given.formats else list(FORMATS)
    unknown = [one for one in formats if one not in FORMATS]
    if unknown:
        raise BadSettings(f"formats: there is no {unknown[0]!r}; there are {', '.join(FORMATS)}")
    return arena_pb2.Hello(
        bot=name,
        version=given.version[:40],
        client=CLIENT,
        protocol=PROTOCOL,
        formats=formats,
        max_matches=given.max_matches,
        sends_nonces=True,
        language=given.language[:24],
    )


def main(arguments: Sequence[str]) -> None:
    """Run the command that follows `--`."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    parser = _parser()
    given, command = parser.parse_args(arguments[:at]), arguments[at + 1 :]
    if not command:
        parser.error("say which program plays: -- ./mybot")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    if given.verbose:
        log.setLevel(logging.DEBUG)
    token = given.token or os.environ.get("PADDOCK_TOKEN")
    try:
        where = given_address(given.server, given.tls_ca, given.tls_cert, given.tls_key)
        asyncio.run(bridge(command, where, token, _hello(given)))
    except PaddockError as error:
        log.error("%s", error)  # noqa: TRY400 -- the sentence says what to do, a traceback does not
        raise SystemExit(error.exit_code) from None


if __name__ == "__main__":
    main(sys.argv[1:])
