"""Unpacking in two processes: one reads an archive, in a jail; the other writes the files.

`python -m paddock_server.packing.unpacking` is the first one. It reads an archive on stdin and
writes its members on stdout in a form that is simple to read: a line of JSON for each, then its
content in pieces with their sizes. The second process believes nothing of that: `members_of` makes
the same checks again.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from paddock_server.basics.errors import ServerError
from paddock_server.packing.member import (
    ArchiveLimits,
    BadArchive,
    Checks,
    Kind,
    Member,
    Source,
)
from paddock_server.packing.reader import read

_LINE_BYTES: Final = 16_384
_CUT_SHORT: Final = "the archive can't be unpacked: the reader ended before its end"
MEMBER, END, REFUSED = "member", "end", "refused"


class ReaderGone(ServerError):
    """Raised when the reader's output ends too early, or is not what a reader writes."""


def write_members(source: Source, out: BinaryIO, limits: ArchiveLimits) -> None:
    """Read an archive and write its members, or the sentence that refuses it."""
    try:
        for member in read(source, limits):
            words = (member.path, member.kind.value, member.executable, member.target)
            _say(out, MEMBER, *words)
            for data in member.content:
                out.write(b"%d\n" % len(data) + data)
            out.write(b"0\n")
        _say(out, END)
    except BadArchive as bad:
        _say(out, REFUSED, bad.sentence)
    except MemoryError:
        _say(out, REFUSED, "the archive needs too much memory to unpack; pack it again")
    out.flush()


def _say(out: BinaryIO, *words: str | bool) -> None:
    out.write(json.dumps(words).encode() + b"\n")


def members_of(source: BinaryIO, limits: ArchiveLimits) -> Iterator[Member]:
    """The members that a reader wrote; raises BadArchive where it refused the archive.

    Raises ReaderGone where the reader was ended, or broken into.
    """
    checks = Checks(limits)
    while True:
        match _heard(source):
            case ["end"]:
                return
            case ["refused", str(sentence)]:
                raise _refusal(sentence)
            case ["member", str(name), ("file" | "folder" | "link") as kind, bool(x), str(target)]:
                content = _pieces(source, checks)
                path = checks.admit(name, Kind(kind), target)
                yield Member(path, Kind(kind), x, content, target)
                for _ in content:
                    pass
            case _:
                raise ReaderGone(_CUT_SHORT)


def _refusal(sentence: str) -> BadArchive:
    return BadArchive(sentence[:500] if sentence.isprintable() else _CUT_SHORT)


def _heard(source: BinaryIO, first: bytes = b"") -> Any:
    line = first + source.readline(_LINE_BYTES)
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise ReaderGone(_CUT_SHORT) from None


def _pieces(source: BinaryIO, checks: Checks) -> Iterator[bytes]:
    while True:
        line = source.readline(16)
        if line.startswith(b"["):  # the reader stopped in the middle of a file
            match _heard(source, line):
                case ["refused", str(sentence)]:
                    raise _refusal(sentence)
        if not line.endswith(b"\n") or not line[:-1].isdigit():
            raise ReaderGone(_CUT_SHORT)
        size = int(line)
        if not size:
            return
        checks.count(size)  # before it is read
        data = source.read(size)
        if len(data) < size:
            raise ReaderGone(_CUT_SHORT)
        yield data


def arguments(limits: ArchiveLimits) -> tuple[str, ...]:
    """The arguments of the reader for these limits."""
    return ("-m", "paddock_server.packing.unpacking", json.dumps(limits))


if __name__ == "__main__":
    write_members(sys.stdin.buffer, sys.stdout.buffer, ArchiveLimits._make(json.loads(sys.argv[1])))
