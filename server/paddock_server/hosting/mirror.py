"""A mirror of packages: a Unix socket of the operator's, which builds may reach and bots may not.

Behind it is an HTTP server with a folder for each kind of packages. In the jail of a build it is at
an address of the jail's own loopback, and the package managers are told so.
"""

import asyncio
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from paddock_server.jails.confined import FORWARDED_PORT, CannotJail, Toolchain
from paddock_server.jails.forwarder import reach
from paddock_server.jails.walls import folders_of

ADDRESS: Final = f"http://127.0.0.1:{FORWARDED_PORT}"
"""Where a build finds the mirror."""

_ANSWER_SECONDS: Final = 10.0
_LONGEST: Final = 107  # bytes that the system takes as the path of a socket
_ALWAYS: Final = {
    "GOTOOLCHAIN": "local",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "npm_config_update_notifier": "false",
}
OFFLINE: Final[Mapping[str, str]] = MappingProxyType(
    {
        **_ALWAYS,
        "CARGO_NET_OFFLINE": "true",
        "GOFLAGS": "-mod=vendor",
        "GOPROXY": "off",
        "PIP_NO_INDEX": "1",
        "npm_config_offline": "true",
    }
)
"""What tells package managers that there is no network, so that they fail at once and say so."""

MIRRORED: Final[Mapping[str, str]] = MappingProxyType(
    {
        **_ALWAYS,
        "GOPROXY": f"{ADDRESS}/go",
        "GOSUMDB": "off",  # the mirror answers for what go.sum does not name
        "MAVEN_OPTS": "-Duser.home=/tmp",  # Java does not ask HOME
        "PADDOCK_MIRROR": ADDRESS,  # for every other package manager
        "PIP_INDEX_URL": f"{ADDRESS}/pypi/simple/",
        "npm_config_audit": "false",
        "npm_config_fund": "false",
        "npm_config_registry": f"{ADDRESS}/npm/",
        "npm_config_replace_registry_host": "always",  # also where a lock file names another
    }
)
"""What tells package managers where the mirror is."""

SETTINGS: Final = f"""mkdir -p /tmp/.cargo /tmp/.m2
cat > /tmp/.cargo/config.toml <<'END'
[source.crates-io]
replace-with = "mirror"
[source.mirror]
registry = "sparse+{ADDRESS}/cargo/"
END
cat > /tmp/.m2/settings.xml <<'END'
<settings><mirrors><mirror>
<id>mirror</id><mirrorOf>*</mirrorOf><url>{ADDRESS}/maven/</url>
</mirror></mirrors></settings>
END
"""
"""The part of a build's script for those that take no such word from the environment."""


def read_mirror(text: str) -> Path:
    """The socket at this path; raises ValueError with a sentence."""
    path = Path(text).absolute()
    if len(os.fsencode(path)) > _LONGEST:
        raise ValueError(f"the path of {text} is too long for a socket: {_LONGEST} bytes at most")
    try:
        is_socket = stat.S_ISSOCK(path.stat().st_mode)
    except OSError as problem:
        raise ValueError(f"{text}: {problem.strerror}; start the mirror first") from None
    if not is_socket:
        raise ValueError(f"{text} is not a Unix socket; name the one that the mirror listens on")
    return path


def check_hidden(path: Path, toolchains: Sequence[Toolchain]) -> None:
    """Raise ValueError with a sentence where jails would show the socket: bots could connect."""
    for toolchain in toolchains:
        for folder in folders_of(toolchain):
            if path.resolve().is_relative_to(folder.resolve()):
                raise ValueError(
                    f"all jails of {toolchain.name} show {folder}, and so the mirror {path}; "
                    "have it listen in another folder"
                )


async def check_mirror(path: Path) -> None:
    """Raise CannotJail where nobody answers: no build is to blame for that."""
    try:
        async with asyncio.timeout(_ANSWER_SECONDS):
            answered = await _answers(path)
    except TimeoutError:
        answered = False
    except OSError as problem:
        raise CannotJail(f"the mirror {path} can't be reached: {problem.strerror}") from None
    if not answered:
        raise CannotJail(f"the mirror {path} does not answer; see whether it still works")


async def _answers(path: Path) -> bool:
    """Whether there is an answer, whatever it is."""
    reader, writer = await reach(str(path))
    try:
        writer.write(b"HEAD / HTTP/1.1\r\nHost: mirror\r\nConnection: close\r\n\r\n")
        return bool(await reader.read(1))
    finally:
        writer.close()
