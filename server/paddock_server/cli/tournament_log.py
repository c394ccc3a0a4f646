"""Lines of a tournament's log: as JSON for programs, as a table for people."""

from typing import Any

from rich.markup import escape
from rich.table import Table

from paddock_server.cli.terminal import clean


def log_table(lines: Any) -> Table:
    """Lines of a log for people."""
    table = Table()
    table.add_column("when", no_wrap=True)
    for title in ("who", "what"):
        table.add_column(title)
    for each in lines:
        table.add_row(*(escape(clean(cell)) for cell in (each.at, each.who, each.text)))
    return table


def log_values(each: Any) -> dict[str, Any]:
    """A line of a log, as JSON has it."""
    return {
        "number": each.number,
        "at": each.at,
        "who": each.who,
        "event": each.event,
        "bot": each.bot or None,
        "match": each.match_id or None,
        "why": each.why or None,
        "text": each.text,
    }
