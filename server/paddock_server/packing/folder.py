"""The members of a folder: read from it in one order, and written into a new one."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from paddock_server.packing.ignore import Ignored
from paddock_server.packing.member import (
    CHUNK,
    ArchiveLimits,
    BadArchive,
    Checks,
    Kind,
    Member,
    shown,
)

FILE_MODE, PROGRAM_MODE, FOLDER_MODE = 0o644, 0o755, 0o755
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


def read_folder(folder: Path, limits: ArchiveLimits, ignored: Ignored) -> Iterator[Member]:
    """The members of a folder, sorted by path; raises BadArchive where one can't be handed in."""
    checks = Checks(limits)
    for path, entry in sorted(_walk(folder, ignored)):
        kind = _kind(path, entry)
        target = os.readlink(folder / path) if kind is Kind.LINK else ""
        checks.admit(path, kind, target)
        if kind is not Kind.FILE:
            yield Member(path, kind, target=target)
            continue
        executable = bool(entry.st_mode & 0o100)
        yield Member(path, kind, executable, _content(folder / path, checks))


def _walk(folder: Path, ignored: Ignored, below: str = "") -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder / below) as entries:
        for entry in entries:
            path = f"{below}{entry.name}"
            is_folder = entry.is_dir(follow_symlinks=False)
            if ignored(path, folder=is_folder):
                continue
            yield path, entry.stat(follow_symlinks=False)
            if is_folder:
                yield from _walk(folder, ignored, f"{path}/")


def _kind(path: str, found: os.stat_result) -> Kind:
    if stat.S_ISREG(found.st_mode):
        return Kind.FILE
    if stat.S_ISDIR(found.st_mode):
        return Kind.FOLDER
    if stat.S_ISLNK(found.st_mode):
        return Kind.LINK
    raise BadArchive(
        f"{shown(path)} is a device, a pipe or a socket; only files and folders can be handed in"
    )


def _content(path: Path, checks: Checks) -> Iterator[bytes]:
    with path.open("rb") as file:
        while data := file.read(CHUNK):
            checks.count(len(data))
            yield data


def write_folder(members: Iterator[Member], folder: Path) -> None:
    """Write the members into a new folder; on an error the folder is left as far as it came."""
    folder.mkdir(mode=FOLDER_MODE)  # new, so that nothing in it is anybody else's
    links = []
    for member in members:
        path = folder / member.path
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        if member.kind is Kind.FOLDER:
            path.mkdir(mode=FOLDER_MODE, exist_ok=True)
        elif member.kind is Kind.LINK:
            links.append((path, member.target))
        else:
            mode = PROGRAM_MODE if member.executable else FILE_MODE
            with os.fdopen(os.open(path, _NEW, mode), "wb") as file:
                for data in member.content:
                    file.write(data)
            path.chmod(mode)  # whatever the umask is
    for path, target in links:  # last, so that nothing is ever written through one
        path.symlink_to(target)
