"""`paddock check-bot`: a test of a bot against a scripted referee."""

import asyncio
import logging
import shlex
import shutil

import click
from rich.markup import escape
from rich.table import Table

from paddock_games import format_named
from paddock_server.checking.check import POINTS, check
from paddock_server.checking.program import CannotStart, Program
from paddock_server.checking.report import PointResult, summary
from paddock_server.cli.jailing import jail_options, jailed_bots
from paddock_server.cli.terminal import clean, console, print_json

FAILED = 1
_STYLES = {"passed": "green", "failed": "bold red", "skipped": "yellow", "not used": "dim"}


@click.command("check-bot")
@click.argument("command", nargs=-1, required=True, metavar="-- COMMAND ...")
@click.option("--format", "formats", multiple=True, metavar="FORMAT",
              help="Only this format; may be repeated. All of the bot if not given.")  # fmt: skip
@click.option("--patience", type=click.FloatRange(0.1, 3600), default=20.0, show_default=True,
              help="Seconds that the bot may take to connect.")  # fmt: skip
@click.option("--point", "only", multiple=True, metavar="POINT", type=click.Choice(POINTS),
              help="Only this point, such as 'slow choose'; may be repeated.")  # fmt: skip
@jail_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def check_bot(
    command: tuple[str, ...],
    formats: tuple[str, ...],
    patience: float,
    only: tuple[str, ...],
    jail: bool,
    accept_weaker: bool,
    jail_memory: int,
    as_json: bool,
) -> int:
    """Test a bot in everything that can happen to it, and say what it does wrong.

    The bot is started with PADDOCK_SERVER and PADDOCK_BOT set, as paddock play does, and meets a
    referee that follows a script: whole matches, little time, many matches at once, repeated,
    changed and late asks, a newer server, lost connections, a server that restarts or freezes,
    Goodbye and SIGTERM. A bot whose client falls back on the default choice, because the bot raised
    an error or chose something illegal, fails. A point about something that a bot may leave out is
    "not used". The exit code is 0 if the bot passes and 1 if it fails.

    \b
    For example
      paddock check-bot -- python bot.py
      paddock check-bot --format winter -- paddock bridge -- ./bot
    """
    for name in formats:
        format_named(name)
    if shutil.which(command[0]) is None:
        raise click.UsageError(
            f"COMMAND: program {command[0]!r} not found; give a command that can be run"
        )
    logging.getLogger("paddock").addHandler(logging.NullHandler())  # the report says it all
    jailed = jailed_bots(jail, accept_weaker, jail_memory, lambda said: click.echo(said, err=True))
    starter = jailed.checked if jailed else Program.start
    if not as_json:
        click.echo(f"checking {clean(shlex.join(command))}")
    report = _ignore if as_json else show_point
    try:
        results = asyncio.run(check(command, formats, patience, report, only, starter=starter))
    except CannotStart as problem:
        raise click.UsageError(f"COMMAND: {problem}") from None
    if as_json:
        print_json([result.as_json() for result in results])
    else:
        click.echo(summary(results))
    return FAILED if any(result.passed is False for result in results) else 0


def _ignore(_outcome: PointResult) -> None:
    pass


def show_point(result: PointResult) -> None:
    """Print the result of a point, and the last messages and lines where it failed."""
    word = result.word
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=8)
    grid.add_column(width=25)
    grid.add_column(overflow="fold")
    style = _STYLES[word]
    point, sentence = (escape(clean(text)) for text in (result.point, result.sentence))
    grid.add_row(f"[{style}]{word}[/]", point, sentence)
    console().print(grid)
    if result.passed is False:
        _show_lines("the last messages", result.exchange)
        _show_lines("the last output of the bot", result.output)


def _show_lines(title: str, lines: tuple[str, ...]) -> None:
    click.echo(f"  {title}{':' if lines else ': nothing'}")
    for line in lines:
        click.echo(f"    {clean(line)}")
