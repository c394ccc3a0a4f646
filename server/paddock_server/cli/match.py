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
_STATES = ("waiting", "open", "finished", "declared")


@click.group()
def match() -> None:
    """Matches: start, list, show, watch, void."""


@match.command()
@click.option("--format", "format_name", required=True, help="What to play, such as winter.")
@click.option("--bot", "bots", multiple=True, required=True,
              help="Who plays; repeated. house-random is the server's own.")  # fmt: skip
@click.option("--games", type=click.IntRange(1, 10_000), default=1, show_default=True,
              help="How many matches; the bots change seats from one to the next.")  # fmt: skip
@click.option("--seats", type=int, default=0, help="How many play; the usual number if not given.")
@click.option("--rules", default="", help="A preset's name or a JSON object of rule options.")
@click.option("--unrated", is_flag=True, help="Leave the ratings as they are.")
@_AS_JSON
@server_options
def start(
    format_name: str, bots: tuple[str, ...], games: int, seats: int, rules: str, unrated: bool,
    as_json: bool, **at: Any,
) -> None:  # fmt: skip
    """Have matches played as soon as their bots are connected and free."""
    request = match_pb2.StartMatchesRequest(
        format=format_name,
        bots=bots,
        count=games,
        seats=max(0, seats),
        rules=rules,
        unrated=unrated,
    )
    with channel(**at) as caller:
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        ids = list(caller.call(stub.StartMatches, request).match_ids)
    if as_json:
        print_json(ids)
        return
    for each in ids:
        click.echo(each)


@match.command("list")
@click.option("--state", type=click.Choice(_STATES), help="Only matches in this state.")
@click.option("--bot", default="", help="Only matches of this bot.")
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True,
              help="How many matches to list at most, the newest first.")  # fmt: skip
@click.option("--format", "format_name", default="", help="Only matches of this format.")
@click.option("--tournament", default="", help="Only matches of this tournament.")
@_AS_JSON
@db_option
def list_matches(
    state: str | None, bot: str, limit: int, format_name: str, tournament: str, as_json: bool,
    **at: Any,
) -> None:  # fmt: skip
    """List matches, the newest first."""
    wanted = f"MATCH_STATE_{state.upper()}" if state else "MATCH_STATE_UNSPECIFIED"
    request = match_pb2.ListMatchesRequest(
        state=match_pb2.MatchState.Value(wanted), bot=bot, format=format_name,
        tournament=tournament,
    )  # fmt: skip
    with channel(**at) as caller:
        found = list(islice(pages(caller, request), limit))
    if as_json:
        print_json([values(each) for each in found])
        return
    table = Table()
    table.add_column("match", no_wrap=True)
    for title in ("format", "state", "bots", "points", "started"):
        table.add_column(title)
    for each in found:
        told = values(each)
        points = ", ".join(str(result["total"]) for result in told["results"])
        bots = ", ".join(seat["bot"] for seat in told["seats"])
        cells = (each.match_id, each.format, told["state"], bots, points, each.started)
        table.add_row(*(escape(clean(cell)) for cell in cells))
    console().print(table)


def pages(caller: Caller, request: match_pb2.ListMatchesRequest) -> Iterator[Any]:
    """All matches that the request asks for, a page at a time."""
    stub = match_pb2_grpc.MatchServiceStub(caller.channel)
    while True:
        page = caller.call(stub.ListMatches, request)
        yield from page.matches
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


@match.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--turn", type=click.IntRange(1), help="One turn only, from 1.")
@_AS_JSON
@db_option
def show(match_id: str, turn: int | None, as_json: bool, **at: Any) -> None:
    """Show a match: its record with --json, its pictures without."""
    with channel(**at) as caller:
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        found = caller.call(stub.GetMatch, match_pb2.GetMatchRequest(match_id=match_id))
    if as_json:
        record = json.loads(found.record_json) if found.record_json else None
        print_json({**values(found.match), "record": record})
        return
    if not found.record_json:
        click.echo(f"{match_id} is {values(found.match)['state']}; it can be shown at its end")
        return
    played = replay(read_record(found.record_json))
    frames = DRAWINGS[played.match.game.name].frames(played)
    if turn is not None and turn > len(frames):
        raise click.UsageError(f"this match has {len(frames)} turns, there is no {turn}")
    for frame in frames if turn is None else [frames[turn - 1]]:
        console().print(frame)


@match.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--why", "--reason", "reason", default="", help="Why, for all to see.")
@click.option("--replay", is_flag=True, help="Of a tournament: have it played again.")
@click.option("--declare", multiple=True, metavar="BOT",
              help="Of a tournament: a bot that loses it; repeated.")  # fmt: skip
@server_options
def void(match_id: str, reason: str, replay: bool, declare: tuple[str, ...], **at: Any) -> None:
    """Make a finished match count for nothing: ratings become what they are without it.

    A match of a tournament with a schedule is either played again (--replay) or lost by the bots
    that --declare names; its table follows.
    """
    with channel(**at) as caller:
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
def watch(match_id: str, **at: Any) -> None:
    """Follow a match under way, one line per step, until it ends."""
    with channel(**at) as caller:
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


def values(each: Any) -> dict[str, Any]:
    """A match in a list, as JSON has it."""
    state = match_pb2.MatchState.Name(each.state).removeprefix("MATCH_STATE_").lower()
    return {
        "match": each.match_id,
        "format": each.format,
        "state": state,
        "seats": [{"bot": s.bot, "version": s.version, "owner": s.owner} for s in each.seats],
        "results": [
            {
                "total": result.total,
                "rank": result.rank,
                "forfeit": result.forfeit,
                "faults": result.faults,
                "fallbacks": result.fallbacks,
            }
            for result in each.results
        ],
        "started": each.started,
        "ended": each.ended,
        "tournament": each.tournament or None,
        "block": each.block or None,
        "round": each.round or None,
        "void": each.void_reason or None,
    }
