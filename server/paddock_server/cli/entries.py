"""Entries: the bots that are named on the command line."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from paddock_server.basics.name import HOUSE, RULE, is_guest, skeleton
from paddock_server.programs.processes import SAMPLE, BotProgram, read_program

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


def read_entries(arguments: Sequence[Given]) -> list[BotProgram]:
    """The bots that were named, each once."""
    entries: list[BotProgram] = []
    for where, text in arguments:
        try:
            entry = read_program(text)
        except ValueError as problem:
            raise click.UsageError(f"{where}: {problem}") from None
        if not is_guest(entry.name):
            raise click.UsageError(
                f"{where}: name {entry.name!r} is invalid: {RULE}; "
                f"names with {HOUSE} in front are the server's own"
            )
        if not entry.command:
            raise click.UsageError(f"{where}: {entry.name}= has no command; give name=command")
        alike = [other.name for other in entries if skeleton(other.name) == skeleton(entry.name)]
        if alike:
            twice = "is named twice" if alike == [entry.name] else f"looks like {alike[0]}"
            raise click.UsageError(
                f"{where}: {entry.name} {twice}; give this one another name: "
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
