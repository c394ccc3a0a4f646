"""The run of a bot: it connects, reconnects, and ends when it is stopped or refused."""

import asyncio
import logging
import os
import signal
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from paddock.address import read_address
from paddock.bot import Bot
from paddock.bot_session import BotSession
from paddock.connection import stay_connected
from paddock.errors import BadSettings, PaddockError
from paddock.session import PROTOCOL
from paddock.v1 import arena_pb2
from paddock_games import FORMATS

log = logging.getLogger("paddock")


def _version() -> str:
    try:
        return version("paddock")
    except PackageNotFoundError:  # run from a checkout
        return "0"


CLIENT: Final = f"paddock-python/{_version()}"


async def play(
    bot: Bot,
    server: str | None = None,
    token: str | None = None,
    *,
    name: str | None = None,
    tls_ca: str | Path | None = None,
    tls_cert: str | Path | None = None,
    tls_key: str | Path | None = None,
    max_matches: int | None = None,
    stop_when_idle: bool = False,
    give_up_after: float | None = None,
    stop: asyncio.Event | None = None,
) -> None:
    """Play matches until `stop` is set; see `run` for the rest.

    Raises Refused when the server refuses the bot, and Unreachable when there was no
    connection for `give_up_after` seconds.
    """
    where = read_address(server, tls_ca, tls_cert, tls_key)
    token = _token(token or os.environ.get("PADDOCK_TOKEN") or "")
    stop = stop or asyncio.Event()
    hello = _hello(bot, name, max_matches)
    session = BotSession(bot, hello, stop.set if stop_when_idle else lambda: None)
    log.info("connecting: %s to %s", hello.bot, where.target)
    try:
        await stay_connected(where, token, session, stop, give_up_after)
    finally:
        await session.close()


def run(
    bot: Bot,
    server: str | None = None,
    token: str | None = None,
    *,
    name: str | None = None,
    tls_ca: str | Path | None = None,
    tls_cert: str | Path | None = None,
    tls_key: str | Path | None = None,
    max_matches: int | None = None,
    stop_when_idle: bool = False,
    give_up_after: float | None = None,
) -> None:
    """Let the bot play until it gets SIGINT (Ctrl-C) or SIGTERM, reconnecting as often as it takes.

    `server` is HOST:PORT or https://HOST:PORT, or several with commas between them: the bot goes to
    the next where one can't be reached. Missing values are taken from the environment:
    PADDOCK_SERVER, PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.
    `stop_when_idle` returns once all matches that began have ended; `give_up_after` is in seconds
    without a connection.

    Ends the process with code 2 and the server's sentence if the bot is refused.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")

    async def until_signalled() -> None:
        stop = asyncio.Event()
        _stop_on_signals(stop)
        await play(
            bot,
            server,
            token,
            name=name,
            tls_ca=tls_ca,
            tls_cert=tls_cert,
            tls_key=tls_key,
            max_matches=max_matches,
            stop_when_idle=stop_when_idle,
            give_up_after=give_up_after,
            stop=stop,
        )

    try:
        asyncio.run(until_signalled())
    except PaddockError as error:
        log.error("%s", error)  # noqa: TRY400 -- the sentence says what to do, a traceback does not
        raise SystemExit(error.exit_code) from None
    except KeyboardInterrupt:
        pass  # where signals can't be handled in the loop


def _token(text: str) -> str:
    token = text.strip()  # files that tokens are read from end in a newline
    if not (token.isascii() and token.isprintable()):
        raise BadSettings("token: it has invalid characters; copy it again")
    return token


def _hello(bot: Bot, name: str | None, max_matches: int | None) -> arena_pb2.Hello:
    name = name or os.environ.get("PADDOCK_BOT") or bot.name or type(bot).__name__
    matches = bot.max_matches if max_matches is None else max_matches
    if matches < 1:
        raise BadSettings(f"max_matches: give 1 or more, not {matches}")
    if isinstance(bot.formats, str):
        raise BadSettings(f'formats: give a list, such as ("{bot.formats}",)')
    return arena_pb2.Hello(
        bot=name,
        version=str(bot.version)[:40],
        client=CLIENT,
        protocol=PROTOCOL,
        formats=bot.formats,
        known_formats=FORMATS,
        max_matches=matches,
        sends_nonces=True,
        commits_nonces=True,
        language="Python",
    )


def _stop_on_signals(stop: asyncio.Event) -> None:
    """Stop at the first signal; a second one ends the process."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def stopped() -> None:
        stop.set()
        for number in signals:
            loop.remove_signal_handler(number)

    for number in signals:
        try:
            loop.add_signal_handler(number, stopped)
        except (NotImplementedError, RuntimeError, ValueError):
            return  # not on this system, or not in the main thread
