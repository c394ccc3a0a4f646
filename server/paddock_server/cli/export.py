"""`paddock export`: match records for other programs."""

from contextlib import ExitStack
from typing import Any

import click

from paddock.v1 import match_pb2, match_pb2_grpc
from paddock_server.cli.files import written_whole
from paddock_server.cli.remote import channel, db_option
from paddock_server.cli.terminal import clean


@click.command()
@click.option("--format", "format_name", default="", help="Only matches of this format.")
@click.option("--bot", default="", help="Only matches of this bot.")
@click.option("--tournament", default="", help="Only matches of this tournament.")
@click.option("--output", metavar="FILE.jsonl", help="Write to FILE; standard output if not given.")
@db_option
def export(
    format_name: str, bot: str, tournament: str, output: str | None, **connection: Any
) -> None:
    """Print match records as JSON Lines, the oldest first; paddock verify checks them."""
    request = match_pb2.ExportRecordsRequest(format=format_name, bot=bot, tournament=tournament)
    count = 0
    with channel(**connection) as caller, ExitStack() as stack:
        file = stack.enter_context(written_whole(output)) if output else None
        stub = match_pb2_grpc.MatchServiceStub(caller.channel)
        for response in caller.stream(stub.ExportRecords, request):
            count += 1
            if file is None:
                click.echo(response.record_json)
            else:
                file.write(response.record_json.encode() + b"\n")
    if output:
        click.echo(f"{count:,} match record{'' if count == 1 else 's'} in {clean(output)}")
