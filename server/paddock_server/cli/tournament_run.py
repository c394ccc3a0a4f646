"""`paddock tournament run`: a server, its bots, and a tournament until its end."""

import asyncio
import logging
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from paddock.v1 import bot_pb2, bot_pb2_grpc, tournament_pb2, tournament_pb2_grpc
from paddock_server.basics.toml_file import BadFile, text_of
from paddock_server.basics.wording import counted, listed
from paddock_server.cli.background import Background, served
from paddock_server.cli.remote import Caller, Refused, channel
from paddock_server.cli.terminal import Notices
from paddock_server.cli.tournament_progress import until_over
from paddock_server.cli.tournament_report import are_over
from paddock_server.cli.tournament_state import state_words
from paddock_server.programs.processes import BotFailed, BotProcess, BotProgram, Kennel, Starter
from paddock_server.serving.settings import Settings
from paddock_server.tournaments.definition import Definition, define, read_definition
from paddock_server.tournaments.waiting import WAITING_LOG

_INTERRUPTED = 130


class Where(NamedTuple):
    """The server of a tournament: one that is started here, or one that runs."""

    db: str
    grpc: str | None
    http: str | None
    server: str | None
    token: str | None
    ca: Path | None


def run_tournament(
    file: Path,
    where: Where,
    logs: Path | None = None,
    *,
    without_missing: bool = False,
    starter: Starter = BotProcess.start,
) -> Any:
    """Play a tournament to its end, and return its report (a GetTournamentResponse).

    Raises BotFailed before the first match if a bot can't be started or dies at once, unless
    `without_missing` leaves such bots out. `starter` starts them, perhaps in jails.
    """
    try:
        text = file.read_text()
    except UnicodeDecodeError:
        raise BadFile(f"{file} is not TOML: it is not UTF-8 text") from None
    definition = read_definition(text, str(file))
    notices = Notices()
    with (
        Background() as background,
        _server(background, definition, where) as address,
        channel(where.server or f"http://{address}", where.token, where.ca, None, None) as caller,
    ):
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        wanted = tournament_pb2.GetTournamentRequest(name=definition.name)
        env = {"PADDOCK_SERVER": address}
        if where.server is None:
            env["PADDOCK_TOKEN"] = ""
        kennel = Kennel(started_here(definition), env, notices.say, logs, starter=starter)
        done = _is_done(caller, definition.name)
        if done and without_missing:  # nobody knows any more which bots were left out
            return caller.call(stub.GetTournament, wanted)
        try:
            if not done:
                gathering = _gather(kennel, caller, background, without_missing=without_missing)
                if gathering.failed:
                    definition = _without(definition, gathering.failed, file, notices)
                    text = text_of(definition.file.written())
                for name in gathering.late:
                    notices.say(f"{name} is not connected yet; its matches wait for it")
            request = tournament_pb2.StartTournamentRequest(definition=text)
            started = caller.call(stub.StartTournament, request)
            _say(file, started, address, definition, started_here(definition))
            until_over(caller, definition.name, notices)
        except KeyboardInterrupt:
            command = f"paddock tournament run {shlex.quote(str(file))}{_options(where)}"
            command += f" --logs {shlex.quote(str(logs))}" if logs else ""
            command += " --without-missing" if without_missing else ""
            notices.say(f"stopped, and nothing is lost; continue with: {command}")
            raise click.exceptions.Exit(_INTERRUPTED) from None
        finally:
            background.run(kennel.close())
        return caller.call(stub.GetTournament, wanted)


class Gathering(NamedTuple):
    """The bots that were started but are not connected."""

    failed: Mapping[str, BotFailed]  # they ended before they connected, or could not be started
    late: Sequence[str]  # they run, but are not connected yet


