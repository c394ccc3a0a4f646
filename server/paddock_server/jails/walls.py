"""The walls of a jail: the arguments of bubblewrap."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from paddock_server.jails.confined import Bind, Confined, Toolchain
from paddock_server.jails.roots import shown

STAGE: Final = "/sys"
"""Where binds wait, in a mount namespace of its own: nothing that a bot may see is below it."""
TMP: Final = f"{STAGE}/tmp"  # noqa: S108 -- these two are limited together
SHM: Final = f"{STAGE}/shm"

_OUTSIDE: Final = ("usr", "bin", "lib", "lib32", "lib64", "libx32", "sbin")
_CONFIGURATION: Final = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/alternatives")
_NOBODY: Final = "65534"


def walls(what: Confined, binds: Sequence[Bind]) -> list[str]:
    """Bubblewrap's arguments: nothing of the host but the toolchain and these binds.

    The binds are sorted by target, so that one inside another comes later.
    """
    args = [
        "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent",
        "--new-session", "--clearenv", "--cap-drop", "ALL", "--hostname", "bot",
        "--uid", _NOBODY, "--gid", _NOBODY,
    ]  # fmt: skip
    if what.forwarded is not None:
        args.append("--share-net")  # with the forwarder, whose network is new, too
    args += _root(what.toolchain)
    args += ["--proc", "/proc", "--dev", "/dev", "--bind", SHM, "/dev/shm"]  # noqa: S108
    args += ["--remount-ro", "/dev"]  # else its tmpfs may grow to half of the machine's memory
    args += ["--bind", TMP, "/tmp"]  # noqa: S108 -- of the jail, not of the host
    for bind in sorted(binds, key=lambda each: each.target.count("/")):
        args += ["--bind" if bind.writable else "--ro-bind", str(bind.source), bind.target]
    args += ["--remount-ro", "/", "--chdir", what.folder]
    for key, value in environment(what).items():
        args += ["--setenv", key, value]
    return args


def folders_of(toolchain: Toolchain) -> list[Path]:
    """The folders of the host that every jail with this toolchain shows."""
    host = [] if toolchain.root else [Path("/", name) for name in _OUTSIDE]
    return [*host, *(bind.source for bind in toolchain.binds)]


def environment(what: Confined) -> dict[str, str]:
    """The whole environment of the program."""
    return {
        "PATH": ":".join(what.toolchain.path),
        "HOME": "/tmp",  # noqa: S108 -- the only folder where it can write
        "LANG": "C.UTF-8",
        **what.toolchain.env,
        **what.env,
    }


def _root(toolchain: Toolchain) -> Iterator[str]:
    """The top of the root file system: that of the host, or the links of a root that is named,
    whose folders are binds."""
    top = shown(toolchain.root) if toolchain.root else [Path("/", name) for name in _OUTSIDE]
    for path in top:
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), f"/{path.name}")
        elif path.is_dir() and toolchain.root is None:
            yield from ("--ro-bind", str(path), f"/{path.name}")
    if toolchain.root is None:
        for file in _CONFIGURATION:
            yield from ("--ro-bind-try", file, file)
