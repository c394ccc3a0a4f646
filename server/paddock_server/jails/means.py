"""The means of this machine for making jails: programs, the filter, uids and control groups."""

import platform
import shutil
from typing import Final, NamedTuple

from paddock_server.jails.controllers import Controllers, find_controllers
from paddock_server.jails.seccomp import program
from paddock_server.jails.slots import UidRange, uid_range
from paddock_server.jails.syscalls import MACHINES

_PATH: Final = "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin"
PACKAGES: Final = {
    "bwrap": "bubblewrap",
    "unshare": "util-linux",
    "setpriv": "util-linux",
    "prlimit": "util-linux",
    "mount": "mount",
    "mkdir": "coreutils",
    "chown": "coreutils",
    "env": "coreutils",
    "sh": "dash",
}
"""The programs that make a jail, and the Debian packages that have them."""


class Means(NamedTuple):
    """The parts that this machine has for making jails."""

    tools: dict[str, str]  # the paths of the programs that are there
    filter: bytes  # of system calls; empty where this architecture has none
    uids: UidRange
    controllers: Controllers

    @property
    def lacking(self) -> list[str]:
        """The programs that are not there."""
        return [name for name in PACKAGES if name not in self.tools]


def find_means() -> Means:
    """The means of this machine."""
    tools = {name: path for name in PACKAGES if (path := shutil.which(name, path=_PATH))}
    machine = platform.machine()
    filter_ = program(machine) if machine in MACHINES else b""
    return Means(tools, filter_, uid_range(), find_controllers())
