"""What `paddock tournament run` does: a server, its bots, a tournament to its end, and a bar."""

import logging
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from paddock.v1 import tournament_pb2, tournament_pb2_grpc
from paddock_server.cli.background import Background, served
from paddock_server.cli.remote import channel
from paddock_server.cli.terminal import clean
from paddock_server.cli.tournament_progress import wait_until_over
from paddock_server.cli.tournament_report import are_over
from paddock_server.processes import Entry, Kennel
from paddock_server.serving import Settings
from paddock_server.toml_file import BadFile
from paddock_server.tournaments.definition import Definition, read_definition
from paddock_server.tournaments.waiting import WAITING_LOG
from paddock_server.wording import listed, matches

_INTERRUPTED = 130


class Where(NamedTuple):
    """Where a tournament is played: here, or on a server that runs."""

    db: str
    grpc: str | None
    http: str | None
    server: str | None
    token: str | None
    ca: Path | None


def run_tournament(file: Path, where: Where) -> Any:
    """Play a tournament to its end; how it stands then (a GetTournamentResponse)."""
    try:
        text = file.read_text()
    except UnicodeDecodeError:
        raise BadFile(f"{file} is not TOML: it is no text") from None
    definition = read_definition(text, str(file))
    entries = started_here(definition)
    with (
        Background() as background,
        _server(background, definition, where) as address,
        channel(address, where.token, where.ca, None, None) as caller,
    ):
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        request = tournament_pb2.StartTournamentRequest(definition=text)
        started = caller.call(stub.StartTournament, request)
        _say(file, started, address, definition, entries)
        env = {"PADDOCK_SERVER": address}
        if where.server is None:
            env["PADDOCK_TOKEN"] = ""
        kennel = Kennel(entries, env, lambda told: click.echo(clean_lines(told), err=True))
        background.run(kennel.open())
        try:
            wait_until_over(caller, definition.name)
        except KeyboardInterrupt:
            command = f"paddock tournament run {shlex.quote(str(file))}{_options(where)}"
            click.echo(f"stopped, and nothing is lost; go on with: {command}", err=True)
            raise click.exceptions.Exit(_INTERRUPTED) from None
        finally:
            background.run(kennel.close())
        wanted = tournament_pb2.GetTournamentRequest(name=definition.name)
        return caller.call(stub.GetTournament, wanted)


def clean_lines(text: str) -> str:
    """Several lines from outside, fit for a terminal."""
    return "\n".join(clean(line) for line in text.splitlines())


def started_here(definition: Definition) -> list[Entry]:
    """The bots that have a command."""
    return [Entry(bot.name, bot.command) for bot in definition.bots if bot.command]


@contextmanager
def _server(background: Background, definition: Definition, where: Where) -> Iterator[str]:
    if where.server is not None:
        yield where.server
        return
    alone = len(started_here(definition)) == len(definition.bots) > 0
    grpc = where.grpc or ("127.0.0.1:0" if alone else "127.0.0.1:7911")
    # What this server logs of waiting is said here in any case, from any server's answers.
    WAITING_LOG.addHandler(logging.NullHandler())
    settings = Settings(database=where.db, grpc=grpc, http=where.http)
    with served(background, settings) as serving:
        if serving.http_address:
            click.echo(f"the pages are at http://{serving.http_address}/", err=True)
        yield serving.address


def _say(
    file: Path, started: Any, address: str, definition: Definition, entries: list[Entry]
) -> None:
    each = started.tournament
    if each.state == tournament_pb2.TOURNAMENT_STATE_DONE:
        click.echo(f"{each.name} is done: {are_over(each)}", err=True)
        return
    if started.resumed:
        click.echo(f"going on with {each.name}: {are_over(each)}", err=True)
    else:
        begins = matches(each.planned) if each.planned else "matches without end"
        click.echo(f"{each.name} begins: {begins}", err=True)
    here = {entry.name for entry in entries}
    others = [bot for bot in definition.names if bot not in here]
    if others:
        connect = "connects by itself" if len(others) == 1 else "connect by themselves"
        click.echo(f"{file}: {listed(others)} {connect}, to {address}", err=True)
    elif not definition.bots:
        click.echo(f"{file}: any bot may connect, to {address}", err=True)


def _options(where: Where) -> str:
    given = (("--db", where.db), ("--grpc", where.grpc), ("--http", where.http))
    if where.server is not None:
        return f" --server {shlex.quote(where.server)}"
    return "".join(f" {name} {shlex.quote(value)}" for name, value in given if value)
