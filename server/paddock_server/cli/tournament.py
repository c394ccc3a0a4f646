"""`paddock tournament`: run, list, show, stop, resume and export tournaments."""

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
from paddock_server.cli.jailing import jail_options, jailed_bots
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
from paddock_server.programs.processes import BotProcess

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
              help="The database of the server that this command starts.")  # fmt: skip
@click.option("--grpc", help="The address for bots, host:port, of the server that this command "
              "starts; a free port if all bots have commands, else 127.0.0.1:7911.")  # fmt: skip
@click.option("--http", help="The address of the pages, host:port; off if not given.")
@click.option("--server", help="Use this running server, host:port, instead of starting one.")
@click.option(
    "--token", envvar="PADDOCK_ORGANISER_TOKEN", help="The organiser's token of that server."
)
@click.option("--tls-ca", "ca", type=Path, help="The file of that server's CA, PEM; "
              "turns TLS on. PADDOCK_TLS_CA if not given.")  # fmt: skip
@click.option("--without-missing", is_flag=True, help="Leave out bots that can't be started or end "
              "before they connect; without this such bots stop the tournament.")  # fmt: skip
@logs_option
@jail_options
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
    jail: bool,
    accept_weaker: bool,
    jail_memory: int,
    as_json: bool,
) -> None:
    """Play the tournament in FILE to its end, or resume it where it was left.

    The command starts a server on the database of --db, unless --server names one that runs. Bots
    with a command are started and kept running; the others connect by themselves. After Ctrl-C, a
    crash or a reboot the same command resumes the tournament: nothing is played twice.
    """
    where = Where(db=db, grpc=grpc, http=http, server=server, token=token, ca=ca)
    jailed = jailed_bots(jail, accept_weaker, jail_memory, lambda said: click.echo(said, err=True))
    starter = jailed.bot if jailed else BotProcess.start
    report = run_tournament(file, where, logs, without_missing=without_missing, starter=starter)
    if as_json:
        print_json(report_values(report))
    else:
        print_report(report)


@tournament.command("list")
@_AS_JSON
@db_option
def list_tournaments(as_json: bool, **connection: Any) -> None:
    """List all tournaments, the newest first."""
    summaries: list[Any] = []
    with channel(**connection) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        token = ""
        while True:
            request = tournament_pb2.ListTournamentsRequest(page_token=token)
            page = caller.call(stub.ListTournaments, request)
            summaries += page.tournaments
            token = page.next_page_token
            if not token:
                break
    if as_json:
        print_json([summary_values(summary) for summary in summaries])
        return
    table = Table()
    for title in ("tournament", "schedule", "formats", "bots", "state", "matches", "started"):
        table.add_column(title, justify="right" if title in ("bots", "matches") else "left")
    for summary in summaries:
        of = f" of {summary.planned:,}" if summary.planned else ""
        cells = (
            summary.name, summary.schedule, ", ".join(summary.formats),
            str(len(summary.bots) or "any"), state_words(summary), f"{summary.over:,}{of}",
            moment(summary.started),
        )  # fmt: skip
        table.add_row(*(escape(clean(cell)) for cell in cells))
    console().print(table)


@tournament.command()
@_NAME
@click.option("--format", "format_name", default="",
              help="Only the table of this format, and who beat whom in it.")  # fmt: skip
@_AS_JSON
@db_option
def show(name: str, format_name: str, as_json: bool, **connection: Any) -> None:
    """Show the state of a tournament: whom it waits for, the standings and who beat whom."""
    with channel(**connection) as caller:
        report = _report(caller, name)
    formats = list(report.tournament.formats)
    if format_name and format_name not in formats:
        there = listed(formats, "or")
        raise click.UsageError(
            f"--format: {clean(name)} has no format {clean(format_name)!r}; give {there}"
        )
    if as_json:
        print_json(report_values(report))
    else:
        print_report(report, format_name)


@tournament.command()
@_NAME
@server_options
def stop(name: str, **connection: Any) -> None:
    """Stop a tournament: no further match begins, open matches are played to their end."""
    with channel(**connection) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        caller.call(stub.StopTournament, tournament_pb2.StopTournamentRequest(name=name))
    click.echo(f"{clean(name)} is stopped; continue with: paddock tournament resume {clean(name)}")


@tournament.command()
@_NAME
@server_options
def resume(name: str, **connection: Any) -> None:
    """Resume a tournament that was stopped."""
    with channel(**connection) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        request = tournament_pb2.ResumeTournamentRequest(name=name)
        summary = caller.call(stub.ResumeTournament, request).tournament
    click.echo(f"{clean(name)} is {state_name(summary)}")


@tournament.command()
@_NAME
@click.option("--csv", "how", flag_value="csv",
              help="One line per seat of every match (the default).")  # fmt: skip
@click.option("--json", "how", flag_value="json", help="The standings and the cross table as JSON.")
@click.option("--jsonl", "how", flag_value="jsonl", help="All match records, one per line.")
@click.option("--html", type=click.Path(path_type=Path), metavar="DIR",
              help="Write its pages with all replays into the folder DIR, for a browser or any "
              "web server; needs --db.")  # fmt: skip
@click.option("--force", is_flag=True, help="With --html: replace DIR with all its content.")
@db_option
def export(name: str, how: str | None, html: Path | None, force: bool, **connection: Any) -> None:
    """Print a tournament's results for other programs, or write its pages into a folder."""
    if html is not None:
        if how is not None:
            raise click.UsageError(f"--html and --{how} exclude each other; give one of them")
        if connection["db"] is None:
            raise click.UsageError("--html needs the database, even of a running server: give --db")
        publish(name, html, connection["db"], force=force)
        return
    if force:
        raise click.UsageError("--force needs --html DIR")
    with channel(**connection) as caller:
        report = _report(caller, name)
        if how == "json":
            print_json(report_values(report))
            return
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        if how == "jsonl":
            request = match_pb2.ExportRecordsRequest(tournament=name)
            for response in caller.stream(stub.ExportRecords, request):
                click.echo(response.record_json)
            return
        _write_csv(pages(caller, match_pb2.ListMatchesRequest(tournament=name)))


def _write_csv(matches: Any) -> None:
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(
        ("match", "state", "format", "round", "block", "seat", "bot", "version", "rank", "points",
         "faults", "fallbacks", "forfeit", "ended")
    )  # fmt: skip
    for match in matches:
        row = values(match)
        for seat, (who, result) in enumerate(zip(row["seats"], row["results"], strict=False)):
            out.writerow(
                (match.match_id, row["state"], match.format, match.round, match.block, seat,
                 who["bot"], who["version"], result["rank"], result["total"], result["faults"],
                 result["fallbacks"], int(result["forfeit"]), match.ended)
            )  # fmt: skip


def _report(caller: Caller, name: str) -> Any:
    stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
    return caller.call(stub.GetTournament, tournament_pb2.GetTournamentRequest(name=name))
