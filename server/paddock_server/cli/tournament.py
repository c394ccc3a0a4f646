"""`paddock tournament`: run one, look at them, stop and go on, take the results elsewhere."""

import csv
import sys
from pathlib import Path
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from paddock.v1 import match_pb2, match_pb2_grpc, tournament_pb2, tournament_pb2_grpc
from paddock_server.basics.wording import listed
from paddock_server.cli.entries import logs_option
from paddock_server.cli.match import pages, values
from paddock_server.cli.publish import publish
from paddock_server.cli.remote import Caller, channel, db_option, server_options
from paddock_server.cli.terminal import clean, console, print_json
from paddock_server.cli.tournament_change import COMMANDS
from paddock_server.cli.tournament_report import (
    moment,
    print_report,
    report_values,
    summary_values,
)
from paddock_server.cli.tournament_run import Where, run_tournament
from paddock_server.cli.tournament_state import state_name, state_words

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_NAME = click.argument("name")


@click.group()
def tournament() -> None:
    """Tournaments: run, list, show, change, stop, resume, export."""


for command in COMMANDS:
    tournament.add_command(command)


@tournament.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", default="paddock.db", show_default=True, envvar="PADDOCK_DB",
              help="The database, if the server is to run here.")  # fmt: skip
@click.option("--grpc", help="Where bots connect, if the server is to run here; any port is taken "
              "if all bots have commands, else 127.0.0.1:7911.")  # fmt: skip
@click.option("--http", help="Where the pages are, if the server is to run here; off if not given.")
@click.option("--server", help="A running server that is to play it, host:port.")
@click.option("--token", envvar="PADDOCK_ORGANISER_TOKEN", help="The organiser's token there.")
@click.option("--tls-ca", "ca", type=Path, help="The file of that server's CA, PEM; "
              "turns TLS on. PADDOCK_TLS_CA if not given.")  # fmt: skip
@click.option("--without-missing", is_flag=True, help="Leave out bots that can't be started or end "
              "before they connect; without this the tournament does not begin.")  # fmt: skip
@logs_option
@_AS_JSON
def run(
    file: Path,
    db: str,
    grpc: str | None,
    http: str | None,
    server: str | None,
    token: str | None,
    ca: Path | None,
    without_missing: bool,
    logs: Path | None,
    as_json: bool,
) -> None:
    """Play the tournament in FILE to its end, or go on with it where it was left.

    The server runs here, on the database of --db, unless --server names one that runs. Bots with a
    command are started and kept running; the others connect by themselves. After Ctrl-C, a crash
    or a reboot the same command goes on: nothing is played twice.
    """
    where = Where(db=db, grpc=grpc, http=http, server=server, token=token, ca=ca)
    found = run_tournament(file, where, logs, without_missing=without_missing)
    if as_json:
        print_json(report_values(found))
    else:
        print_report(found)


@tournament.command("list")
@_AS_JSON
@db_option
def list_tournaments(as_json: bool, **at: Any) -> None:
    """List all tournaments, the newest first."""
    found: list[Any] = []
    with channel(**at) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        token = ""
        while True:
            request = tournament_pb2.ListTournamentsRequest(page_token=token)
            page = caller.call(stub.ListTournaments, request)
            found += page.tournaments
            token = page.next_page_token
            if not token:
                break
    if as_json:
        print_json([summary_values(each) for each in found])
        return
    table = Table()
    for title in ("tournament", "schedule", "formats", "bots", "state", "matches", "started"):
        table.add_column(title, justify="right" if title in ("bots", "matches") else "left")
    for each in found:
        of = f" of {each.planned:,}" if each.planned else ""
        cells = (
            each.name, each.schedule, ", ".join(each.formats), str(len(each.bots) or "any"),
            state_words(each), f"{each.over:,}{of}", moment(each.started),
        )  # fmt: skip
        table.add_row(*(escape(clean(cell)) for cell in cells))
    console().print(table)


