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
    for line in lines:
        table.add_row(*(escape(clean(cell)) for cell in (line.at, line.who, line.text)))
    return table


def log_values(line: Any) -> dict[str, Any]:
    """A line of a log, as JSON has it."""
    return {
        "number": line.number,
        "at": line.at,
        "who": line.who,
        "event": line.event,
        "bot": line.bot or None,
        "match": line.match_id or None,
        "why": line.why or None,
        "text": line.text,
    }
