"""Output on a terminal: consoles, progress bars, and text from outside made harmless."""

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
    """The console for tables and pictures; 100 characters wide if it is not a terminal."""
    output = _Output(highlight=False)
    if not output.is_terminal:
        output.width = 100
    return output


def clean_lines(text: str) -> str:
    """Several lines from outside, fit for a terminal."""
    return "\n".join(clean(line.expandtabs()) for line in text.splitlines())


class Notices:
    """Sentences on stderr, above the progress bar where one is drawn on the same console."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)

    def say(self, text: str) -> None:
        """Print lines that may come from outside."""
        self.console.print(
            clean_lines(text), markup=False, highlight=False, emoji=False, soft_wrap=True
        )


def progress(what: str, notices: Notices | None = None, *, remaining: bool = True) -> Progress:
    """A progress bar on stderr, shown on a terminal only and gone when it is full.

    It estimates the remaining time, unless `remaining` is false.
    """
    err = notices.console if notices else Console(stderr=True)
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


def number(value: float, digits: int = 2) -> str:
    """A number for a table; empty if it is not finite."""
    return f"{value:.{digits}f}" if isfinite(value) else ""


def print_json(value: Any) -> None:
    """The value as JSON for a program."""
    click.echo(json.dumps(value, indent=2))
