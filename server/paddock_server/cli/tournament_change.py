"""`paddock tournament`: what an organiser changes while a tournament runs, and the log of it."""

import shlex
from typing import Any

import click

from paddock.v1 import tournament_pb2 as pb
from paddock.v1 import tournament_pb2_grpc
from paddock_server.basics.wording import counted
from paddock_server.cli.background import Background
from paddock_server.cli.remote import Caller, channel, db_option, server_options
from paddock_server.cli.terminal import Notices, clean, console, print_json
from paddock_server.cli.tournament_log import log_table, log_values
from paddock_server.cli.tournament_progress import until_over
from paddock_server.programs.processes import Entry, Kennel, sample_command

_INTERRUPTED = 130
_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_NAME = click.argument("name")
_BOT = click.argument("bot")


@click.command("add-bot")
@_NAME
@_BOT
@click.option("--command", help="How to start it; it is kept running until the tournament is over.")
@click.option("--sample", help="A sample bot to start instead of a command, such as greedy.")
@server_options
def add_bot(name: str, bot: str, command: str | None, sample: str | None, **at: Any) -> None:
    """Enter BOT in a tournament that was started before.

    Without --command or --sample the bot connects by itself. The same command again starts it
    again, if it was interrupted.
    """
    words = _words(command, sample)
    with channel(**at) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        entered = caller.call(stub.EnterBot, pb.EnterBotRequest(name=name, bot=bot))
        already = " already" if entered.entered_before else ""
        click.echo(f"{clean(bot)} is entered in {clean(name)}{already}")
        if words:
            _keep_running(caller, name, Entry(bot, words), at["server"])


def _words(command: str | None, sample: str | None) -> tuple[str, ...]:
    if command and sample:
        raise click.UsageError("give --command or --sample, not both")
    try:
        return sample_command(sample) if sample else tuple(shlex.split(command or ""))
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None


def _keep_running(caller: Caller, name: str, entry: Entry, server: str) -> None:
    """Start the bot, and start it again when it fails, until the tournament is over."""
    with Background() as background:
        notices = Notices()
        kennel = Kennel([entry], {"PADDOCK_SERVER": server}, notices.say)
        background.run(kennel.open())
        try:
            until_over(caller, name, notices)
        except KeyboardInterrupt:
            click.echo(
                f"stopped; {clean(entry.name)} stays entered, and the same command starts it again",
                err=True,
            )
            raise click.exceptions.Exit(_INTERRUPTED) from None
        finally:
            background.run(kennel.close())


@click.command()
@_NAME
@_BOT
@click.option("--why", default="", help="Why, for all to see.")
@server_options
def withdraw(name: str, bot: str, why: str, **at: Any) -> None:
    """Take BOT out of a tournament.

    What it played stands. What it has not begun is declared against it, and no later round has it.
    """
    with channel(**at) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        caller.call(stub.WithdrawBot, pb.WithdrawBotRequest(name=name, bot=bot, why=why))
    click.echo(f"{clean(bot)} withdrew from {clean(name)}")


@click.command()
@_NAME
@_BOT
@click.option("--why", required=True, help="Why, for all to see.")
@server_options
def disqualify(name: str, bot: str, why: str, **at: Any) -> None:
    """Take BOT out of a tournament and put it last, even when all is played.

    All its matches count as lost: it has the last place there, and the others move up. Ratings
    stay as they are; use `paddock match void` for those.
    """
    with channel(**at) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        caller.call(stub.DisqualifyBot, pb.DisqualifyBotRequest(name=name, bot=bot, why=why))
    click.echo(f"{clean(bot)} is disqualified from {clean(name)}")


@click.command("replay-match")
@_NAME
@click.argument("match_id", metavar="MATCH")
@click.option("--why", required=True, help="Why, for all to see.")
@server_options
def replay_match(name: str, match_id: str, why: str, **at: Any) -> None:
    """Void a match of a tournament and have it played again, with a new deal.

    The tournament goes on if it was done. Rounds that were made from the old result stay.
    """
    with channel(**at) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        request = pb.ReplayMatchRequest(name=name, match_id=match_id, why=why)
        done = caller.call(stub.ReplayMatch, request)
    click.echo(
        f"{clean(match_id)} is void and played again; "
        f"{counted(done.rated_again, 'later match was', 'later matches were')} rated again"
    )


@click.command("log")
@_NAME
@_AS_JSON
@db_option
def show_log(name: str, as_json: bool, **at: Any) -> None:
    """Show who did what to a tournament, when and why, the newest first."""
    lines: list[Any] = []
    with channel(**at) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        request = pb.GetTournamentLogRequest(name=name)
        while True:
            page = caller.call(stub.GetTournamentLog, request)
            lines += page.lines
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
    if as_json:
        print_json([log_values(each) for each in lines])
    else:
        console().print(log_table(lines))


COMMANDS = (add_bot, withdraw, disqualify, replay_match, show_log)
