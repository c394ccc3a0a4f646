"""The cgroup controllers in which this process may make groups: v2, or v1 where that is mounted.

A group belongs to whoever made it. So a controller counts where our own group is the root of its
hierarchy, or where the keeper of the groups has marked ours as delegated, as systemd does for a
unit with Delegate=yes. A group of v2 with groups below has no processes of its own, so who makes
the first jail moves all of them aside, into a group below. Whatever begins there belongs to the
group above.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

ASIDE: Final = "paddock-itself"
"""The group of v2 into which the processes of a group are moved."""
WANTED: Final = ("memory", "pids", "cpu", "cpuset", "cpuacct")  # v2 counts without the last
_MARKS: Final = ("user.delegate", "trusted.delegate")


class Controller(NamedTuple):
    """A controller that can be used: its version, and the folder of our own group."""

    version: int
    folder: Path


class Controllers(NamedTuple):
    """The controllers that can be used, and why others can't be."""

    found: Mapping[str, Controller]
    missing: Mapping[str, str]

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions that are in use."""
        return tuple(sorted({each.version for each in self.found.values()}))


class _Hierarchy(NamedTuple):
    version: int
    names: tuple[str, ...]
    folder: Path
    is_root: bool


def find_controllers() -> Controllers:
    """The controllers of this process."""
    found: dict[str, Controller] = {}
    missing = dict.fromkeys(WANTED, "it is not mounted")
    for hierarchy in sorted(_hierarchies(), key=lambda each: -each.version):
        for name in hierarchy.names:
            if name in found or name not in WANTED:
                continue
            if not hierarchy.is_root and not _is_delegated(hierarchy.folder):
                missing[name] = f"our group {hierarchy.folder} is not delegated to us"
            elif not os.access(hierarchy.folder, os.W_OK):
                missing[name] = f"we may not write to {hierarchy.folder}"
            else:
                found[name] = Controller(hierarchy.version, hierarchy.folder)
                missing.pop(name, None)
    return Controllers(found, missing)


def _hierarchies() -> Iterator[_Hierarchy]:
    """The hierarchies that are mounted, each with the folder of our own group."""
    places = dict(_mounts())
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, names, path = line.split(":", 2)
            if names not in places or names.startswith("name="):
                continue
            if not names and path.endswith(f"/{ASIDE}"):
                path = str(PurePosixPath(path).parent)
            mount, root = places[names]
            inside = os.path.relpath(path, root)
            folder = mount if inside == "." else mount / inside
            if inside.startswith("..") or not folder.is_dir():
                continue
            if names:
                yield _Hierarchy(1, tuple(names.split(",")), folder, path == "/")
            else:
                known = tuple((folder / "cgroup.controllers").read_text().split())
                yield _Hierarchy(2, known, folder, path == "/")


def _mounts() -> Iterator[tuple[str, tuple[Path, str]]]:
    """Where hierarchies are mounted, and from which group on, by their controllers."""
    with suppress(OSError):
        for line in Path("/proc/self/mountinfo").read_text().splitlines():
            before, _, after = line.partition(" - ")
            kind, _, options = after.split(" ", 2)
            root, mount = before.split(" ")[3:5]
            if kind == "cgroup2":
                yield "", (Path(mount), root)
            elif kind == "cgroup":
                plain = {"rw", "ro", "xattr", "noprefix", "clone_children"}
                names = [name for name in options.split(",") if name not in plain]
                yield ",".join(names), (Path(mount), root)


def _is_delegated(folder: Path) -> bool:
    for mark in _MARKS:
        with suppress(OSError):
            if os.getxattr(folder, mark) == b"1":
                return True
    return False
