"""Folders that commands write: complete or not at all, without losing other files."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from paddock_server.cli.files import open_to_all

CONTENTS: Final = ".paddock-export"
"""The file that lists what a command wrote into a folder."""


class Folder:
    """A folder that is being written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names: list[str] = []

    def write(self, name: str, content: bytes) -> None:
        """Add a file; the name may have folders in it."""
        target = self._path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        self._names.append(name)

    def finish(self) -> None:
        """Write the list of its files."""
        (self._path / CONTENTS).write_text("".join(f"{name}\n" for name in sorted(self._names)))
        self._path.chmod(open_to_all(0o777))


@contextmanager
def folder_whole(path: Path, *, force: bool) -> Iterator[Folder]:
    """A folder that appears under its name when all of it is written.

    An existing folder is replaced if it is empty or was written like this; with `force` always.
    """
    target = path.resolve()
    if not force:
        _check_ours(target, path)
    if target.exists() and not target.is_dir():
        raise click.ClickException(f"{path} is a file; name a folder")
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        folder = Folder(aside / "new")
        (aside / "new").mkdir()
        yield folder
        folder.finish()
        if target.exists():
            os.rename(target, aside / "old")
        os.rename(aside / "new", target)
    finally:
        if (aside / "old").exists() and not target.exists():
            os.rename(aside / "old", target)
        shutil.rmtree(aside, ignore_errors=True)


def _check_ours(target: Path, shown: Path) -> None:
    if not target.is_dir():
        return
    there = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    listed = target / CONTENTS
    ours = set(listed.read_text().splitlines()) if listed.is_file() else set()
    strange = sorted(there - ours - {CONTENTS})
    if strange:
        more = f" and {len(strange) - 1:,} more" if len(strange) > 1 else ""
        raise click.ClickException(
            f"{shown} contains {strange[0]}{more}, which this command did not write; "
            "name another folder, or replace all of it with --force"
        )
