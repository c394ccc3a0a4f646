"""Entries: the bots that are named on the command line."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from paddock_server.basics.identity import BOT_NAME
from paddock_server.programs.processes import SAMPLE, Entry, read_entry
from paddock_server.referee.house import HOUSE

BOT_HELP = "a sample bot such as greedy, name=sample:greedy, or name=command"
_OTHER_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Given(NamedTuple):
    """A bot as the command line names it, and the argument that does: --bot, NEW."""

    where: str
    text: str


def logs_option(command: Any) -> Any:
    """The option --logs for a command that starts bots."""
    return click.option(
        "--logs", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
        help="Append all output of each bot to DIR/NAME.log.",
    )(command)  # fmt: skip


def read_entries(arguments: Sequence[Given]) -> list[Entry]:
    """The bots that were named, each once."""
    entries: list[Entry] = []
    for where, text in arguments:
        try:
            entry = read_entry(text)
        except ValueError as problem:
            raise click.UsageError(f"{where}: {problem}") from None
        if not BOT_NAME.fullmatch(entry.name) or entry.name.startswith(HOUSE):
            raise click.UsageError(
                f"{where}: name {entry.name!r} is invalid: use up to 40 letters, digits, dots, "
                f"dashes and underscores; names with {HOUSE} in front are the server's own"
            )
        if not entry.command:
            raise click.UsageError(f"{where}: {entry.name}= has no command; give name=command")
        if entry.name in {other.name for other in entries}:
            raise click.UsageError(
                f"{where}: {entry.name} is named twice; give this one another name: "
                f"{_renamed(text, arguments)}"
            )
        entries.append(entry)
    return entries


def _renamed(text: str, arguments: Sequence[Given]) -> str:
    """The same bot under a free name, quoted for a shell."""
    taken = {argument.text.partition("=")[0] for argument in arguments}
    name, equals, command = text.partition("=")
    free = next((other for other in _OTHER_NAMES if other not in taken), f"other-{name}"[:40])
    return shlex.quote(f"{free}={command if equals else SAMPLE + name}")
