"""The options --toolchain and --mirror of commands that build bots, or have them built."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from paddock_server.hosting.mirror import check_hidden, read_mirror
from paddock_server.jails.confined import Toolchain
from paddock_server.jails.roots import distinct, read_root
from paddock_server.jails.toolchains import find_toolchains


def toolchain_options(command: Any) -> Any:
    """The options of a command that builds bots."""
    command = click.option(
        "--mirror", metavar="SOCKET", callback=_mirror, help="A Unix socket that builds may reach, "
        "and nothing else: a mirror of packages. Builds have no network if not given.",
    )(command)  # fmt: skip
    return click.option(
        "--toolchain", "roots", multiple=True, metavar="NAME:LANGUAGE=ROOT", callback=_roots,
        help="A folder with a root file system, such as an unpacked image, as a toolchain; may be "
        "given more than once. It goes before what is found on the machine.",
    )(command)  # fmt: skip


def as_words(roots: Sequence[Toolchain], mirror: Path | None) -> list[str]:
    """These options again, for a process of its own."""
    words = [f"--toolchain={root.name}:{root.language}={root.root}" for root in roots]
    return [*words, f"--mirror={mirror}"] if mirror else words


def toolchains_beside(mirror: Path | None, roots: Sequence[Toolchain]) -> list[Toolchain]:
    """These roots and the toolchains of this machine, if none of them shows the mirror."""
    found = find_toolchains(roots)
    if mirror is not None:
        try:
            check_hidden(mirror, found)
        except ValueError as problem:
            raise click.BadParameter(str(problem), param_hint="--mirror") from None
    return found


def _roots(_context: Any, _option: Any, given: Sequence[str]) -> list[Toolchain]:
    try:
        return distinct([read_root(each) for each in given])
    except ValueError as problem:
        raise click.BadParameter(str(problem)) from None


def _mirror(_context: Any, _option: Any, given: str | None) -> Path | None:
    try:
        return read_mirror(given) if given is not None else None
    except ValueError as problem:
        raise click.BadParameter(str(problem)) from None
