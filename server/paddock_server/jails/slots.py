"""Slots: each jail has a number of its own, and where the machine can, a uid of its own.

A slot is locked by the name of an abstract socket: the kernel frees it with the process, so two
runners on one machine never share a uid, and nothing is left of a runner that was killed.
"""

import os
import pwd
import secrets
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from paddock_server.jails.confined import CannotJail

_ROOT_UIDS: Final = range(60_578, 61_184)  # that systemd's documentation calls unused
_NO_UID: Final = -1
_TURNS: Final = count(secrets.randbelow(1_000_000))


class UidRange(NamedTuple):
    """The uids that jails may have, and who gives them."""

    uids: range
    by: str  # root, subuid or nobody

    @property
    def own(self) -> bool:
        """Whether each jail has a uid of its own."""
        return self.by != "nobody"


class Slot(NamedTuple):
    """The place of one jail."""

    number: int
    uid: int | None  # None: that of this process
    lock: socket.socket


class Slots:
    """The slots of this process."""

    def __init__(self, uids: UidRange, most: int) -> None:
        self._uids = uids
        self._most = most
        self._taken: set[int] = set()

    def __len__(self) -> int:
        return len(self._taken)

    def take(self) -> Slot:
        """A free slot; raises CannotJail where none is left."""
        number = next((n for n in range(self._most) if n not in self._taken), None)
        if number is None:
            raise CannotJail(f"all {self._most} slots for jails are taken; end one, or allow more")
        for uid in self._candidates():
            lock = socket.socket(socket.AF_UNIX)
            try:
                lock.bind(f"\0paddock-uid-{uid if uid != _NO_UID else f'{os.getpid()}-{number}'}")
            except OSError:  # another process has it
                lock.close()
                continue
            self._taken.add(number)
            return Slot(number, uid if uid != _NO_UID else None, lock)
        raise CannotJail("all uids for jails are taken by other processes; end some of them")

    def give_back(self, slot: Slot) -> None:
        """Free a slot whose processes are all gone."""
        self._taken.discard(slot.number)
        slot.lock.close()

    def _candidates(self) -> Iterator[int]:
        """The uids, another one first each time.

        Processes that have ended count against the limit of their uid until process 1 has buried
        them, which takes a while on some machines. Meanwhile their uid rests.
        """
        if not self._uids.own:
            return iter((_NO_UID,))
        uids = self._uids.uids
        turn = next(_TURNS) % len(uids)
        return iter((*uids[turn:], *uids[:turn]))


def uid_range() -> UidRange:
    """The uids that this process can give to jails."""
    if os.geteuid() == 0:
        return UidRange(_ROOT_UIDS, "root")
    ranges = [_subordinate(Path(f"/etc/sub{kind}id")) for kind in "ug"]
    both = range(max(r.start for r in ranges), min(r.stop for r in ranges))
    if not both or not all(Path(f"/usr/bin/new{kind}idmap").exists() for kind in "ug"):
        return UidRange(range(0), "nobody")
    return UidRange(both, "subuid")


def _subordinate(file: Path) -> range:
    """The first range of ids in this file that belongs to the user of this process."""
    uid = os.getuid()
    try:
        names = {str(uid), pwd.getpwuid(uid).pw_name}
        lines = file.read_text().splitlines()
    except (OSError, KeyError):
        return range(0)
    for line in lines:
        name, _, rest = line.partition(":")
        first, _, count = rest.partition(":")
        if name in names and first.isdigit() and count.isdigit():
            return range(int(first), int(first) + int(count))
    return range(0)
