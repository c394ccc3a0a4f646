"""`paddock tournament export --html`: a tournament's pages as a folder for any web server."""

import asyncio
import time
from pathlib import Path

import click

from paddock_server.basics.wording import counted
from paddock_server.cli.folders import Folder, folder_whole
from paddock_server.cli.remote import Refused
from paddock_server.cli.terminal import clean, progress
from paddock_server.store.database import Database
from paddock_server.web.publication import INDEX, Publication
from paddock_server.web.visit import Wrong


def publish(name: str, path: Path, db: str, *, force: bool) -> None:
    """Write the pages, and print which file to open."""
    database = Database(db, reading=True)
    try:
        with folder_whole(path, force=force) as folder:
            matches = asyncio.run(_write(Publication(database, name), folder))
    except Wrong as problem:
        raise Refused(f"{clean(name)}: {problem.sentence}") from None
    finally:
        database.close()
    many = counted(matches, "match", "matches")
    click.echo(f"{clean(name)} with {many} is in {path}; open {path / INDEX}")


async def _write(publication: Publication, folder: Folder) -> int:
    with progress("pages") as bar:
        task = bar.add_task("", total=None, rate="")
        bar.update(task, total=await publication.plan())
        began = time.monotonic()
        async for file in publication.files():
            folder.write(file.name, file.content)
            rate = (bar.tasks[0].completed + 1) / max(time.monotonic() - began, 1e-9)
            bar.update(task, advance=1, rate=f"{rate:,.0f} files/s")
    return publication.matches
