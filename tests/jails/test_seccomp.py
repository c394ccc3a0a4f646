"""Our filter says what libseccomp's says, for both architectures and every call."""

import errno
import os

import pyseccomp
import pytest

from paddock_server.jails.seccomp import ALLOW, FAMILIES, KILL, NEW_NAMESPACES, program, refusal
from paddock_server.jails.syscalls import CLONE3, FIRST_UNKNOWN, MACHINES, REFUSED
from tests.jails.bpf import Call, verdict

ARCHES = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}
TYPING = (0x5412, 0x541C)
OWN_CORE = 62


def _theirs(machine: str) -> bytes:
    """The same rules, told to libseccomp."""
    made = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    arch = ARCHES[machine]
    if arch not in (pyseccomp.Arch.NATIVE, pyseccomp.system_arch()):
        made.add_arch(arch)
        made.remove_arch(pyseccomp.system_arch())
    no = pyseccomp.ERRNO(errno.EPERM)
    for name in REFUSED[machine]:
        made.add_rule(no, name)
    made.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    for bit in (1 << n for n in range(32) if NEW_NAMESPACES >> n & 1):
        made.add_rule(no, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, bit, bit))
    other = pyseccomp.ERRNO(errno.EAFNOSUPPORT)
    low = 0
    for known in FAMILIES:
        for between in range(low, known):
            made.add_rule(other, "socket", pyseccomp.Arg(0, pyseccomp.EQ, between))
        low = known + 1
    made.add_rule(other, "socket", pyseccomp.Arg(0, pyseccomp.GE, low))
    for request in TYPING:
        made.add_rule(no, "ioctl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 0xFFFFFFFF, request))
    own_core = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, 0xFFFFFFFF, OWN_CORE)
    made.add_rule(no, "prctl", own_core)
    file = os.memfd_create("bpf")
    with os.fdopen(file, "w+b") as out:
        made.export_bpf(out)
        return os.pread(file, 1 << 20, 0)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_verdicts_are_those_of_libseccomp(machine: str) -> None:
    ours, theirs, arch = program(machine), _theirs(machine), MACHINES[machine].audit
    arguments = [
        (), *((first,) for first in range(70)), *((1 << bit,) for bit in range(32)),
        *((0, request) for request in (*TYPING, 0x5413, 0)),
    ]  # fmt: skip
    for number in range(FIRST_UNKNOWN):
        for given in arguments if number in MACHINES[machine][2:] else arguments[:1]:
            call = Call(number, arch, given)
            assert verdict(ours, call) == verdict(theirs, call), call


@pytest.mark.parametrize("machine", MACHINES)
def test_what_the_filter_does_not_know_is_refused(machine: str) -> None:
    filter_, arch = program(machine), MACHINES[machine].audit
    nothing = refusal(errno.ENOSYS)
    for number in (FIRST_UNKNOWN, 600, 0x40000000, 0x40000000 + 41, CLONE3):
        assert verdict(filter_, Call(number, arch)) == nothing
    other = next(each.audit for name, each in MACHINES.items() if name != machine)
    assert verdict(filter_, Call(0, other)) == KILL
    assert verdict(filter_, Call(0, 0x40000003)) == KILL  # 32 bits: the same numbers mean others


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_the_kernels(machine: str) -> None:
    for name, number in REFUSED[machine].items():
        assert pyseccomp.resolve_syscall(ARCHES[machine], name) == number
    numbers = MACHINES[machine]
    for name in ("clone", "socket", "ioctl", "prctl"):
        assert pyseccomp.resolve_syscall(ARCHES[machine], name) == getattr(numbers, name)


def test_the_filter_is_small() -> None:
    for machine in MACHINES:
        assert len(program(machine)) < 8 * 250
    assert verdict(program("x86_64"), Call(0, MACHINES["x86_64"].audit)) == ALLOW
