"""`paddock backup`: a copy of the database, taken while the server runs."""

from pathlib import Path

import click

from paddock_server.store.backup import back_up


@click.command()
@click.option("--db", default="paddock.db", show_default=True, help="The database: a file.")
@click.argument("copy", metavar="COPY", type=Path)
def backup(db: str, copy: Path) -> None:
    """Copy a SQLite database to the new file COPY.

    The copy is complete and consistent, even while a server writes to the database; nothing has to
    stop. To restore, stop the server and start it with the copy. For PostgreSQL use pg_dump.
    """
    size = back_up(db, copy)
    click.echo(f"{copy} is a copy of {db}, {size / 1e6:,.1f} MB")
