"""The report of a tournament: as JSON for programs, as text and tables for people."""

from collections.abc import Iterator, Sequence
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from paddock.v1 import tournament_pb2
from paddock_server.basics.wording import counted, digits, lasting, listed
from paddock_server.cli.match import values
from paddock_server.cli.terminal import clean, console
from paddock_server.cli.tournament_log import log_table, log_values
from paddock_server.cli.tournament_state import state_name, state_words

# The events of a tournament's log that a report shows: all except starts and stops.
_NEWS = ("entry", "withdrawal", "disqualification", "replay", "declaration", "void", "change")
_CROSS_AT_MOST = 12  # bots of a cross table that fits on a terminal


# --- for programs -----------------------------------------------------------------------------


def summary_values(summary: Any) -> dict[str, Any]:
    """A TournamentSummary as JSON."""
    left = round(summary.left_seconds, 1) if summary.HasField("left_seconds") else None
    return {
        "name": summary.name,
        "schedule": summary.schedule,
        "formats": list(summary.formats),
        "bots": list(summary.bots),
        "state": state_name(summary),
        "over": summary.over,
        "declared": summary.declared,
        "planned": summary.planned or None,
        "left_seconds": left,
        "started": summary.started,
        "ended": summary.ended or None,
        "rated": summary.rated,
        "starts": summary.starts or None,
        "entries_close": summary.entries_close or None,
        "withdrawn": list(summary.withdrawn),
        "disqualified": list(summary.disqualified),
        "waiting": [_waiting_values(bot) for bot in summary.waiting],
        "note": summary.note or None,
    }


def _waiting_values(waited_for: Any) -> dict[str, Any]:
    reason = tournament_pb2.WaitReason.Name(waited_for.reason)
    return {
        "bot": waited_for.bot,
        "reason": reason.removeprefix("WAIT_REASON_").lower(),
        "sentence": waited_for.sentence,
        "formats": list(waited_for.formats),
        "since": waited_for.since or None,
        "matches": waited_for.matches,
        "declared_at": waited_for.declared_at or None,
    }


def report_values(report: Any) -> dict[str, Any]:
    """A GetTournamentResponse as JSON."""
    several = len(report.tables) > 1
    return {
        **summary_values(report.tournament),
        **_table_values(report, several=several),
        "tables": [
            {"format": table.format, **_table_values(table, several=False)}
            for table in report.tables
        ],
        "declarations": [
            {
                "match": each.match_id,
                "format": each.format,
                "round": each.round,
                "winners": list(each.winners),
                "absent": list(each.absent),
                "declared": each.declared,
            }
            for each in report.declarations
        ],
        "pairings": [values(each) for each in report.pairings],
        "log": [log_values(each) for each in report.log],
    }


def _table_values(table: Any, *, several: bool) -> dict[str, Any]:
    """What a GetTournamentResponse and a FormatTable have in common."""
    names = [criterion.name for criterion in table.criteria]
    return {
        "rule": table.rule,
        "standings": [
            {
                "place": line.place,
                "shared": line.shared,
                "bot": line.bot,
                "played": line.played,
                "declared": line.declared,
                "score": round(line.score, 4),
                "points": None if several else round(line.points, 4),
                "error": round(line.error, 4) if line.HasField("error") else None,
                "fallbacks": line.fallbacks,
                "deciding": {
                    name: number.value if number.HasField("value") else None
                    for name, number in zip(names, line.deciding, strict=True)
                },
            }
            for line in table.standings
        ],
        "cross": [
            {
                "bot": each.bot,
                "other": each.other,
                "difference": round(each.difference, 4),
                "error": round(each.error, 4) if each.HasField("error") else None,
                "matches": each.matches,
            }
            for each in table.cross
        ],
    }


# --- for people -------------------------------------------------------------------------------


def over_of(summary: Any) -> str:
    """How many matches of a TournamentSummary are over: 3 of 9 matches, or 1 match."""
    all_of_them = counted(summary.planned or summary.over, "match", "matches")
    return f"{summary.over:,} of {all_of_them}" if summary.planned else all_of_them


def are_over(summary: Any) -> str:
    """The same as a sentence: 3 of 9 matches are over."""
    return f"{over_of(summary)} {'is' if (summary.planned or summary.over) == 1 else 'are'} over"


def moment(stamp: str) -> str:
    """A time for a terminal."""
    return f"{stamp[:10]} {stamp[11:19]} UTC"


def waiting_line(waited_for: Any) -> str:
    """A WaitedFor as one line."""
    said = waited_for.sentence
    if waited_for.since:
        said += f", since {moment(waited_for.since)}"
    if waited_for.matches:
        said += f"; {counted(waited_for.matches, 'match waits', 'matches wait')} for it"
    if waited_for.declared_at:
        said += f" and will be decided without it at {moment(waited_for.declared_at)}"
    return clean(said)


