"""`paddock bridge`: a bot in any language, by lines of JSON."""

import os
import sys

import click


@click.command()
@click.argument("command", nargs=-1, metavar="-- COMMAND ...")
@click.option(
    "--server", help="The server, host:port; PADDOCK_SERVER or 127.0.0.1:7911 if not given."
)
@click.option("--token", help="The bot's token; PADDOCK_TOKEN if not given.")
@click.option("--tls-ca", metavar="FILE", help="The server's CA, PEM; turns TLS on.")
@click.option("--tls-cert", metavar="FILE", help="The bot's own certificate, PEM.")
@click.option("--tls-key", metavar="FILE", help="The key of that certificate, PEM.")
@click.option("--name", help="The bot's name; PADDOCK_BOT if not given.")
@click.option("--version", help="The bot's version, at most 40 characters; 1 if not given.")
@click.option("--language", help="The language of the bot, for the standings.")
@click.option("--formats", help="The formats it plays, separated by commas; all if not given.")
@click.option(
    "--max-matches", type=click.IntRange(1), help="The most matches at once; 1 if not given."
)
@click.option(
    "--stdio", is_flag=True, help="The program is on stdin and stdout, instead of a COMMAND."
)
@click.option("--verbose", is_flag=True, help="Log every line to stderr.")
def bridge(command: tuple[str, ...], stdio: bool, verbose: bool, **options: object) -> None:
    """Connect a program that reads and writes lines of JSON, in any language.

    For example: paddock bridge -- perl bot.pl. The lines are explained in
    clients/bridge/README.md.
    """
    if bool(command) == stdio:
        raise click.UsageError("give the program after --, such as -- ./mybot, or --stdio")
    words = [sys.executable, "-m", "paddock.bridge"]
    for name, value in options.items():
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    words += ["--stdio"] * stdio + ["--verbose"] * verbose
    # The bridge is a client, and the server's rooms know nothing of the SDK: it takes over here.
    sys.stdout.flush()
    os.execv(sys.executable, [*words, "--", *command])  # noqa: S606 -- no shell is the point
