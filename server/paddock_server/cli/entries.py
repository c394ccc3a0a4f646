"""Bots as they are named on the command line, each once."""

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
    """A bot as it was given, and where: --bot, NEW."""

    where: str
    text: str


def logs_option(command: Any) -> Any:
    """--logs on a command that starts bots."""
    return click.option(
        "--logs", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
        help="Keep all that each bot writes in DIR/NAME.log, behind what is there already.",
    )(command)  # fmt: skip


def read_entries(given: Sequence[Given]) -> list[Entry]:
    """The bots that were named, each once."""
    entries: list[Entry] = []
    for where, text in given:
        try:
            entry = read_entry(text)
        except ValueError as problem:
            raise click.UsageError(f"{where}: {problem}") from None
        if not BOT_NAME.fullmatch(entry.name) or entry.name.startswith(HOUSE):
            raise click.UsageError(
                f"{where}: {entry.name!r} is no name; take up to 40 letters, digits, dots, dashes "
                f"and underscores, and not {HOUSE}..."
            )
        if not entry.command:
            raise click.UsageError(f"{where}: {entry.name}= needs a command behind it")
        if entry.name in {other.name for other in entries}:
            raise click.UsageError(
                f"{where}: {entry.name} is named twice; give this one another name: "
                f"{_renamed(text, given)}"
            )
        entries.append(entry)
    return entries


def _renamed(text: str, given: Sequence[Given]) -> str:
    """The same bot under a name that nobody has, as a shell takes it."""
    taken = {each.text.partition("=")[0] for each in given}
    name, equals, command = text.partition("=")
    free = next((other for other in _OTHER_NAMES if other not in taken), f"other-{name}"[:40])
    return shlex.quote(f"{free}={command if equals else SAMPLE + name}")
