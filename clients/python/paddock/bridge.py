"""The bridge: a program in any language plays by lines of JSON on its stdin and stdout.

python -m paddock.bridge --name mine -- ./mybot its arguments

`clients/bridge/README.md` describes the lines.
"""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

from paddock.address import read_address
from paddock.connection import stay_connected
from paddock.errors import BadSettings, PaddockError
from paddock.line_session import LineSession
from paddock.lines import Program
from paddock.session import PROTOCOL
from paddock.stdio import Stdio
from paddock.v1 import arena_pb2
from paddock_games import FORMATS
from paddock_wire.address import DEFAULT_SERVER, Address

log = logging.getLogger("paddock")

CLIENT: Final = "paddock-bridge/0.1.0"


class BotGone(PaddockError):
    """Raised when the bot's process ends by itself."""


async def bridge(
    command: Sequence[str], where: Address, token: str | None, hello: arena_pb2.Hello
) -> None:
    """Let the program play until a signal; raises BotGone if it ends by itself.

    Without a command it is somebody else's program, on stdin and stdout.
    """
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    program = await Program.start(command) if command else await Stdio.open()
    session = LineSession(hello, program.say)
    listening = asyncio.create_task(_listen(program, session, stop))
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


async def _listen(program: Program | Stdio, session: LineSession, stop: asyncio.Event) -> None:
    """Handle the lines of the program until its output ends; then answer its open asks."""
    await program.listen(session.hear)
    if not stop.is_set():
        session.abandon(f"the bot's output ended; {program.last_words}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m paddock.bridge",
        usage="%(prog)s [options] -- COMMAND [ARGUMENT ...]",
        description="Let a program in any language play, by lines of JSON on stdin and stdout.",
        epilog="Missing options are taken from "
        "PADDOCK_SERVER, PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.",
    )
    add = parser.add_argument
    add(
        "--server",
        metavar="HOST:PORT",
        help=f"the server, or https://HOST:PORT; default {DEFAULT_SERVER}",
    )
    add("--token", help="the bot's token; better in PADDOCK_TOKEN")
    add("--name", help="the bot's name on the server")
    add("--version", default="1", help="the bot's version, at most 40 characters; default 1")
    add("--language", default="", help="its programming language, for the standings; default none")
    add("--formats", metavar="LIST", help="formats with commas between; default all")
    add("--max-matches", metavar="N", type=int, default=1, help="most matches at once; default 1")
    add("--tls-ca", metavar="FILE", help="the file of the server's CA, PEM; turns TLS on")
    add("--tls-cert", metavar="FILE", help="the bot's own certificate, PEM")
    add("--tls-key", metavar="FILE", help="the key of the bot's certificate, PEM")
    add("--stdio", action="store_true", help="the program is on stdin and stdout, no command")
    add("--verbose", action="store_true", help="log every line")
    return parser


def _hello(options: argparse.Namespace) -> arena_pb2.Hello:
    name = options.name or os.environ.get("PADDOCK_BOT")
    if not name:
        raise BadSettings("name: it is missing; give --name or set PADDOCK_BOT")
    if options.max_matches < 1:
        raise BadSettings(f"max-matches: give 1 or more, not {options.max_matches}")
    return arena_pb2.Hello(
        bot=name,
        version=options.version[:40],
        client=CLIENT,
        protocol=PROTOCOL,
        formats=options.formats.split(",") if options.formats else (),
        known_formats=FORMATS,
        max_matches=options.max_matches,
        sends_nonces=True,
        commits_nonces=True,
        language=options.language[:24],
    )


def main(arguments: Sequence[str]) -> None:
    """Run the command that follows `--`."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    parser = _parser()
    options, command = parser.parse_args(arguments[:end]), arguments[end + 1 :]
    if not command and not options.stdio:
        parser.error("the command is missing; give it after --, such as -- ./mybot")
    if command and options.stdio:
        parser.error("give a command or --stdio, not both")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    if options.verbose:
        log.setLevel(logging.DEBUG)
    token = options.token or os.environ.get("PADDOCK_TOKEN")
    try:
        where = read_address(options.server, options.tls_ca, options.tls_cert, options.tls_key)
        asyncio.run(bridge(command, where, token, _hello(options)))
    except PaddockError as error:
        log.error("%s", error)  # noqa: TRY400 -- the sentence says what to do, a traceback does not
        raise SystemExit(error.exit_code) from None


if __name__ == "__main__":
    main(sys.argv[1:])
