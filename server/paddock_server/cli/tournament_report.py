"""How a tournament stands: as JSON for programs, as text and tables for people."""

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

# What is told of a tournament's log: all but how it was run.
_NEWS = ("entry", "withdrawal", "disqualification", "replay", "declaration", "void", "change")
_CROSS_AT_MOST = 12  # bots of a cross table that fits on a terminal


# --- for programs -----------------------------------------------------------------------------


def summary_values(each: Any) -> dict[str, Any]:
    """A TournamentSummary as JSON."""
    return {
        "name": each.name,
        "schedule": each.schedule,
        "formats": list(each.formats),
        "bots": list(each.bots),
        "state": state_name(each),
        "over": each.over,
        "declared": each.declared,
        "planned": each.planned or None,
        "left_seconds": round(each.left_seconds, 1) if each.HasField("left_seconds") else None,
        "started": each.started,
        "ended": each.ended or None,
        "rated": each.rated,
        "starts": each.starts or None,
        "entries_close": each.entries_close or None,
        "withdrawn": list(each.withdrawn),
        "disqualified": list(each.disqualified),
        "waiting": [_waiting_values(one) for one in each.waiting],
        "note": each.note or None,
    }


def _waiting_values(each: Any) -> dict[str, Any]:
    reason = tournament_pb2.WaitReason.Name(each.reason)
    return {
        "bot": each.bot,
        "reason": reason.removeprefix("WAIT_REASON_").lower(),
        "sentence": each.sentence,
        "formats": list(each.formats),
        "since": each.since or None,
        "matches": each.matches,
        "declared_at": each.declared_at or None,
    }


def report_values(found: Any) -> dict[str, Any]:
    """A GetTournamentResponse as JSON."""
    several = len(found.tables) > 1
    return {
        **summary_values(found.tournament),
        **_table_values(found, several=several),
        "tables": [
            {"format": table.format, **_table_values(table, several=False)}
            for table in found.tables
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
            for each in found.declarations
        ],
        "pairings": [values(each) for each in found.pairings],
        "log": [log_values(each) for each in found.log],
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


def over_of(each: Any) -> str:
    """How many matches of a TournamentSummary are over: 3 of 9 matches, or 1 match."""
    all_of_them = counted(each.planned or each.over, "match", "matches")
    return f"{each.over:,} of {all_of_them}" if each.planned else all_of_them


def are_over(each: Any) -> str:
    """The same as a sentence: 3 of 9 matches are over."""
    return f"{over_of(each)} {'is' if (each.planned or each.over) == 1 else 'are'} over"


def moment(stamp: str) -> str:
    """A moment on a terminal."""
    return f"{stamp[:10]} {stamp[11:19]} UTC"


def waiting_line(each: Any) -> str:
    """A WaitedFor in a line."""
    said = each.sentence
    if each.since:
        said += f", since {moment(each.since)}"
    if each.matches:
        said += f"; {counted(each.matches, 'match waits', 'matches wait')} for it"
    if each.declared_at:
        said += f" and will be decided without it at {moment(each.declared_at)}"
    return clean(said)


def declared_lines(declarations: Sequence[Any], count: int) -> Iterator[str]:
    """What was declared: a line for each format and those who were not there.

    There were so many in all, and these are the newest of them.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Any]] = {}
    for each in declarations:
        groups.setdefault((each.format, tuple(sorted(each.absent))), []).append(each)
    for (format_name, absent), some in groups.items():
        winners = dict.fromkeys(bot for each in some for bot in each.winners) or ["nobody"]
        which = f", match {some[0].match_id}" if len(some) == 1 else ""
        number = counted(len(some), "match", "matches")
        yield clean(
            f"declared {number} of {format_name} without {listed(absent)}: won by "
            f"{listed(winners)}, {moment(max(each.declared for each in some))}{which}"
        )
    if count > len(declarations):
        yield f"declared {counted(count - len(declarations), 'match', 'matches')} more"


def print_report(found: Any, format_name: str = "") -> None:
    """Print how a tournament stands, or the table of one format and who beat whom in it."""
    each = found.tournament
    click.echo(
        f"{each.name}: {each.schedule} of {', '.join(each.formats)}, {state_words(each)}, "
        f"{over_of(each)}"
    )
    for line in _situation(found):
        click.echo(line)
    chosen = [table for table in found.tables if table.format == format_name]
    if not chosen and len(found.tables) == 1:
        chosen = list(found.tables)
    if not chosen:
        _print_table(found, _format_places(found))
    for table in chosen or found.tables:
        if len(found.tables) > 1:
            click.echo(f"\n{table.format}")
        _print_table(table, {})
        if chosen and table.cross and len(table.standings) <= _CROSS_AT_MOST:
            click.echo("points per match of the row less those of the column")
            console().print(_cross(table))
    if not chosen:
        click.echo(f"to see who beat whom, give tournament show --format {each.formats[0]}")
    news = [line for line in found.log if line.event in _NEWS]
    if news and not format_name:
        click.echo("what was changed, the newest first")
        console().print(log_table(news))


def _situation(found: Any) -> Iterator[str]:
    each = found.tournament
    if each.HasField("left_seconds"):
        yield f"about {lasting(each.left_seconds)} to go, an estimate from the last matches"
    if each.note:
        yield clean(each.note)
    for one in each.waiting:
        yield f"waiting: {waiting_line(one)}"
    yield from declared_lines(found.declarations, each.declared)


def _format_places(found: Any) -> dict[str, dict[str, str]]:
    """By format and bot, the place in the table of that format."""
    return {
        table.format: {line.bot: _place(line) for line in table.standings} for table in found.tables
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
        [line.deciding[at].value if line.deciding[at].HasField("value") else None
         for line in table.standings]
        for at in range(len(titles))
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
