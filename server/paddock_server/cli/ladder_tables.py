"""Tables of a ladder, as text for a terminal and as values for programs."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import JustifyMethod
from rich.markup import escape
from rich.table import Table

from paddock.v1 import ladder_pb2 as pb
from paddock_server.basics.wording import likelihood
from paddock_server.cli.terminal import clean
from paddock_server.standings.tables import OVERALL, Kind
from paddock_server.store.epochs import epoch_text

COLUMNS: Final = tuple(field.name for field in pb.Standing.DESCRIPTOR.fields)
"""The columns of a line, in the order of the contract."""

KINDS: Final = {
    pb.LADDER_TABLE_STANDING: Kind.STANDING,
    pb.LADDER_TABLE_LIVE: Kind.LIVE,
    pb.LADDER_TABLE_POINTS: Kind.POINTS,
}
_TITLES: Final = {
    Kind.STANDING: "standing",
    Kind.LIVE: "live table",
    Kind.POINTS: "points table",
}
_PLACE: Final = ("rank", "rank_best", "rank_worst")
_UNITS: Final = ((86_400, "days"), (3600, "h"), (60, "min"), (1, "s"))
_WHOLE: Final = ("whole_mu", "whole_sigma")


def line_values(line: pb.Standing) -> dict[str, Any]:
    """A line of a table for a program."""
    absent = set() if line.rank else set(_PLACE)
    if not line.HasField("whole_mu"):
        absent |= set(_WHOLE)
    values: dict[str, Any] = {}
    for name in COLUMNS:
        value = getattr(line, name) if name not in absent else None
        values[name] = round(value, 4) if isinstance(value, float) else value
    return values


def as_values(
    format_name: str, page: pb.ListStandingsResponse, lines: Sequence[pb.Standing]
) -> dict[str, Any]:
    """A table for a program; `page` is its first."""
    epoch = {field.name: value for field, value in page.epoch.ListFields()}
    return {
        "format": format_name,
        "table": _kind(page).value,
        "level": page.level,
        "bots": page.bots,
        "computed": page.computed or None,
        "matches": page.matches if page.computed else None,
        "newer": page.newer if page.computed else None,
        "epoch": epoch or None,
        "standings": [line_values(line) for line in lines],
    }


class _Column(NamedTuple):
    """A column of a table for people."""

    title: str
    cell: Callable[[pb.Standing], str]  # as markup
    left: bool = False  # where it is aligned
    shown: bool = True


def as_table(
    format_name: str, page: pb.ListStandingsResponse, lines: Sequence[pb.Standing]
) -> Table:
    """A table for people; `page` is its first."""
    promise = f"rank intervals of {page.level:.0%}"
    if _independent(format_name, page):
        promise = "rank intervals as if errors were independent"
    table = _plain(f"{format_name}: {_TITLES[_kind(page)]} of {page.bots:,} bots; {promise}")
    columns = [column for column in _columns(_kind(page), lines) if column.shown]
    for column in columns:
        justify: JustifyMethod = "left" if column.left else "right"
        table.add_column(column.title, justify=justify, no_wrap=True)
    for line in lines:
        table.add_row(*(column.cell(line) for column in columns))
    table.caption = escape("\n".join(_notes(format_name, page, lines)))
    table.caption_justify = "left"
    return table


def _columns(kind: Kind, lines: Sequence[pb.Standing]) -> list[_Column]:
    """The columns of a table, and whether these lines need them."""
    live, by_points = kind is Kind.LIVE, kind is Kind.POINTS
    owned = any(line.owner not in ("", line.bot) for line in lines)
    fell_back = any(line.fallbacks for line in lines)
    whole = live and any(line.HasField("whole_mu") for line in lines)
    above_mean = _Column("above the mean", lambda line: f"{line.mu:+.2f} ± {line.sigma:.2f}")
    strength = _Column("strength", lambda line: f"{line.mu:.1f} ± {line.sigma:.1f}")
    return [
        _Column("rank", lambda line: str(line.rank or "")),
        _Column("", _interval),
        _Column("bot", lambda line: escape(clean(line.bot)), left=True),
        _Column("", _marks),
        _Column("owner", lambda line: escape(clean(line.owner)), left=True, shown=owned),
        _Column("rating", lambda line: f"{line.rating:.2f}", shown=live),
        _Column("", lambda line: f"[dim]{line.change:+.2f}[/dim]", shown=live),
        above_mean if by_points else strength,
        _Column("matches", lambda line: f"{line.matches:,}"),
        _Column("points", lambda line: f"{line.points:.2f}"),
        _Column("wins", lambda line: f"{line.wins / line.matches:.0%}" if line.matches else ""),
        _Column("+/-", _above_expected),
        _Column("faults", lambda line: str(line.faults or "")),
        _Column("fallbacks", lambda line: str(line.fallbacks or ""), shown=fell_back),
        _Column("whole", _whole, shown=whole),
    ]


def _interval(line: pb.Standing) -> str:
    return f"[dim]{line.rank_best}-{line.rank_worst}[/dim]" if line.rank else ""


def _marks(line: pb.Standing) -> str:
    marks = [mark for mark, on in (("?", line.provisional), ("idle", line.idle)) if on]
    return f"[dim]{' '.join(marks)}[/dim]"


def _above_expected(line: pb.Standing) -> str:
    return f"{line.above_expected:+.1f}" if line.opponents else ""


def _whole(line: pb.Standing) -> str:
    return f"{line.whole_mu:.1f} ± {line.whole_sigma:.1f}" if line.HasField("whole_mu") else ""


def _independent(format_name: str, page: pb.ListStandingsResponse) -> bool:
    """Whether rank intervals treat the errors of different bots as independent."""
    return _kind(page) is Kind.LIVE or format_name == OVERALL


def _notes(
    format_name: str, page: pb.ListStandingsResponse, lines: Sequence[pb.Standing]
) -> list[str]:
    """The notes below a table."""
    notes = []
    if lines and _independent(format_name, page):
        notes.append(
            f"where bots are close in strength, fewer than {page.level:.0%} of these rank "
            "intervals hold the true rank"
        )
    if any(line.provisional for line in lines):
        notes.append("?: the rank is provisional, from too few matches")
    if any(line.opponents for line in lines):
        notes.append("+/-: 1 for each opponent beaten, 1/2 for a tie, less what ratings expected")
    if _kind(page) is not Kind.LIVE:
        notes.append(_freshness(page))
    if page.HasField("epoch"):
        epoch = page.epoch
        notes.append(epoch_text(epoch.number, epoch.since, epoch.beta, epoch.why))
    return notes


def _freshness(page: pb.ListStandingsResponse) -> str:
    """How old a standing is: computed 40 s ago from 12,340 matches; 12 newer."""
    then = datetime.strptime(page.computed, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    seconds = max(0.0, (datetime.now(UTC) - then).total_seconds())
    size, unit = next(((size, unit) for size, unit in _UNITS if seconds >= 2 * size), _UNITS[-1])
    age = f"{seconds // size:,.0f} {unit}"
    return f"computed {age} ago from {page.matches:,} matches; {page.newer:,} newer"


def _kind(page: pb.ListStandingsResponse) -> Kind:
    return KINDS.get(page.table, Kind.STANDING)


def chances(format_name: str, rows: Sequence[pb.Superiority]) -> Table:
    """A table of the chances that one bot is better than another, for people."""
    table = _plain(f"{format_name}: the chance in % that a row is truly better than a column")
    table.add_column("")
    table.add_column("bot")
    for place in range(1, len(rows) + 1):
        table.add_column(str(place), justify="right", no_wrap=True)
    for place, row in enumerate(rows):
        numbers = [
            "" if to == place else likelihood(chance) for to, chance in enumerate(row.chances)
        ]
        table.add_row(str(place + 1), escape(clean(row.bot)), *numbers)
    return table


def _plain(title: str) -> Table:
    return Table(
        title=escape(clean(title)),
        title_justify="left",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )
