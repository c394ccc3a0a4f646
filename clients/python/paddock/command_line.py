"""The options that every sample bot takes."""

import argparse
import logging
from collections.abc import Sequence

from paddock.bot import Bot
from paddock.running import run
from paddock_wire.address import DEFAULT_SERVER


def run_from_command_line(bot: Bot, arguments: Sequence[str] | None = None) -> None:
    """Let the bot play where the command line says; `--help` lists what it can say."""
    parser = argparse.ArgumentParser(
        description=bot.__doc__,
        epilog="What is not given is taken from "
        "PADDOCK_SERVER, PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.",
    )
    parser.add_argument(
        "--server", metavar="HOST:PORT", help=f"or https://HOST:PORT; default {DEFAULT_SERVER}"
    )
    parser.add_argument("--token", help="the bot's token; better in PADDOCK_TOKEN")
    parser.add_argument("--name", help=f"the bot's name on the server; default {bot.name}")
    parser.add_argument(
        "--tls-ca", metavar="FILE", help="the file of the server's CA, PEM; turns TLS on"
    )
    parser.add_argument("--tls-cert", metavar="FILE", help="the bot's own certificate")
    parser.add_argument("--tls-key", metavar="FILE", help="and its key")
    parser.add_argument(
        "--max-matches", metavar="N", type=int, help=f"at once; default {bot.max_matches}"
    )
    parser.add_argument("--verbose", action="store_true", help="say more")
    given = parser.parse_args(arguments)
    if given.verbose:
        logging.getLogger("paddock").setLevel(logging.DEBUG)
    run(
        bot,
        given.server,
        given.token,
        name=given.name,
        tls_ca=given.tls_ca,
        tls_cert=given.tls_cert,
        tls_key=given.tls_key,
        max_matches=given.max_matches,
    )
