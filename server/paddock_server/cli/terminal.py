"""Text from outside made fit for a terminal, and the consoles it goes to."""

import json
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def clean(text: str) -> str:
    """The text without what a terminal would obey: control characters and broken letters."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def console() -> Console:
    """Where tables and pictures go; plain text of a fixed width where it is no terminal."""
    made = Console(highlight=False)
    if not made.is_terminal:
        made.width = 100
    return made


def progress(what: str, *, remaining: bool = True) -> Progress:
    """A progress bar on stderr, shown on a terminal only and gone when it is full.

    It estimates the remaining time, unless whoever uses it knows better.
    """
    err = Console(stderr=True)
    return Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        *([TimeRemainingColumn()] if remaining else []),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


def print_json(value: Any) -> None:
    """The value as JSON for a program."""
    click.echo(json.dumps(value, indent=2))
