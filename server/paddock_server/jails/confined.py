"""A confined command: the program, the folders that it sees, and its limits."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from paddock_server.basics.errors import ServerError

MB: Final = 1 << 20
BOT_FOLDER: Final = "/bot"
"""Where a jail shows the folder of a bot."""

FORWARDED_PORT: Final = 8080
"""The port of a jail's loopback that leads to a forwarded socket, where there is one."""


class CannotJail(ServerError):
    """Raised when a jail can't be made; the text says what is missing and what to do."""

    reason = "jail/unusable"


class JailLimits(NamedTuple):
    """The limits of one jail."""

    memory_mb: int = 256  # of all processes together, with what they keep in /tmp
    processes: int = 64  # threads count
    files: int = 256  # open at once in one process
    tmp_mb: int = 64  # in /tmp and /dev/shm together
    tmp_inodes: int = 2000  # files and folders there
    cpu_seconds: int | None = None  # of one process
    wall_seconds: float | None = None  # from the start


class Bind(NamedTuple):
    """A file or folder of the host that a jail shows."""

    source: Path
    target: str  # the path in the jail
    writable: bool = False


class Cpu(NamedTuple):
    """The processors of a jail."""

    cores: tuple[int, ...] = ()  # on which alone it runs; empty: on all
    share: float = 0.0  # of a core at most, such as 0.5; 0: as much as is free
    last: bool = False  # whether it gets only what other jails leave


class Toolchain(NamedTuple):
    """The programs and libraries that a jail shows, read only."""

    name: str  # such as python-3.11
    language: str
    binds: tuple[Bind, ...]
    path: tuple[str, ...] = ("/usr/local/bin", "/usr/bin", "/bin")  # where programs are found
    env: Mapping[str, str] = MappingProxyType({})
    root: Path | None = None  # a root that is named, which the binds show; None: that of the host
    sha256: str = ""  # of that root


class Confined(NamedTuple):
    """A program for a jail. Its environment is `env` and what the jail sets; nothing of ours."""

    command: tuple[str, ...]
    toolchain: Toolchain
    binds: tuple[Bind, ...] = ()
    folder: str = BOT_FOLDER  # the working folder, in the jail
    env: Mapping[str, str] = MappingProxyType({})
    limits: JailLimits = JailLimits()
    cpu: Cpu = Cpu()
    forwarded: Path | None = None  # a Unix socket of the host, at a port of the jail's loopback


class Usage(NamedTuple):
    """The processor time and memory of the processes of a jail that run."""

    cpu_seconds: float
    memory_bytes: int
