"""The launch of a jail: a chain of small programs, each of which becomes the next.

A shell enters the control groups. `unshare` gives it mounts of its own, where it puts a /tmp that
is limited in bytes and in files, and the folders that the jail's uid could not reach by itself.
Then it becomes the uid of the slot, takes on the limits, and becomes bubblewrap.
"""

import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from paddock_server.jails import forwarder
from paddock_server.jails.confined import FORWARDED_PORT, MB, Bind, Confined, JailLimits
from paddock_server.jails.means import Means
from paddock_server.jails.slots import Slot
from paddock_server.jails.walls import SHM, STAGE, TMP, walls

_SPARE_INODES: Final = 16  # for what is staged, and the folders themselves
_NOBODY: Final = 65534
_INSIDE_UID: Final = 1  # that the slot's uid has in the namespace of a plain user


class Launch(NamedTuple):
    """The script and the arguments that start a jail."""

    script: str  # for sh
    arguments: bytes  # of bubblewrap, each ended by a zero


class Descriptors(NamedTuple):
    """The file descriptors that bubblewrap reads."""

    arguments: int
    filter: int | None


def prepare(
    what: Confined, means: Means, slot: Slot, groups: Iterable[Path], descriptors: Descriptors
) -> Launch:
    """The launch of this program in this slot."""
    binds: list[Bind] = []
    staging: list[str] = []
    for number, bind in enumerate((*what.toolchain.binds, *what.binds)):
        if (slot.uid is None or _is_reachable(bind.source)) and not bind.writable:
            binds.append(bind)
            continue
        place = f"{STAGE}/{number}"
        staging += _stage(bind, place, means, slot)
        binds.append(bind._replace(source=Path(place)))
    arguments = walls(what, binds)
    if descriptors.filter is not None:
        arguments += ["--seccomp", str(descriptors.filter)]
    inner = _inner(what, means, slot, staging, descriptors)
    entering = [f"echo $$ > {shlex.quote(str(group / 'cgroup.procs'))}" for group in groups]
    network = ["--net"] if what.forwarded is not None else []
    unshare = [means.tools["unshare"], "--mount", *network, *_mapping(means, slot)]
    outer = ["set -e", *entering, f"exec {shlex.join([*unshare, means.tools['sh'], '-c', inner])}"]
    return Launch("\n".join(outer), b"".join(os.fsencode(a) + b"\0" for a in arguments))


def _inner(
    what: Confined,
    means: Means,
    slot: Slot,
    staging: Sequence[str],
    descriptors: Descriptors,
) -> str:
    """The script that runs with mounts of its own."""
    tools, limits = means.tools, what.limits
    options = f"size={limits.tmp_mb * MB},nr_inodes={limits.tmp_inodes + _SPARE_INODES},mode=0755"
    become = []
    if slot.uid is not None:
        uid = str(slot.uid if means.uids.by == "root" else _INSIDE_UID)
        become = [tools["setpriv"], "--reuid", uid, "--regid", uid, "--clear-groups"]
    chain = [
        *_forwarding(what.forwarded, means),
        *become,
        *(tools["env"], "-i"),  # process 1 of the jail keeps what bubblewrap was started with
        tools["prlimit"], *_rlimits(limits, counted="memory" in means.controllers.found),
        tools["bwrap"], "--args", str(descriptors.arguments), "--", *what.command,
    ]  # fmt: skip
    lines = [
        "set -e",
        shlex.join([tools["mount"], "-t", "tmpfs", "-o", options, "tmpfs", STAGE]),
        shlex.join([tools["mkdir"], "-m", "1777", TMP, SHM]),
        *staging,
        f"exec {shlex.join(chain)}",
    ]
    return "\n".join(lines)


def _forwarding(forwarded: Path | None, means: Means) -> list[str]:
    """The start of the forwarder of a socket, which becomes the rest of the chain."""
    if forwarded is None:
        return []
    owner = ""  # a plain user may become nobody else
    if means.uids.by == "root":
        owner = _owner(forwarded)
    program = str(Path(forwarder.__file__))
    return [sys.executable, "-I", "-S", program, str(forwarded), str(FORWARDED_PORT), owner]


def _owner(path: Path) -> str:
    """The uid and gid of a socket, who may connect to it; of nobody where there is none."""
    try:
        status = path.stat()
    except OSError:
        return f"{_NOBODY}:{_NOBODY}"
    return f"{status.st_uid}:{status.st_gid}"


def _stage(bind: Bind, place: str, means: Means, slot: Slot) -> list[str]:
    """Show a file or folder where the jail's uid can reach it."""
    empty = [means.tools["mkdir"], place] if bind.source.is_dir() else None
    lines = [shlex.join(empty) if empty else f": > {place}"]
    lines.append(shlex.join([means.tools["mount"], "--rbind", str(bind.source), place]))
    if bind.writable and slot.uid is not None:
        uid = slot.uid if means.uids.by == "root" else _INSIDE_UID
        lines.append(shlex.join([means.tools["chown"], f"{uid}:{uid}", place]))
    return lines


def _mapping(means: Means, slot: Slot) -> list[str]:
    """How a plain user becomes the root of a namespace, with the slot's uid in it."""
    if means.uids.by == "root":
        return []
    alone = ["--user", "--map-root-user"]
    if slot.uid is None:
        return alone
    both = f"{slot.uid},{_INSIDE_UID},1"
    return [*alone, f"--map-users={both}", f"--map-groups={both}"]


def _rlimits(limits: JailLimits, *, counted: bool) -> list[str]:
    """The limits of each process; RLIMIT_AS is not among them, since runtimes reserve much more
    than they use. Where a control group counts memory, RLIMIT_DATA would only be in the way."""
    values = {
        "core": 1,  # 0 forbids no core that is piped to a program of the host; 1 forbids both
        "nproc": limits.processes + 2,  # bubblewrap's own come on top
        "nofile": limits.files,
        "fsize": limits.tmp_mb * MB,
        "memlock": 0,
        "msgqueue": 0,
        "sigpending": 256,
    }
    if not counted:
        values["data"] = limits.memory_mb * MB
    options = [f"--{name}={value}:{value}" for name, value in values.items()]
    if limits.cpu_seconds is not None:
        options.append(f"--cpu={limits.cpu_seconds}:{limits.cpu_seconds + 1}")
    return options


def _is_reachable(path: Path) -> bool:
    """Whether everybody may go to this path."""
    try:
        return all(parent.stat().st_mode & 0o001 for parent in path.resolve().parents)
    except OSError:
        return False
