"""`paddock tournament`: changes to a tournament while it runs, and the log of them."""

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
from paddock_server.programs.processes import BotProgram, Kennel, sample_command

_INTERRUPTED = 130
_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_NAME = click.argument("name")
_BOT = click.argument("bot")


@click.command("add-bot")
@_NAME
@_BOT
@click.option(
    "--command", help="The command that starts it; it is kept running until the tournament is over."
)
@click.option("--sample", help="A sample bot to start instead of a command, such as greedy.")
@server_options
def add_bot(
    name: str, bot: str, command: str | None, sample: str | None, **connection: Any
) -> None:
    """Enter BOT in a tournament that was started before.

    Without --command or --sample the bot connects by itself. After an interruption, run the same
    command again to start the bot again.
    """
    words = _words(command, sample)
    with channel(**connection) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        entered = caller.call(stub.EnterBot, pb.EnterBotRequest(name=name, bot=bot))
        already = " already" if entered.entered_before else ""
        click.echo(f"{clean(bot)} is entered in {clean(name)}{already}")
        if words:
            _keep_running(caller, name, BotProgram(bot, words), connection["server"])


def _words(command: str | None, sample: str | None) -> tuple[str, ...]:
    if command and sample:
        raise click.UsageError("give --command or --sample, not both")
    try:
        return sample_command(sample) if sample else tuple(shlex.split(command or ""))
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None


def _keep_running(caller: Caller, name: str, entry: BotProgram, server: str) -> None:
    """Keep the bot running until the tournament is over."""
    with Background() as background:
        notices = Notices()
        kennel = Kennel([entry], {"PADDOCK_SERVER": server}, notices.say)
        background.run(kennel.open())
        try:
            until_over(caller, name, notices)
        except KeyboardInterrupt:
            click.echo(
                f"stopped; {clean(entry.name)} stays entered; the same command starts it again",
                err=True,
            )
            raise click.exceptions.Exit(_INTERRUPTED) from None
        finally:
            background.run(kennel.close())


@click.command()
@_NAME
@_BOT
@click.option("--why", default="", help="The reason, shown to everybody.")
@server_options
def withdraw(name: str, bot: str, why: str, **connection: Any) -> None:
    """Withdraw BOT from a tournament.

    Its finished matches count. Those that it has not begun are declared as lost, and it plays in no
    later round.
    """
    with channel(**connection) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        caller.call(stub.WithdrawBot, pb.WithdrawBotRequest(name=name, bot=bot, why=why))
    click.echo(f"{clean(bot)} withdrew from {clean(name)}")


@click.command()
@_NAME
@_BOT
@click.option("--why", required=True, help="The reason, shown to everybody.")
@server_options
def disqualify(name: str, bot: str, why: str, **connection: Any) -> None:
    """Disqualify BOT from a tournament, even from one that is done.

    All its matches count as lost: it is last in them, and the others move up. Ratings do not
    change; for those use `paddock match void`.
    """
    with channel(**connection) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        caller.call(stub.DisqualifyBot, pb.DisqualifyBotRequest(name=name, bot=bot, why=why))
    click.echo(f"{clean(bot)} is disqualified from {clean(name)}")


@click.command("replay-match")
@_NAME
@click.argument("match_id", metavar="MATCH")
@click.option("--why", required=True, help="The reason, shown to everybody.")
@server_options
def replay_match(name: str, match_id: str, why: str, **connection: Any) -> None:
    """Void a match of a tournament and play it again, with a new deal.

    A tournament that was done is resumed. Rounds that were paired by the old result stay.
    """
    with channel(**connection) as caller:
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
def show_log(name: str, as_json: bool, **connection: Any) -> None:
    """Show who did what to a tournament, when and why, the newest first."""
    lines: list[Any] = []
    with channel(**connection) as caller:
        stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
        request = pb.GetTournamentLogRequest(name=name)
        while True:
            page = caller.call(stub.GetTournamentLog, request)
            lines += page.lines
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
    if as_json:
        print_json([log_values(line) for line in lines])
    else:
        console().print(log_table(lines))


COMMANDS = (add_bot, withdraw, disqualify, replay_match, show_log)
