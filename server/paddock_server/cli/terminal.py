"""Text from outside made fit for a terminal, and the consoles it goes to."""

import json
from math import isfinite
from typing import Any, NoReturn

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def clean(text: str) -> str:
    """The text without what a terminal would obey: control characters and broken letters."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


class _Output(Console):
    """Standard output. Rich ends the process with 1 when nobody reads on; `run` knows better."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def console() -> Console:
    """Where tables and pictures go; plain text of a fixed width where it is no terminal."""
    made = _Output(highlight=False)
    if not made.is_terminal:
        made.width = 100
    return made


def progress(what: str) -> Progress:
    """A progress bar on stderr, shown on a terminal only and gone when it is full."""
    err = Console(stderr=True)
    return Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


def matches(count: int) -> str:
    """A number of matches in words."""
    return "1 match" if count == 1 else f"{count:,} matches"


def number(value: float, digits: int = 2) -> str:
    """A number for a table; nothing where too little is known to have one."""
    return f"{value:.{digits}f}" if isfinite(value) else ""


def print_json(value: Any) -> None:
    """The value as JSON for a program."""
    click.echo(json.dumps(value, indent=2))
