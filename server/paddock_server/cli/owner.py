"""`paddock owner`: people who may hand in bots, and their tokens."""

import csv
import io
import os
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.markup import escape
from rich.table import Table

from paddock.v1 import owner_pb2, owner_pb2_grpc
from paddock_server.basics.toml_file import BadFile
from paddock_server.cli.remote import Caller, channel, server_options
from paddock_server.cli.terminal import clean, console, print_json

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_BOTS = click.option(
    "--bots", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
    help="How many bots an owner may have.",
)  # fmt: skip


class _Line(NamedTuple):
    """A line of a list of owners."""

    name: str
    bots: int


@click.group()
def owner() -> None:
    """Owners of a running server: add, add-many, list, rotate-token, remove."""


@owner.command()
@click.argument("name")
@_BOTS
@_AS_JSON
@server_options
def add(name: str, bots: int, as_json: bool, **connection: Any) -> None:
    """Add an owner and print its token, which is shown only once."""
    with channel(**connection) as caller:
        token = _add(caller, _Line(name, bots))
    if as_json:
        print_json({"name": name, "bots": bots, "token": token})
        return
    click.echo(f"{clean(name)} may hand in {bots} of its own. The token, shown only once:")
    click.echo(token)


@owner.command("add-many")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@_BOTS
@click.option(
    "--out", type=Path, required=True, help="A new file for the tokens: name,token in each line."
)
@server_options
def add_many(file: Path, bots: int, out: Path, **connection: Any) -> None:
    """Add the owners in FILE, a CSV with a column "name" and perhaps one "bots".

    Owners that are there already are left alone, so that the same file with more lines can be given
    again. Only you can read the file of tokens; send each owner its line.
    """
    lines = _read(file, bots)
    added = 0
    with _secret(out) as tokens, channel(**connection) as caller:
        stub = owner_pb2_grpc.OwnerServiceStub(caller.channel)
        known = {each.name for each in _all(caller, stub)}
        writer = csv.writer(tokens, lineterminator="\n")  # a line may be cut out by a script
        writer.writerow(("name", "token"))
        for line in lines:
            if line.name in known:
                continue
            writer.writerow((line.name, _add(caller, line)))
            tokens.flush()  # a token that is lost can't be shown again
            added += 1
    there = len(lines) - added
    click.echo(f"{added} owners were added, {there} were there already; tokens are in {out}")


@owner.command("list")
@_AS_JSON
@server_options
def list_owners(as_json: bool, **connection: Any) -> None:
    """List all owners, their bots and the space of their archives."""
    with channel(**connection) as caller:
        rows = _all(caller, owner_pb2_grpc.OwnerServiceStub(caller.channel))
    if as_json:
        print_json([_values(each) for each in rows])
        return
    table = Table()
    for title in ("owner", "bots", "may have", "archives"):
        table.add_column(title)
    for each in rows:
        size = f"{each.archive_bytes / 1024 / 1024:.1f} MB"
        cells = (each.name, ", ".join(each.bots), str(each.most_bots), size)
        table.add_row(*(escape(clean(cell)) for cell in cells))
    console().print(table)


@owner.command("rotate-token")
@click.argument("name")
@server_options
def rotate_token(name: str, **connection: Any) -> None:
    """Make a new token for an owner; the old one is invalid at once."""
    with channel(**connection) as caller:
        stub = owner_pb2_grpc.OwnerServiceStub(caller.channel)
        request = owner_pb2.RotateOwnerTokenRequest(name=name)
        response = caller.call(stub.RotateOwnerToken, request)
    click.echo(f"The new token of {clean(name)}, shown only once:")
    click.echo(response.token)


@owner.command()
@click.argument("name")
@server_options
def remove(name: str, **connection: Any) -> None:
    """Remove an owner: its token is invalid, its bots stay."""
    with channel(**connection) as caller:
        stub = owner_pb2_grpc.OwnerServiceStub(caller.channel)
        caller.call(stub.RemoveOwner, owner_pb2.RemoveOwnerRequest(name=name))
    click.echo(f"{clean(name)} is removed")


def _add(caller: Caller, line: _Line) -> str:
    stub = owner_pb2_grpc.OwnerServiceStub(caller.channel)
    request = owner_pb2.AddOwnerRequest(name=line.name, most_bots=line.bots)
    return str(caller.call(stub.AddOwner, request).token)


def _all(caller: Caller, stub: Any) -> list[Any]:
    rows: list[Any] = []
    token = ""
    while True:
        page = caller.call(stub.ListOwners, owner_pb2.ListOwnersRequest(page_token=token))
        rows += page.owners
        token = page.next_page_token
        if not token:
            return rows


def _read(file: Path, bots: int) -> list[_Line]:
    """The owners in a file, in order and once each; BadFile says which line is wrong."""
    try:
        rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error) as problem:
        raise BadFile(f"{file} is not CSV in UTF-8: {problem}") from None
    if not rows or "name" not in rows[0]:
        raise BadFile(f'{file} has no owners; the first line names the columns, one is "name"')
    lines: dict[str, _Line] = {}
    for number, row in enumerate(rows, 2):
        name = (row["name"] or "").strip()
        wanted = (row.get("bots") or "").strip() or str(bots)
        if not name:
            raise BadFile(f"{file}: line {number} has no name")
        if not wanted.isdecimal() or not int(wanted):
            raise BadFile(f"{file}: line {number}: bots must be a number from 1, not {wanted!r}")
        lines.setdefault(name, _Line(name, int(wanted)))
    return list(lines.values())


def _secret(path: Path) -> io.TextIOWrapper:
    """A new file that only its owner can read."""
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BadFile(f"{path} exists already; name a new file, so that no token is lost") from None
    return io.TextIOWrapper(io.FileIO(opened, "w"), encoding="utf-8", newline="")


def _values(owner: Any) -> dict[str, Any]:
    return {
        "name": owner.name,
        "added": owner.added,
        "most_bots": owner.most_bots,
        "bots": list(owner.bots),
        "archive_bytes": owner.archive_bytes,
    }
