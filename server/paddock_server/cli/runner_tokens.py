"""`paddock runner add|list|remove`: the runners of a server and their tokens."""

from typing import Any, Final

import click
from rich.markup import escape
from rich.table import Table

from paddock.v1 import runner_pb2, runner_pb2_grpc
from paddock_server.cli.remote import channel, server_options
from paddock_server.cli.terminal import clean, console, print_json

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")


@click.command("add")
@click.argument("name")
@_AS_JSON
@server_options
def add_runner(name: str, as_json: bool, **connection: Any) -> None:
    """Add a runner to a server and print its token, which is shown only once."""
    with channel(**connection) as caller:
        stub = runner_pb2_grpc.RunnerServiceStub(caller.channel)
        added = caller.call(stub.AddRunner, runner_pb2.AddRunnerRequest(name=name))
    if as_json:
        print_json({"name": name, "token": added.token})
        return
    click.echo(f"{name} may build, check and run bots. Its token, shown only once:")
    click.echo(added.token)


@click.command("list")
@_AS_JSON
@server_options
def list_runners(as_json: bool, **connection: Any) -> None:
    """List the runners of a server."""
    with channel(**connection) as caller:
        stub = runner_pb2_grpc.RunnerServiceStub(caller.channel)
        runners = caller.call(stub.ListRunners, runner_pb2.ListRunnersRequest()).runners
    if as_json:
        print_json([_values(each) for each in runners])
        return
    table = Table()
    for title in ("runner", "connected", "slots", "cores", "work", "toolchains"):
        table.add_column(title)
    for each in runners:
        connected = "yes" if each.connected else "no"
        names = ", ".join(one.name for one in each.toolchains)
        cells = (each.name, connected, str(each.slots), str(each.cores), str(each.leases), names)
        table.add_row(*(escape(clean(cell)) for cell in cells))
    console().print(table)
    for each in runners:
        for sentence in each.weaknesses:
            click.echo(clean(f"{each.name} does not promise {sentence}"))


@click.command("remove")
@click.argument("name")
@server_options
def remove_runner(name: str, **connection: Any) -> None:
    """Remove a runner from a server; its work goes to others."""
    with channel(**connection) as caller:
        stub = runner_pb2_grpc.RunnerServiceStub(caller.channel)
        caller.call(stub.RemoveRunner, runner_pb2.RemoveRunnerRequest(name=name))
    click.echo(f"{name} is removed")


RUNNER_TOKENS: Final = (add_runner, list_runners, remove_runner)
"""The commands about the runners of a server."""


def _values(runner: Any) -> dict[str, Any]:
    return {
        "name": runner.name,
        "added": runner.added,
        "connected": runner.connected,
        "seen": runner.seen,
        "slots": runner.slots,
        "cores": runner.cores,
        "toolchains": [each.name for each in runner.toolchains],
        "weaknesses": list(runner.weaknesses),
        "leases": runner.leases,
    }
