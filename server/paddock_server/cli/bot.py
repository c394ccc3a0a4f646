"""`paddock bot`: who may play."""

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
@click.option("--owner", default="", help="Who owns it; the name itself if not given.")
@_AS_JSON
@server_options
def add(name: str, owner: str, as_json: bool, **at: Any) -> None:
    """Add a bot and print its token, which is shown this once."""
    with channel(**at) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        added = caller.call(stub.AddBot, bot_pb2.AddBotRequest(name=name, owner=owner))
    if as_json:
        print_json({**_values(added.bot), "token": added.token})
        return
    click.echo(f"{added.bot.name} of {added.bot.owner} may play. Its token, shown this once:")
    click.echo(added.token)


@bot.command("list")
@_AS_JSON
@server_options
def list_bots(as_json: bool, **at: Any) -> None:
    """List all bots."""
    bots: list[Any] = []
    with channel(**at) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        token = ""
        while True:
            page = caller.call(stub.ListBots, bot_pb2.ListBotsRequest(page_token=token))
            bots += page.bots
            token = page.next_page_token
            if not token:
                break
    if as_json:
        print_json([_values(each) for each in bots])
        return
    table = Table()
    for title in ("bot", "owner", "version", "connected", "playing", "probation"):
        table.add_column(title)
    for each in bots:
        connected = "yes" if each.connected else "no"
        cells = (each.name, each.owner, each.version, connected, str(each.open_matches))
        table.add_row(*(escape(clean(cell)) for cell in (*cells, each.probation)))
    console().print(table)


@bot.command()
@_NAME
@_AS_JSON
@server_options
def show(name: str, as_json: bool, **at: Any) -> None:
    """Show one bot."""
    with channel(**at) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        found = caller.call(stub.GetBot, bot_pb2.GetBotRequest(name=name)).bot
    if as_json:
        print_json(_values(found))
        return
    table = Table(show_header=False)
    for key, value in _values(found).items():
        shown = ", ".join(value) if isinstance(value, list) else str(value)
        table.add_row(key.replace("_", " "), escape(clean(shown)))
    console().print(table)


@bot.command("rotate-token")
@_NAME
@_AS_JSON
@server_options
def rotate_token(name: str, as_json: bool, **at: Any) -> None:
    """Make a new token; the old one is worthless at once."""
    with channel(**at) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        made = caller.call(stub.RotateToken, bot_pb2.RotateTokenRequest(name=name))
    if as_json:
        print_json({"name": name, "token": made.token})
        return
    click.echo(f"The new token of {name}, shown this once:")
    click.echo(made.token)


@bot.command()
@_NAME
@click.option("--withdraw", is_flag=True, help="Withdraw it from its tournaments as well.")
@server_options
def remove(name: str, withdraw: bool, **at: Any) -> None:
    """Take a bot out and end its session; its matches stay.

    A bot that is entered in a tournament is removed with --withdraw only.
    """
    with channel(**at) as caller:
        stub = bot_pb2_grpc.BotServiceStub(caller.channel)
        caller.call(stub.RemoveBot, bot_pb2.RemoveBotRequest(name=name, withdraw=withdraw))
    click.echo(f"{name} is removed")


def _values(each: Any) -> dict[str, Any]:
    return {
        "name": each.name,
        "owner": each.owner,
        "added": each.added,
        "version": each.version,
        "formats": list(each.formats),
        "connected": each.connected,
        "open_matches": each.open_matches,
        "probation": each.probation,
    }
