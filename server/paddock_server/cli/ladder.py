"""`paddock ladder`: who is better, and how sure that is."""

import csv
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from paddock.v1 import ladder_pb2, ladder_pb2_grpc
from paddock_server.cli.recompute import recompute
from paddock_server.cli.remote import Caller, channel, db_option
from paddock_server.cli.terminal import clean, console, print_json
from paddock_server.standings import OVERALL

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_FORMAT = click.option("--format", "format_name", required=True, help="The format, such as summer.")
_COLUMNS = (
    "rank", "rank_best", "rank_worst", "bot", "owner", "language", "version", "rating", "mu",
    "sigma", "matches", "points", "wins", "faults", "fallbacks", "forfeits", "change", "changed",
    "provisional", "idle", "whole_mu", "whole_sigma",
)  # fmt: skip


class _Ladders(click.Group):
    """`paddock ladder summer` stands for `paddock ladder show summer`."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            args = ["show", *args]
        return super().resolve_command(ctx, args)


@click.group(cls=_Ladders, invoke_without_command=False)
def ladder() -> None:
    """Ladders: show (or just the format's name), history, versus, recompute."""


@ladder.command()
@click.argument("format_name", metavar="FORMAT", default=OVERALL)
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=50, show_default=True,
              help="At most so many bots, the best first.")  # fmt: skip
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet.")
@_AS_JSON
@db_option
def show(format_name: str, limit: int, as_csv: bool, as_json: bool, **at: Any) -> None:
    """Show the standings of a format such as summer, or of all: overall.

    The rank interval says where the bot may truly be: "3  2-5" is third by the numbers, and at
    90 % somewhere from second to fifth.
    """
    with channel(**at) as caller:
        pages = _standings(caller, format_name)
        level, bots, lines = next(pages)
        found = list(islice(_lines(lines, pages), limit))
    if as_json:
        told = [_values(line) for line in found]
        print_json({"format": format_name, "level": level, "bots": bots, "standings": told})
    elif as_csv:
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(_COLUMNS)
        for line in found:
            out.writerow(_values(line).values())
    else:
        console().print(_table(format_name, level, bots, found))


def _standings(caller: Caller, format_name: str) -> Iterator[tuple[float, int, Any]]:
    stub = ladder_pb2_grpc.LadderServiceStub(caller.channel)
    request = ladder_pb2.ListStandingsRequest(format=format_name)
    while True:
        page = caller.call(stub.ListStandings, request)
        yield page.level, page.bots, page.standings
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _lines(first: Any, pages: Iterator[tuple[float, int, Any]]) -> Iterator[Any]:
    yield from first
    for _, _, lines in pages:
        yield from lines


def _values(line: Any) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name in _COLUMNS:
        value = getattr(line, name)
        if name.startswith("whole_") and not line.HasField(name):
            value = None
        told[name] = round(value, 4) if isinstance(value, float) else value
    return told


def _table(format_name: str, level: float, bots: int, found: list[Any]) -> Table:
    table = Table(
        title=escape(f"{format_name}: {bots:,} bots; ranks as sure as {level:.0%}"),
        title_justify="left",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )
    whole = any(line.HasField("whole_mu") for line in found)
    owned = any(line.owner not in ("", line.bot) for line in found)
    fell_back = any(line.fallbacks for line in found)
    titles = ["rank", "", "bot", "", *(["owner"] if owned else []), "rating", "", "strength",
              "matches", "points", "wins", "faults", *(["fallbacks"] if fell_back else []),
              *(["whole"] if whole else [])]  # fmt: skip
    for title in titles:
        left = title in ("bot", "owner")
        table.add_column(title, justify="left" if left else "right", no_wrap=True)
    for line in found:
        marks = " ".join(mark for mark, on in (("?", line.provisional), ("idle", line.idle)) if on)
        wins = f"{line.wins / line.matches:.0%}" if line.matches else ""
        told = [
            str(line.rank), f"[dim]{line.rank_best}-{line.rank_worst}[/dim]",
            escape(clean(line.bot)), f"[dim]{marks}[/dim]",
            *([escape(clean(line.owner))] if owned else []),
            f"{line.rating:.2f}", f"[dim]{line.change:+.2f}[/dim]",
            f"{line.mu:.1f} ± {line.sigma:.1f}", f"{line.matches:,}", f"{line.points:.2f}",
            wins, str(line.faults or ""),
            *([str(line.fallbacks or "")] if fell_back else []),
        ]  # fmt: skip
        if whole:
            known = line.HasField("whole_mu")
            told.append(f"{line.whole_mu:.1f} ± {line.whole_sigma:.1f}" if known else "")
        table.add_row(*told)
    if any(line.provisional for line in found):
        table.caption = "? has not played enough to be placed for good"
        table.caption_justify = "left"
    return table


