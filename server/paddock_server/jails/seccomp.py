"""The filter of system calls, as a program of the kernel's classic BPF.

It refuses calls by name and lets the rest through, so that every language's runtime works. Four
rules are more than a name: new namespaces, families of sockets, typing into a terminal, and having
a processor core for itself. Some calls harm nobody but those who share the machine: a bot that asks
the scheduler for short slices makes others wait, and `io_setup` takes from a number that all have.
"""

import errno
import struct
from collections.abc import Iterable
from typing import Final, NamedTuple

from paddock_server.jails.syscalls import CLONE3, FIRST_UNKNOWN, MACHINES

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_IF_ANY_BIT: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN: Final = 0x06  # BPF_RET | BPF_K

_NUMBER: Final = 0  # offsets in struct seccomp_data
_ARCH: Final = 4
_ARGUMENTS: Final = 16

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000  # SECCOMP_RET_KILL_PROCESS
_ERRNO: Final = 0x00050000

NEW_NAMESPACES: Final = 0x7E020000  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID and NET
FAMILIES: Final = (1, 2, 10, 16)
"""Unix, IPv4, IPv6 and netlink. The last three see an empty network. All others are refused: no
network namespace holds AF_VSOCK, which calls the host of a virtual machine."""
_TYPING: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_OWN_CORE: Final = 62  # PR_SCHED_CORE: nobody else runs on the other hyper-thread


class Instruction(NamedTuple):
    """An instruction: how many to skip if its condition is true, and if it is false."""

    code: int
    value: int
    if_true: int = 0
    if_false: int = 0

    @property
    def bytes(self) -> bytes:
        """As the kernel reads it: struct sock_filter."""
        return struct.pack("=HBBI", self.code, self.if_true, self.if_false, self.value)


def refusal(number: int) -> int:
    """The verdict that makes a call fail with this errno."""
    return _ERRNO | number


def _when(condition: int, value: int, then: Iterable[Instruction]) -> list[Instruction]:
    """Instructions for the case that a condition holds."""
    body = list(then)
    return [Instruction(condition, value, 0, len(body)), *body]


def _verdict(verdict: int) -> list[Instruction]:
    return [Instruction(_RETURN, verdict)]


def _argument(number: int) -> list[Instruction]:
    """Load the lower half of an argument: all of ours are of 32 bits."""
    return [Instruction(_LOAD, _ARGUMENTS + 8 * number)]


def instructions(machine_name: str) -> list[Instruction]:
    """The filter for an architecture: x86_64 or aarch64."""
    machine = MACHINES[machine_name]
    no = _verdict(refusal(errno.EPERM))
    yes = _verdict(ALLOW)
    unknown = _verdict(refusal(errno.ENOSYS))  # as on an older kernel: libraries know what to do
    other_families = _verdict(refusal(errno.EAFNOSUPPORT))
    filter_ = [Instruction(_LOAD, _ARCH), Instruction(_IF_EQUAL, machine.audit, 1, 0)]
    filter_ += _verdict(KILL)  # calls of another architecture have other numbers
    filter_ += [Instruction(_LOAD, _NUMBER)]
    filter_ += _when(_IF_AT_LEAST, FIRST_UNKNOWN, unknown)  # so does x32, from 2^30 on
    for number in machine.refused:
        filter_ += _when(_IF_EQUAL, number, no)
    # The flags of clone3 are behind a pointer, which no filter can follow; libc then uses clone.
    filter_ += _when(_IF_EQUAL, CLONE3, unknown)
    namespaces = [*_argument(0), *_when(_IF_ANY_BIT, NEW_NAMESPACES, no), *yes]
    filter_ += _when(_IF_EQUAL, machine.clone, namespaces)
    families = _argument(0)
    for family in FAMILIES:
        families += _when(_IF_EQUAL, family, yes)
    filter_ += _when(_IF_EQUAL, machine.socket, [*families, *other_families])
    requests = _argument(1)
    for request in _TYPING:
        requests += _when(_IF_EQUAL, request, no)
    filter_ += _when(_IF_EQUAL, machine.ioctl, [*requests, *yes])
    own_core = [*_argument(0), *_when(_IF_EQUAL, _OWN_CORE, no), *yes]
    filter_ += _when(_IF_EQUAL, machine.prctl, own_core)
    return filter_ + yes


def program(machine_name: str) -> bytes:
    """The filter as bytes, for `bwrap --seccomp`; KeyError for an unknown architecture."""
    return b"".join(each.bytes for each in instructions(machine_name))
