"""`paddock db`: what an operator does with whole databases."""

import click

from paddock_server.cli.terminal import progress
from paddock_server.store.copying import copy_database


@click.group()
def db() -> None:
    """Copy a database to another kind of database."""


@db.command()
@click.argument("source", metavar="SQLITE")
@click.argument("target", metavar="POSTGRESQL")
def copy(source: str, target: str) -> None:
    """Copy the database SQLITE, a file, to the empty database POSTGRESQL.

    Stop the server first. Everything is copied in one transaction and read back in it: bots with
    their tokens, matches, records, journals, ladders, tournaments. Then the ladders are computed
    again from the copy, and must be the same as from the file. If anything fails, the target stays
    empty. The file does not change.
    """
    with progress("copying") as bar:
        task = bar.add_task("", rate="")

        def tell(what: str, done: int, of: int) -> None:
            bar.update(task, completed=done, total=of, rate=what)

        copied = copy_database(source, target, tell)
    rows = sum(copied.tables.values())
    click.echo(
        f"{source} was copied: {rows:,} rows of {len(copied.tables)} tables, "
        f"{copied.tables['matches']:,} matches"
    )
    equal = copied.ladders - len(copied.differing)
    click.echo(f"{equal} of {copied.ladders} ladders are equal to the stored ones, computed again")
    for name in copied.differing:
        click.echo(
            f"{name}: computed again from the file and from the copy, the ratings are the same, "
            "but not the stored ones; its bots changed owners, or were removed"
        )