def _gather(
    kennel: Kennel, caller: Caller, background: Background, *, without_missing: bool
) -> Gathering:
    """Start the bots and wait for them; BotFailed if one fails, unless `without_missing`."""
    stub = bot_pb2_grpc.BotServiceStub(caller.channel)

    def connected() -> list[str]:
        names: list[str] = []
        token = ""
        while True:
            page = caller.call(stub.ListBots, bot_pb2.ListBotsRequest(page_token=token))
            names += [bot.name for bot in page.bots if bot.connected]
            token = page.next_page_token
            if not token:
                return names

    async def gather() -> list[str]:
        await kennel.open()
        return await kennel.arrive(
            lambda: asyncio.to_thread(connected), despite_failures=without_missing
        )

    late = background.run(gather())
    if kennel.failed and not without_missing:
        raise next(iter(kennel.failed.values()))
    return Gathering(dict(kennel.failed), late)


def _without(
    definition: Definition, failed: Mapping[str, BotFailed], file: Path, notices: Notices
) -> Definition:
    """The tournament without the bots that failed, if there are enough others."""
    for name, problem in failed.items():
        notices.say(f"{problem}\n{name} is left out of {definition.name}")
    bots = tuple(bot for bot in definition.file.bots or () if bot.name not in failed)
    where = f"{file} without {', '.join(failed)}"
    return define(definition.file._replace(bots=bots), where)


def _is_done(caller: Caller, name: str) -> bool:
    """Whether there is nothing more to be played, so that no bot is needed."""
    stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
    brief = tournament_pb2.GetTournamentRequest(name=name, summary_only=True)
    try:
        summary = caller.call(stub.GetTournament, brief).tournament
    except Refused:  # it was never started
        return False
    return bool(summary.state == tournament_pb2.TOURNAMENT_STATE_DONE)


def started_here(definition: Definition) -> list[BotProgram]:
    """The bots that have a command."""
    return [BotProgram(bot.name, bot.command) for bot in definition.bots if bot.command]


@contextmanager
def _server(background: Background, definition: Definition, where: Where) -> Iterator[str]:
    if where.server is not None:
        yield where.server
        return
    alone = len(started_here(definition)) == len(definition.bots) > 0
    grpc = where.grpc or ("127.0.0.1:0" if alone else "127.0.0.1:7911")
    # Whom the tournament waits for is printed here, from any server's answers; faults and fallbacks
    # are in the tables, and the bots' tracebacks are printed. So these logs would repeat it.
    for log in (WAITING_LOG, logging.getLogger("paddock.table")):
        log.addHandler(logging.NullHandler())
    settings = Settings(database=where.db, grpc=grpc, http=where.http)
    with served(background, settings) as serving:
        if serving.http_address:
            click.echo(f"the pages are at http://{serving.http_address}/", err=True)
        yield serving.address


def _say(
    file: Path, started: Any, address: str, definition: Definition, entries: list[BotProgram]
) -> None:
    summary = started.tournament
    if summary.state == tournament_pb2.TOURNAMENT_STATE_DONE:
        click.echo(f"{summary.name} is done: {are_over(summary)}", err=True)
        return
    if summary.state == tournament_pb2.TOURNAMENT_STATE_UPCOMING:
        click.echo(f"{summary.name} {state_words(summary)}, at {summary.starts}", err=True)
    elif started.resumed:
        click.echo(f"resumed {summary.name}: {are_over(summary)}", err=True)
    else:
        matches = counted(summary.planned, "match", "matches")
        planned = matches if summary.planned else "matches without end"
        click.echo(f"{summary.name} begins: {planned}", err=True)
    here = {entry.name for entry in entries}
    others = [bot for bot in definition.names if bot not in here]
    if others:
        connect = "connects by itself" if len(others) == 1 else "connect by themselves"
        click.echo(f"{file}: {listed(others)} {connect}, to {address}", err=True)
    elif not definition.bots:
        if definition.is_open:
            told = "the newest accepted version of each owner is entered when entries close"
        else:
            told = f"any bot may connect, to {address}"
        click.echo(f"{file}: {told}", err=True)


def _options(where: Where) -> str:
    options = (("--db", where.db), ("--grpc", where.grpc), ("--http", where.http))
    if where.server is not None:
        return f" --server {shlex.quote(where.server)}"
    return "".join(f" {name} {shlex.quote(value)}" for name, value in options if value)
