"""`paddock match`: matches of a running server."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import click
import grpc
from rich.markup import escape
from rich.table import Table

from paddock.v1 import match_pb2, match_pb2_grpc
from paddock_games import read_record, replay
from paddock_server.basics.wording import counted
from paddock_server.cli.drawing import DRAWINGS
from paddock_server.cli.remote import Caller, channel, db_option, refused, server_options
from paddock_server.cli.terminal import clean, console, print_json
from paddock_wire import CODECS

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_STATES = ("waiting", "open", "finished", "declared", "stuck")


@click.group()
def match() -> None:
    """Matches: start, list, show, watch, void, retry."""


@match.command()
@click.option("--format", "format_name", required=True, help="The format, such as winter.")
@click.option("--bot", "bots", multiple=True, required=True,
              help="A bot that plays; may be repeated. house-random is built in.")  # fmt: skip
@click.option("--games", type=click.IntRange(1, 10_000), default=1, show_default=True,
              help="The number of matches; the bots change seats each match.")  # fmt: skip
@click.option(
    "--seats", type=int, default=0, help="The number of seats; the usual one if not given."
)
@click.option("--rules", default="", help="A preset's name or a JSON object of rule options.")
@click.option("--unrated", is_flag=True, help="Do not rate these matches.")
@_AS_JSON
@server_options
def start(
    format_name: str, bots: tuple[str, ...], games: int, seats: int, rules: str, unrated: bool,
    as_json: bool, **connection: Any,
) -> None:  # fmt: skip
    """Start matches; they begin as soon as their bots are connected and free."""
    request = match_pb2.StartMatchesRequest(
        format=format_name,
        bots=bots,
        count=games,
        seats=max(0, seats),
        rules=rules,
        unrated=unrated,
    )
    with channel(**connection) as caller:
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        ids = list(caller.call(stub.StartMatches, request).match_ids)
    if as_json:
        print_json(ids)
        return
    for match_id in ids:
        click.echo(match_id)


@match.command("list")
@click.option("--state", type=click.Choice(_STATES), help="Only matches in this state.")
@click.option("--bot", default="", help="Only matches of this bot.")
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True,
              help="The most matches to list, the newest first.")  # fmt: skip
@click.option("--format", "format_name", default="", help="Only matches of this format.")
@click.option("--tournament", default="", help="Only matches of this tournament.")
@_AS_JSON
@db_option
def list_matches(
    state: str | None, bot: str, limit: int, format_name: str, tournament: str, as_json: bool,
    **connection: Any,
) -> None:  # fmt: skip
    """List matches, the newest first."""
    wanted = f"MATCH_STATE_{state.upper()}" if state else "MATCH_STATE_UNSPECIFIED"
    request = match_pb2.ListMatchesRequest(
        state=match_pb2.MatchState.Value(wanted), bot=bot, format=format_name,
        tournament=tournament,
    )  # fmt: skip
    with channel(**connection) as caller:
        matches = list(islice(pages(caller, request), limit))
    if as_json:
        print_json([values(match) for match in matches])
        return
    table = Table()
    table.add_column("match", no_wrap=True)
    for title in ("format", "state", "bots", "points", "started"):
        table.add_column(title)
    for match in matches:
        row = values(match)
        points = ", ".join(str(result["total"]) for result in row["results"])
        bots = ", ".join(seat["bot"] for seat in row["seats"])
        cells = (match.match_id, match.format, row["state"], bots, points, match.started)
        table.add_row(*(escape(clean(cell)) for cell in cells))
    console().print(table)


def pages(caller: Caller, request: match_pb2.ListMatchesRequest) -> Iterator[Any]:
    """All matches that the request asks for, page by page."""
    stub = match_pb2_grpc.MatchServiceStub(caller.channel)
    while True:
        page = caller.call(stub.ListMatches, request)
        yield from page.matches
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


@match.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--turn", type=click.IntRange(1), help="Show only this turn, from 1.")
@_AS_JSON
@db_option
def show(match_id: str, turn: int | None, as_json: bool, **connection: Any) -> None:
    """Show a match: its record with --json, its pictures without."""
    with channel(**connection) as caller:
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        response = caller.call(stub.GetMatch, match_pb2.GetMatchRequest(match_id=match_id))
    if as_json:
        record = json.loads(response.record_json) if response.record_json else None
        print_json({**values(response.match), "record": record})
        return
    if not response.record_json:
        click.echo(
            f"{match_id} is {values(response.match)['state']}; it can be shown when it is over"
        )
        return
    played = replay(read_record(response.record_json))
    frames = DRAWINGS[played.match.game.name].frames(played)
    if turn is not None and turn > len(frames):
        raise click.UsageError(
            f"--turn: this match has {len(frames)} turns, not {turn}; give 1 to {len(frames)}"
        )
    for frame in frames if turn is None else [frames[turn - 1]]:
        console().print(frame)


@match.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--why", "--reason", "reason", default="", help="The reason, shown to everybody.")
@click.option("--replay", is_flag=True, help="A match of a tournament: play it again.")
@click.option("--declare", multiple=True, metavar="BOT",
              help="A match of a tournament: this bot loses it; may be repeated.")  # fmt: skip
@server_options
def void(
    match_id: str, reason: str, replay: bool, declare: tuple[str, ...], **connection: Any
) -> None:
    """Void a finished match: it no longer counts, and ratings are computed without it.

    A match of a tournament with a schedule is either played again (--replay) or lost by the bots
    that --declare names; the tournament's table changes accordingly.
    """
    with channel(**connection) as caller:
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        request = match_pb2.VoidMatchRequest(
            match_id=match_id, reason=reason, replay=replay, declare=declare
        )
        done = caller.call(stub.VoidMatch, request)
    again = counted(done.rated_again, "match", "matches")
    click.echo(f"{clean(match_id)} is void; rated again because of it: {again}")


@match.command()
@click.argument("match_id", metavar="MATCH")
@server_options
def retry(match_id: str, **connection: Any) -> None:
    """Go on with a stuck match, from its last stored decision.

    A match is stuck when the server could not store what happened in it; its log says why.
    """
    with channel(**connection) as caller:
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        request = match_pb2.RetryMatchRequest(match_id=match_id)
        done = caller.call(stub.RetryMatch, request)
    click.echo(f"{clean(match_id)} is {values(done.match)['state']}")


@match.command()
@click.argument("match_id", metavar="MATCH")
@server_options
def watch(match_id: str, **connection: Any) -> None:
    """Follow a match under way, one line per step, until it ends."""
    with channel(**connection) as caller:
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        stream = stub.WatchMatch(match_pb2.WatchMatchRequest(match_id=match_id))
        try:
            for item in stream:
                kind = item.WhichOneof("item")
                if kind == "happened":
                    _say_step(item.happened)
                elif kind == "match_ended":
                    for seat, result in enumerate(item.match_ended.seats):
                        click.echo(f"seat {seat}: rank {result.rank}, {result.total} points")
        except grpc.RpcError as problem:
            raise refused(problem, caller.where) from None


def _say_step(happened: Any) -> None:
    words = []
    for revealed in happened.revealed:
        choice = CODECS[revealed.choice.WhichOneof("game")].read_choice(revealed.choice)
        words.append(f"seat {revealed.seat}: {choice}")
    click.echo(f"step {happened.step}: " + "; ".join(words))


def values(match: Any) -> dict[str, Any]:
    """A match in a list, as JSON has it."""
    state = match_pb2.MatchState.Name(match.state).removeprefix("MATCH_STATE_").lower()
    return {
        "match": match.match_id,
        "format": match.format,
        "state": state,
        "seats": [
            {
                "bot": seat.bot,
                "version": seat.version,
                "owner": seat.owner,
                "cpu_share": seat.cpu_share or None,
            }
            for seat in match.seats
        ],
        "results": [
            {
                "total": result.total,
                "rank": result.rank,
                "forfeit": result.forfeit,
                "faults": result.faults,
                "fallbacks": result.fallbacks,
            }
            for result in match.results
        ],
        "started": match.started,
        "ended": match.ended,
        "tournament": match.tournament or None,
        "block": match.block or None,
        "round": match.round or None,
        "void": match.void_reason or None,
    }
