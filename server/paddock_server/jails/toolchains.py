"""The toolchains of this machine: found by presence, or root file systems that are named."""

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from paddock_server.jails.confined import Bind, Toolchain
from paddock_server.jails.roots import PYTHON_ENV, fingerprint

_HOST_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")
_ASK_SECONDS: Final = 20.0
_CONFIGURATION: Final = ("etc/java-*", "etc/maven")  # which Debian's Java can't do without


class _Language(NamedTuple):
    name: str
    program: str
    version: str  # the option that asks for its version
    home: tuple[str, ...] = ()  # the options that ask for the folder of its toolchain


_LANGUAGES: Final = (
    _Language("Node", "node", "--version"),
    _Language("Go", "go", "version", ("env", "GOROOT")),
    _Language("Rust", "rustc", "--version", ("--print", "sysroot")),
    _Language("Java", "java", "-version"),
    _Language("C++", "c++", "--version"),
)
_VERSION: Final = re.compile(r"(\d+)(?:\.(\d+))?")


def host() -> Toolchain:
    """The programs under /usr, for any language."""
    return Toolchain("host", "any", ())


def python() -> Toolchain:
    """The Python that runs Paddock, with the SDK."""
    prefixes = [Path(sys.prefix), Path(sys.base_prefix)]
    # Where a package is installed for development, its folder is elsewhere.
    folders = _outermost([*prefixes, *_packages()])
    seen = tuple(Bind(folder, str(folder)) for folder in folders if not _is_under_usr(folder))
    scripts = dict.fromkeys((sysconfig.get_path("scripts"), str(Path(sys.base_prefix) / "bin")))
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Toolchain(f"python-{version}", "Python", seen, (*scripts, *_HOST_PATH), PYTHON_ENV)


def _packages() -> Iterator[Path]:
    for name in ("paddock", "paddock_games", "paddock_wire", "paddock_server"):
        spec = find_spec(name)
        for folder in (spec and spec.submodule_search_locations) or ():
            yield Path(folder).parent


def find_toolchains(roots: Sequence[Toolchain] = ()) -> list[Toolchain]:
    """All toolchains: the roots that are named, then Python, and what else is on this machine.

    A root goes before what was found for its language, and takes the place of its name.
    """
    named = [
        root._replace(sha256=fingerprint(root.root)) for root in roots if root.root is not None
    ]
    names = {root.name for root in named}
    found = [python(), *_present(), host()]
    return [*named, *(each for each in found if each.name not in names)]


def _present() -> Iterator[Toolchain]:
    for language in _LANGUAGES:
        program = shutil.which(language.program)
        version = _VERSION.search(_answer(program, language.version)) if program else None
        if program is None or version is None:
            continue
        home = Path(program).resolve().parents[1]
        if language.home:  # the program may be one that chooses among several toolchains
            home = Path(_answer(program, *language.home).strip() or home)
        folders = [] if _is_under_usr(home) else [home]
        if Path.home().is_relative_to(home):
            continue  # a jail must not show all that a user has
        if language.name == "Java":
            folders += (found for each in _CONFIGURATION for found in Path("/").glob(each))
        number = ".".join(part for part in version.groups() if part is not None)
        binds = tuple(Bind(folder, str(folder)) for folder in folders)
        path = tuple(dict.fromkeys((str(home / "bin"), *_HOST_PATH)))
        yield Toolchain(f"{language.name.lower()}-{number}", language.name, binds, path)


def _answer(program: str, *options: str) -> str:
    """What a program prints; nothing where it can't be asked."""
    try:
        done = subprocess.run(  # noqa: S603 -- a program of this machine
            [program, *options], capture_output=True, text=True, timeout=_ASK_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout or done.stderr


def _outermost(folders: Sequence[Path]) -> list[Path]:
    """The folders that are not inside another of them, each once."""
    resolved = list(dict.fromkeys(folder.resolve() for folder in folders))
    named = list(dict.fromkeys([*folders, *resolved]))
    return [
        folder
        for folder in named
        if not any(other != folder and folder.is_relative_to(other) for other in named)
    ]


def _is_under_usr(folder: Path) -> bool:
    return folder.is_relative_to("/usr")
