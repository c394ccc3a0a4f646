"""Roots: root file systems that the operator names as toolchains, such as unpacked images."""

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from stat import S_ISLNK, S_ISREG
from types import MappingProxyType
from typing import Final

from paddock_server.jails.confined import Bind, Toolchain

PYTHON_ENV: Final = MappingProxyType({"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"})
"""The environment of Python in a jail: where it may not write, and what it prints is read."""

_PATTERN: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._+-]{0,39}):([^=:\s]{1,24})=(.+)")
_NOT_SHOWN: Final = {"dev", "proc", "sys", "tmp", "run", "boot", "mnt", "media", "lost+found"}
_PLACES: Final = (
    "usr/local/bin", "usr/bin", "bin",
    "usr/local/go/bin", "usr/local/rustup/toolchains/*/bin", "usr/local/cargo/bin",
    "usr/lib/jvm/*/bin", "opt/*/bin", "opt/*/*/bin",
)  # fmt: skip
"""Where images have the programs of their languages."""


def read_root(text: str) -> Toolchain:
    """The toolchain of `NAME:LANGUAGE=ROOT`; raises ValueError with a sentence."""
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not NAME:LANGUAGE=ROOT, such as go-1.24:Go=/srv/roots/go")
    name, language, place = match.groups()
    root = Path(place).resolve()
    if not root.is_dir():
        raise ValueError(f"{place} is not a folder; name the top folder of an unpacked image")
    if _has_home(root):
        raise ValueError(f"a jail would show all of {root}; name a folder that has nothing else")
    if not any((root / folder).is_dir() for folder in ("bin", "usr/bin")):
        raise ValueError(
            f"{root} has no bin and no usr/bin; name the top folder of an unpacked image"
        )
    binds = tuple(
        Bind(path, f"/{path.name}")
        for path in shown(root)
        if path.is_dir() and not path.is_symlink()
    )
    places = (place for pattern in _PLACES for place in sorted(root.glob(pattern)))
    path = tuple(f"/{place.relative_to(root)}" for place in places)
    return Toolchain(name, language, binds, path, PYTHON_ENV, root=root)


def _has_home(root: Path) -> bool:
    """Whether the home of whoever runs this is in a folder."""
    try:
        return Path.home().is_relative_to(root)
    except RuntimeError:  # there is none
        return False


def shown(root: Path) -> list[Path]:
    """What a jail shows of the top folder of a root."""
    return [root / name for name in sorted(os.listdir(root)) if name not in _NOT_SHOWN]


def distinct(roots: Sequence[Toolchain]) -> list[Toolchain]:
    """The roots, if each has a name of its own; else raises ValueError with a sentence."""
    names = [root.name for root in roots]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two toolchains are called {name}; give each a name of its own")
    return list(roots)


def fingerprint(root: Path) -> str:
    """The SHA-256 of all that a jail shows of a root: names, modes and contents.

    It takes as long as it takes to read the root once. What this process may not read counts by
    its name.
    """
    total = hashlib.sha256()
    for top in shown(root):
        for path in _below(top):
            mode = path.lstat().st_mode
            name = os.fsencode(path.relative_to(root))
            total.update(b"%s\0%o\0%s\0" % (name, mode, _content(path, mode)))
    return total.hexdigest()


def _below(top: Path) -> Iterator[Path]:
    """A file or folder and all that is in it, always in the same order."""
    yield top
    if top.is_symlink() or not top.is_dir():
        return
    for folder, folders, files in os.walk(top):
        folders.sort()
        for name in sorted((*folders, *files)):
            yield Path(folder, name)


def _content(path: Path, mode: int) -> bytes:
    """The digest of a file, or the target of a link; nothing for all else."""
    if S_ISLNK(mode):
        return os.fsencode(os.readlink(path))
    if not S_ISREG(mode):
        return b""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return b"-"