def declared_lines(declarations: Sequence[Any], count: int) -> Iterator[str]:
    """Declared matches: one line per format and group of absent bots.

    `count` is the number of all declared matches; `declarations` are the newest of them.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Any]] = {}
    for declaration in declarations:
        key = (declaration.format, tuple(sorted(declaration.absent)))
        groups.setdefault(key, []).append(declaration)
    for (format_name, absent), group in groups.items():
        winners = dict.fromkeys(bot for each in group for bot in each.winners)
        last = max(each.declared for each in group)
        match = f", match {group[0].match_id}" if len(group) == 1 else ""
        number = counted(len(group), "match", "matches")
        yield clean(
            f"declared {number} of {format_name} without {listed(absent)}: won by "
            f"{listed(winners or ['nobody'])}, {moment(last)}{match}"
        )
    if count > len(declarations):
        yield f"declared {counted(count - len(declarations), 'match', 'matches')} more"


def print_report(report: Any, format_name: str = "") -> None:
    """Print a tournament's report, or the table of one format and who beat whom in it."""
    summary = report.tournament
    click.echo(
        f"{summary.name}: {summary.schedule} of {', '.join(summary.formats)}, "
        f"{state_words(summary)}, {over_of(summary)}"
    )
    for line in _situation(report):
        click.echo(line)
    chosen = [table for table in report.tables if table.format == format_name]
    if not chosen and len(report.tables) == 1:
        chosen = list(report.tables)
    if not chosen:
        _print_table(report, _format_places(report))
    for table in chosen or report.tables:
        if len(report.tables) > 1:
            click.echo(f"\n{table.format}")
        _print_table(table, {})
        if chosen and table.cross and len(table.standings) <= _CROSS_AT_MOST:
            click.echo("points per match of the row less those of the column")
            console().print(_cross(table))
    if not chosen:
        click.echo(f"to see who beat whom, use tournament show --format {summary.formats[0]}")
    news = [line for line in report.log if line.event in _NEWS]
    if news and not format_name:
        click.echo("what was changed, the newest first")
        console().print(log_table(news))


def _situation(report: Any) -> Iterator[str]:
    summary = report.tournament
    if summary.HasField("left_seconds"):
        yield f"about {lasting(summary.left_seconds)} to go, an estimate from the last matches"
    if summary.note:
        yield clean(summary.note)
    for bot in summary.waiting:
        yield f"waiting: {waiting_line(bot)}"
    yield from declared_lines(report.declarations, summary.declared)


def _format_places(report: Any) -> dict[str, dict[str, str]]:
    """By format and bot, the place in the table of that format."""
    return {
        table.format: {line.bot: _place(line) for line in table.standings}
        for table in report.tables
    }


def _place(line: Any) -> str:
    return f"{line.place}{'=' if line.shared else ''}"


def _print_table(table: Any, places: dict[str, dict[str, str]]) -> None:
    """A GetTournamentResponse or FormatTable; with several formats, the place in each of them."""
    shown = Table()
    titles = [criterion.title for criterion in table.criteria]
    more = list(places) or ["points", "± 95 %"]
    for title in ("place", "bot", "played", *titles, *more, "declared", "fallbacks"):
        shown.add_column(title, justify="left" if title == "bot" else "right")
    columns = [
        [line.deciding[number].value if line.deciding[number].HasField("value") else None
         for line in table.standings]
        for number in range(len(titles))
    ]  # fmt: skip
    precision = [
        digits(column, criterion.digits)
        for column, criterion in zip(columns, table.criteria, strict=True)
    ]
    for row, line in enumerate(table.standings):
        deciding = [
            "" if column[row] is None else f"{column[row]:.{count}f}"
            for column, count in zip(columns, precision, strict=True)
        ]
        margin = f"{1.96 * line.error:.2f}" if line.HasField("error") else ""
        points = [f"{line.points:.2f}" if line.played else "", margin]
        shown.add_row(
            _place(line), escape(clean(line.bot)), f"{line.played:,}", *deciding,
            *([own.get(line.bot, "") for own in places.values()] if places else points),
            str(line.declared or ""), str(line.fallbacks or ""),
        )  # fmt: skip
    console().print(shown)
    if table.standings:
        click.echo(clean(table.rule))


def _cross(table: Any) -> Table:
    lines = table.standings
    met = {(each.bot, each.other): each.difference for each in table.cross}
    shown = Table()
    shown.add_column("bot")
    for line in lines:
        shown.add_column(_place(line), justify="right")
    for line in lines:
        cells = [
            f"{met[line.bot, other.bot]:+.1f}" if (line.bot, other.bot) in met else ""
            for other in lines
        ]
        shown.add_row(f"{_place(line)} {escape(clean(line.bot))}", *cells)
    return shown