@tournament.command()
@_NAME
@click.option("--format", "format_name", default="",
              help="Only the table of this format, and who beat whom in it.")  # fmt: skip
@_AS_JSON
@db_option
def show(name: str, format_name: str, as_json: bool, **at: Any) -> None:
    """Show how a tournament stands: whom it waits for, the standings and who beat whom."""
    with channel(**at) as caller:
        found = _found(caller, name)
    formats = list(found.tournament.formats)
    if format_name and format_name not in formats:
        there = listed(formats, "or")
        raise click.UsageError(
            f"--format: {clean(name)} has no format {clean(format_name)!r}; give {there}"
        )
    if as_json:
        print_json(report_values(found))
    else:
        print_report(found, format_name)


@tournament.command()
@_NAME
@server_options
def stop(name: str, **at: Any) -> None:
    """Begin nothing more of a tournament; what is under way is played to its end."""
    with channel(**at) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        caller.call(stub.StopTournament, tournament_pb2.StopTournamentRequest(name=name))
    click.echo(f"{clean(name)} is stopped; go on with: paddock tournament resume {clean(name)}")


@tournament.command()
@_NAME
@server_options
def resume(name: str, **at: Any) -> None:
    """Go on with a tournament that was stopped."""
    with channel(**at) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        request = tournament_pb2.ResumeTournamentRequest(name=name)
        found = caller.call(stub.ResumeTournament, request).tournament
    click.echo(f"{clean(name)} is {state_name(found)}")


@tournament.command()
@_NAME
@click.option("--csv", "how", flag_value="csv",
              help="A line for every seat of every match (this is the default).")  # fmt: skip
@click.option("--json", "how", flag_value="json", help="The standings and the cross table.")
@click.option("--jsonl", "how", flag_value="jsonl", help="All match records, one per line.")
@click.option("--html", type=click.Path(path_type=Path), metavar="DIR",
              help="Write its pages with all replays into the folder DIR, to be opened from there "
              "or put on any web server; needs --db.")  # fmt: skip
@click.option("--force", is_flag=True, help="With --html: replace DIR, whatever is in it.")
@db_option
def export(name: str, how: str | None, html: Path | None, force: bool, **at: Any) -> None:
    """Print a tournament's results for other programs, or write its pages into a folder."""
    if html is not None:
        if how is not None:
            raise click.UsageError(f"--html and --{how} exclude each other; give one of them")
        if at["db"] is None:
            raise click.UsageError(
                "--html reads a database, which a server may be using: give --db"
            )
        publish(name, html, at["db"], force=force)
        return
    if force:
        raise click.UsageError("--force goes with --html")
    with channel(**at) as caller:
        found = _found(caller, name)
        if how == "json":
            print_json(report_values(found))
            return
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        if how == "jsonl":
            request = match_pb2.ExportRecordsRequest(tournament=name)
            for each in caller.stream(stub.ExportRecords, request):
                click.echo(each.record_json)
            return
        _write_csv(pages(caller, match_pb2.ListMatchesRequest(tournament=name)))


def _write_csv(matches: Any) -> None:
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(
        ("match", "state", "format", "round", "block", "seat", "bot", "version", "rank", "points",
         "faults", "fallbacks", "forfeit", "ended")
    )  # fmt: skip
    for each in matches:
        told = values(each)
        for seat, (who, result) in enumerate(zip(told["seats"], told["results"], strict=False)):
            out.writerow(
                (each.match_id, told["state"], each.format, each.round, each.block, seat,
                 who["bot"], who["version"], result["rank"], result["total"], result["faults"],
                 result["fallbacks"], int(result["forfeit"]), each.ended)
            )  # fmt: skip


def _found(caller: Caller, name: str) -> Any:
    stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
    return caller.call(stub.GetTournament, tournament_pb2.GetTournamentRequest(name=name))
