"""A machine that QEMU starts: it has a kernel of its own, and the files of this one, read only."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import Timer
from typing import Final, NamedTuple

from tests.strict_machine.image import UP, Image, program

_UP_SECONDS: Final = 60.0  # a machine on processors of this one is up within a few
_FILES: Final = "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"


class Processors(NamedTuple):
    """Where the processors of a machine come from."""

    name: str
    options: tuple[str, ...]
    up_seconds: float


class NotUp(Exception):
    """Raised when a machine does not come up on such processors."""


def processors() -> tuple[Processors, ...]:
    """The processors to try, in this order; emulated ones may take their time."""
    emulated = Processors("emulated", ("-accel", "tcg,thread=multi", "-cpu", "max"), inf)
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return (emulated,)
    return Processors("KVM", ("-accel", "kvm", "-cpu", "host"), _UP_SECONDS), emulated


def run(image: Image, on: Processors, memory: int, seconds: float) -> Iterator[str]:
    """What a machine says once it is up, in parts; raises NotUp.

    It ends after so many seconds, whatever it does.
    """
    machine = subprocess.Popen(
        (
            program("qemu-system-x86_64", "qemu-system-x86"),
            *on.options, "-smp", "2", "-m", str(memory),
            "-nic", "none", "-vga", "none", "-display", "none", "-monitor", "none",
            "-serial", "stdio", "-no-reboot",
            "-kernel", image.kernel, "-initrd", image.first,
            "-append", "console=ttyS0 loglevel=2 panic=-1",
            "-virtfs", _FILES,
        ),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    parts = _parts(machine)
    until, up_seconds = time.monotonic() + seconds, min(on.up_seconds, seconds)
    try:
        with _at_most(machine, up_seconds):
            before = ""
            while UP not in before:
                part = next(parts, "")
                if not part:
                    last = before.strip().rpartition("\n")[2]
                    raise NotUp(last or f"it said nothing in {up_seconds:.0f} s")
                before += part
        with _at_most(machine, until - time.monotonic()):
            yield before.partition(UP)[2]
            yield from parts
    finally:
        machine.kill()
        machine.wait()


def _parts(machine: "subprocess.Popen[bytes]") -> Iterator[str]:
    """What it says, as soon as it says it."""
    assert machine.stdout is not None
    with machine.stdout as stream:
        while data := os.read(stream.fileno(), 4096):
            yield data.decode(errors="replace")


@contextmanager
def _at_most(machine: "subprocess.Popen[bytes]", seconds: float) -> Iterator[None]:
    """End a machine that takes longer."""
    timer = Timer(seconds, machine.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
