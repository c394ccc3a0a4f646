"""The command line of sample bots."""

import argparse
import logging
from collections.abc import Sequence

from paddock.bot import Bot
from paddock.running import run
from paddock_wire.address import DEFAULT_SERVER


def run_from_command_line(bot: Bot, arguments: Sequence[str] | None = None) -> None:
    """Run the bot with the options of the command line; `--help` lists them."""
    parser = argparse.ArgumentParser(
        description=bot.__doc__,
        epilog="Missing options are taken from "
        "PADDOCK_SERVER, PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.",
    )
    parser.add_argument(
        "--server",
        metavar="HOST:PORT",
        help=f"the server, or https://HOST:PORT; default {DEFAULT_SERVER}",
    )
    parser.add_argument("--token", help="the bot's token; better in PADDOCK_TOKEN")
    parser.add_argument("--name", help=f"the bot's name on the server; default {bot.name}")
    parser.add_argument(
        "--tls-ca", metavar="FILE", help="the file of the server's CA, PEM; turns TLS on"
    )
    parser.add_argument("--tls-cert", metavar="FILE", help="the bot's own certificate, PEM")
    parser.add_argument("--tls-key", metavar="FILE", help="the key of the bot's certificate, PEM")
    parser.add_argument(
        "--max-matches",
        metavar="N",
        type=int,
        help=f"most matches at once; default {bot.max_matches}",
    )
    parser.add_argument("--verbose", action="store_true", help="log every decision")
    options = parser.parse_args(arguments)
    if options.verbose:
        logging.getLogger("paddock").setLevel(logging.DEBUG)
    run(
        bot,
        options.server,
        options.token,
        name=options.name,
        tls_ca=options.tls_ca,
        tls_cert=options.tls_cert,
        tls_key=options.tls_key,
        max_matches=options.max_matches,
    )
