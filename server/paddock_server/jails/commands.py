"""Commands of this machine in a jail: what a jail shows so that one works as it does outside."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from paddock_server.jails.confined import Bind, CannotJail, Confined, JailLimits, Toolchain
from paddock_server.jails.toolchains import find_toolchains, python


def everything() -> Toolchain:
    """All toolchains of this machine as one, for commands in any language; Python first."""
    found = find_toolchains()
    binds = dict.fromkeys(bind for each in found for bind in each.binds)
    path = dict.fromkeys(folder for each in found for folder in each.path)
    return Toolchain("host", "any", tuple(binds), tuple(path), python().env)


def confined_here(
    command: Sequence[str], toolchain: Toolchain, env: Mapping[str, str], limits: JailLimits
) -> Confined:
    """This command in a jail that shows the current folder and the folders of the files that the
    command names, read only and under the same names; raises CannotJail for a folder that has more
    than a bot."""
    folders = [Path.cwd(), *_named(command)]
    seen = [bind.source for bind in toolchain.binds]
    for folder in folders[1:]:
        _check(folder)
    # Where a command is given from the root or from home, the bot's files are elsewhere.
    shown = folders[1:] if _has_more(folders[0]) else folders
    binds = {
        str(folder): Bind(folder, str(folder))
        for folder in shown
        if not any(folder.is_relative_to(other) for other in (*seen, Path("/usr")))
    }
    working = str(folders[0]) if folders[0] in shown else "/"
    return Confined(
        tuple(command), toolchain, tuple(binds.values()), folder=working, env=env, limits=limits
    )


def _named(command: Sequence[str]) -> Iterator[Path]:
    """The folders of files that a command names, and of the Python environments among them."""
    for word in command:
        if os.sep not in word and not Path(word).is_file():
            continue
        path = Path(os.path.abspath(word))
        if path.is_file():
            yield path.parent
            yield path.resolve().parent
            environment = path.parent.parent
            if (environment / "pyvenv.cfg").is_file():
                yield environment
                yield path.resolve().parent.parent  # the Python that it is an environment of


def _has_more(folder: Path) -> bool:
    """Whether all that a user has is in a folder."""
    return Path.home().is_relative_to(folder)


def _check(folder: Path) -> None:
    if _has_more(folder):
        raise CannotJail(f"a jail would show all of {folder}; put the bot into a folder of its own")
