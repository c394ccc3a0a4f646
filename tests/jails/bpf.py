"""A kernel for classic BPF, in small: what a seccomp filter says to a system call."""

import struct
from typing import NamedTuple


class Call(NamedTuple):
    """A system call as a filter sees it: struct seccomp_data."""

    number: int
    arch: int
    arguments: tuple[int, ...] = ()

    @property
    def bytes(self) -> bytes:
        filled = (*self.arguments, 0, 0, 0, 0, 0, 0)[:6]
        return struct.pack("=iIQ6Q", self.number, self.arch, 0, *filled)


def verdict(program: bytes, call: Call) -> int:
    """What the program returns."""
    data = call.bytes
    lines = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    accumulator = at = 0
    while True:
        code, if_true, if_false, value = lines[at]
        at += 1
        match code:
            case 0x20:  # load a word
                (accumulator,) = struct.unpack_from("=I", data, value)
            case 0x05:  # jump
                at += value
            case 0x15:
                at += if_true if accumulator == value else if_false
            case 0x25:
                at += if_true if accumulator > value else if_false
            case 0x35:
                at += if_true if accumulator >= value else if_false
            case 0x45:
                at += if_true if accumulator & value else if_false
            case 0x54:  # and
                accumulator &= value
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")
