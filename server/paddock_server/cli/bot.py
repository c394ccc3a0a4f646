"""`paddock bot`: the bots of a server and their tokens."""

from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from paddock.v1 import bot_pb2, bot_pb2_grpc
from paddock_server.cli.remote import channel, server_options
from paddock_server.cli.terminal import clean, console, print_json

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_NAME = click.argument("name")


@click.group()
def bot() -> None:
    """Bots of a running server: add, list, show, rotate-token, remove."""


@bot.command()
@_NAME
@click.option("--owner", default="", help="The owner of the bot; its own name if not given.")
@_AS_JSON
@server_options
def add(name: str, owner: str, as_json: bool, **connection: Any) -> None:
    """Add a bot and print its token, which is shown only once."""
    with channel(**connection) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        added = caller.call(stub.AddBot, bot_pb2.AddBotRequest(name=name, owner=owner))
    if as_json:
        print_json({**_values(added.bot), "token": added.token})
        return
    click.echo(f"{added.bot.name} of {added.bot.owner} may play. Its token, shown only once:")
    click.echo(added.token)


@bot.command("list")
@_AS_JSON
@server_options
def list_bots(as_json: bool, **connection: Any) -> None:
    """List all bots."""
    bots: list[Any] = []
    with channel(**connection) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        token = ""
        while True:
            page = caller.call(stub.ListBots, bot_pb2.ListBotsRequest(page_token=token))
            bots += page.bots
            token = page.next_page_token
            if not token:
                break
    if as_json:
        print_json([_values(bot) for bot in bots])
        return
    table = Table()
    for title in ("bot", "owner", "version", "connected", "playing", "probation"):
        table.add_column(title)
    for bot in bots:
        connected = "yes" if bot.connected else "no"
        cells = (bot.name, bot.owner, bot.version, connected, str(bot.open_matches))
        table.add_row(*(escape(clean(cell)) for cell in (*cells, bot.probation)))
    console().print(table)


@bot.command()
@_NAME
@_AS_JSON
@server_options
def show(name: str, as_json: bool, **connection: Any) -> None:
    """Show one bot."""
    with channel(**connection) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        bot = caller.call(stub.GetBot, bot_pb2.GetBotRequest(name=name)).bot
    if as_json:
        print_json(_values(bot))
        return
    table = Table(show_header=False)
    for key, value in _values(bot).items():
        shown = ", ".join(value) if isinstance(value, list) else str(value)
        table.add_row(key.replace("_", " "), escape(clean(shown)))
    console().print(table)


@bot.command("rotate-token")
@_NAME
@_AS_JSON
@server_options
def rotate_token(name: str, as_json: bool, **connection: Any) -> None:
    """Make a new token for a bot; the old one is invalid at once."""
    with channel(**connection) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        response = caller.call(stub.RotateToken, bot_pb2.RotateTokenRequest(name=name))
    if as_json:
        print_json({"name": name, "token": response.token})
        return
    click.echo(f"The new token of {name}, shown only once:")
    click.echo(response.token)


@bot.command()
@_NAME
@click.option("--withdraw", is_flag=True, help="Withdraw it from its tournaments too.")
@server_options
def remove(name: str, withdraw: bool, **connection: Any) -> None:
    """Remove a bot and close its session; its matches stay.

    A bot that is entered in a tournament can only be removed with --withdraw.
    """
    with channel(**connection) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        caller.call(stub.RemoveBot, bot_pb2.RemoveBotRequest(name=name, withdraw=withdraw))
    click.echo(f"{name} is removed")


def _values(bot: Any) -> dict[str, Any]:
    return {
        "name": bot.name,
        "owner": bot.owner,
        "added": bot.added,
        "version": bot.version,
        "formats": list(bot.formats),
        "connected": bot.connected,
        "open_matches": bot.open_matches,
        "probation": bot.probation,
    }