@ladder.command()
@click.argument("bot")
@_FORMAT
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True,
              help="At most so many matches, the newest first.")  # fmt: skip
@_AS_JSON
@db_option
def history(bot: str, format_name: str, limit: int, as_json: bool, **at: Any) -> None:
    """Show how a bot's rating came about, match by match."""
    with channel(**at) as caller:
        found = list(islice(_ratings(caller, bot, format_name), limit))
    names = ("match_id", "ended", "version", "seat", "rank", "total", "mu", "sigma", "order")
    if as_json:
        print_json([{name: getattr(each, name) for name in names} for each in found])
        return
    table = Table(title=escape(f"{clean(bot)} in {clean(format_name)}"), title_justify="left")
    for title in ("match", "ended", "version", "seat", "rank", "points", "mu", "sigma"):
        table.add_column(title, justify="left" if title in ("match", "ended") else "right")
    for each in found:
        table.add_row(
            each.match_id, each.ended, escape(clean(each.version)), str(each.seat), str(each.rank),
            str(each.total), f"{each.mu:.2f}", f"{each.sigma:.2f}",
        )  # fmt: skip
    console().print(table)


def _ratings(caller: Caller, bot: str, format_name: str) -> Iterator[Any]:
    stub = ladder_pb2_grpc.LadderServiceStub(caller.channel)
    request = ladder_pb2.ListRatingsRequest(bot=bot, format=format_name)
    while True:
        page = caller.call(stub.ListRatings, request)
        yield from page.matches
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


@ladder.command()
@click.argument("bot")
@click.argument("other")
@_FORMAT
@_AS_JSON
@db_option
def versus(bot: str, other: str, format_name: str, as_json: bool, **at: Any) -> None:
    """Show two bots head to head, in the matches that both played."""
    with channel(**at) as caller:
        stub = ladder_pb2_grpc.LadderServiceStub(caller.channel)
        request = ladder_pb2.GetHeadToHeadRequest(bot=bot, other=other, format=format_name)
        found = caller.call(stub.GetHeadToHead, request)
    margin = found.margin if found.HasField("margin") else None
    if as_json:
        print_json(
            {
                "bot": bot, "other": other, "format": format_name, "matches": found.matches,
                "wins": found.wins, "draws": found.draws, "losses": found.losses,
                "difference": found.difference, "margin": margin,
                "superiority": found.superiority,
            }
        )  # fmt: skip
        return
    title = escape(f"{clean(bot)} against {clean(other)} in {clean(format_name)}")
    table = Table(title=title, title_justify="left")
    for title in ("matches", "better", "equal", "worse", "points a match", "± 95 %", "superiority"):
        table.add_column(title, justify="right")
    table.add_row(
        f"{found.matches:,}", str(found.wins), str(found.draws), str(found.losses),
        f"{found.difference:+.2f}", "" if margin is None else f"{margin:.2f}",
        f"{found.superiority:.1%}",
    )  # fmt: skip
    console().print(table)


ladder.add_command(recompute)
