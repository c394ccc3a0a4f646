"""`paddock ladder`: the tables of a ladder, ratings and head to head."""

import csv
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from paddock.v1 import ladder_pb2, ladder_pb2_grpc
from paddock_ladder.rating import PROVISIONAL
from paddock_server.basics.wording import likelihood
from paddock_server.cli.inspect_ladder import calibration, suspects
from paddock_server.cli.ladder_tables import (
    COLUMNS,
    KINDS,
    as_table,
    as_values,
    chances,
    line_values,
)
from paddock_server.cli.recompute import recompute
from paddock_server.cli.remote import Caller, channel, db_option
from paddock_server.cli.terminal import clean, console, print_json
from paddock_server.standings.tables import OVERALL, Kind

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_FORMAT = click.option("--format", "format_name", required=True, help="The format, such as summer.")


class _Ladders(click.Group):
    """`paddock ladder summer` stands for `paddock ladder show summer`."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            args = ["show", *args]
        return super().resolve_command(ctx, args)


@click.group(cls=_Ladders, invoke_without_command=False)
def ladder() -> None:
    """Ladders: show (or just the format's name), superiority, history, versus, recompute,
    calibration, suspects."""


@ladder.command()
@click.argument("format_name", metavar="FORMAT", default=OVERALL)
@click.option(
    "--live",
    is_flag=True,
    help="Show the live table, by which bots are paired, instead of the standing.",
)
@click.option(
    "--points",
    is_flag=True,
    help="Show the points table instead: more precise than ranks, but points can be given away.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000),
    default=50,
    show_default=True,
    help="The most bots to show, the best first.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet.")
@_AS_JSON
@db_option
def show(
    format_name: str,
    live: bool,
    points: bool,
    limit: int,
    as_csv: bool,
    as_json: bool,
    **connection: Any,
) -> None:
    """Show the standing of a format such as summer, or of all: overall.

    The standing is computed from the whole history at once and says who is best; the live table
    changes with each match. The rank interval says where the bot may truly be: "3  2-5" is third
    by the numbers, and on the standing at 90 % somewhere from second to fifth. On the live table
    and overall, fewer intervals hold where bots are close in strength.
    """
    if live and points:
        raise click.UsageError("--live and --points exclude each other; give one of them")
    if points and format_name == OVERALL:
        raise click.UsageError("--points needs a format: points of two formats can't be added up")
    kind = Kind.LIVE if live else Kind.POINTS if points else Kind.STANDING
    with channel(**connection) as caller:
        first, *others = islice(_pages(caller, format_name, kind), -(-limit // 100))
    lines = [line for page in (first, *others) for line in page.standings][:limit]
    if first.table == ladder_pb2.LADDER_TABLE_LIVE and not live:
        how = _how_computed(format_name, connection["db"])
        click.echo(
            clean(f"no standing has been computed yet; this is the live table; {how}"), err=True
        )
    if as_json:
        print_json(as_values(format_name, first, lines))
    elif as_csv:
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow((*COLUMNS, "table"))
        for line in lines:
            out.writerow((*line_values(line).values(), KINDS[first.table].value))
    else:
        console().print(as_table(format_name, first, lines))


def _how_computed(format_name: str, db: str | None) -> str:
    """How a standing comes about, beside a server or in a file."""
    if db is None or format_name == OVERALL:
        return "a server computes the standing soon after the first rated match"
    return f"for the standing: paddock ladder recompute {format_name} --db {db}"


def _pages(caller: Caller, format_name: str, kind: Kind) -> Iterator[Any]:
    stub = ladder_pb2_grpc.LadderServiceStub(caller.channel)
    table = next(table for table, each in KINDS.items() if each is kind)
    request = ladder_pb2.ListStandingsRequest(format=format_name, table=table)
    while True:
        page = caller.call(stub.ListStandings, request)
        yield page
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


@ladder.command()
@click.argument("format_name", metavar="FORMAT")
@click.option(
    "--limit",
    type=click.IntRange(2, 50),
    default=10,
    show_default=True,
    help="The most bots to show, the best first.",
)
@_AS_JSON
@db_option
def superiority(format_name: str, limit: int, as_json: bool, **connection: Any) -> None:
    """Show the superiority of the best bots over each other.

    Each number is the chance, in percent, that the bot of a row is truly better than the bot of a
    column, by the standing.
    """
    with channel(**connection) as caller:
        stub = ladder_pb2_grpc.LadderServiceStub(caller.channel)
        request = ladder_pb2.GetSuperiorityRequest(format=format_name, bots=limit)
        rows = caller.call(stub.GetSuperiority, request).bots
        missing = not rows and _is_missing(caller, format_name)
    if as_json:
        bots = [{"bot": row.bot, "chances": list(row.chances)} for row in rows]
        print_json({"format": format_name, "bots": bots})
    elif missing:
        how = _how_computed(format_name, connection["db"])
        click.echo(clean(f"no standing has been computed yet; {how}"))
    elif not rows:
        click.echo(
            f"no bot has a place on the standing of {clean(format_name)} yet: a place needs "
            f"{PROVISIONAL} matches; see: paddock ladder {clean(format_name)}"
        )
    else:
        console().print(chances(format_name, rows))


def _is_missing(caller: Caller, format_name: str) -> bool:
    """Whether no standing of this format has been computed yet."""
    page = next(_pages(caller, format_name, Kind.STANDING))
    return bool(page.table == ladder_pb2.LADDER_TABLE_LIVE)


@ladder.command()
@click.argument("bot")
@_FORMAT
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True,
              help="The most matches to show, the newest first.")  # fmt: skip
@_AS_JSON
@db_option
def history(bot: str, format_name: str, limit: int, as_json: bool, **connection: Any) -> None:
    """Show a bot's rating after each of its matches."""
    with channel(**connection) as caller:
        ratings = list(islice(_ratings(caller, bot, format_name), limit))
    names = ("match_id", "ended", "version", "seat", "rank", "total", "mu", "sigma", "order")
    if as_json:
        print_json([{name: getattr(rating, name) for name in names} for rating in ratings])
        return
    table = Table(title=escape(f"{clean(bot)} in {clean(format_name)}"), title_justify="left")
    for title in ("match", "ended", "version", "seat", "rank", "points", "mu", "sigma"):
        table.add_column(title, justify="left" if title in ("match", "ended") else "right")
    for rating in ratings:
        table.add_row(
            rating.match_id, rating.ended, escape(clean(rating.version)), str(rating.seat),
            str(rating.rank), str(rating.total), f"{rating.mu:.2f}", f"{rating.sigma:.2f}",
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
def versus(bot: str, other: str, format_name: str, as_json: bool, **connection: Any) -> None:
    """Show two bots head to head, in the matches that both played."""
    with channel(**connection) as caller:
        stub = ladder_pb2_grpc.LadderServiceStub(caller.channel)
        request = ladder_pb2.GetHeadToHeadRequest(bot=bot, other=other, format=format_name)
        duel = caller.call(stub.GetHeadToHead, request)
    margin = duel.margin if duel.HasField("margin") else None
    if as_json:
        print_json(
            {
                "bot": bot, "other": other, "format": format_name, "matches": duel.matches,
                "wins": duel.wins, "draws": duel.draws, "losses": duel.losses,
                "difference": duel.difference, "margin": margin,
                "superiority": duel.superiority,
            }
        )  # fmt: skip
        return
    title = escape(f"{clean(bot)} against {clean(other)} in {clean(format_name)}")
    table = Table(title=title, title_justify="left")
    for title in (
        "matches",
        "better",
        "equal",
        "worse",
        "points per match",
        "± 95 %",
        "superiority",
    ):
        table.add_column(title, justify="right")
    table.add_row(
        f"{duel.matches:,}", str(duel.wins), str(duel.draws), str(duel.losses),
        f"{duel.difference:+.2f}", "" if margin is None else f"{margin:.2f}",
        f"{likelihood(duel.superiority)}%",
    )  # fmt: skip
    console().print(table)


for command in (recompute, calibration, suspects):
    ladder.add_command(command)
