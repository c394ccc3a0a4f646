"""A reader of tar.gz archives: a stream with bounds, because the headers of an archive can lie.

The standard library reads some headers whole, however large they are, and knows kinds of members
that nobody needs here.
"""

import zlib
from collections.abc import Iterator
from typing import Final

from paddock_server.packing.member import (
    CHUNK,
    ArchiveLimits,
    BadArchive,
    Checks,
    Kind,
    Member,
    Source,
    shown,
)

MAGIC: Final = b"\x1f\x8b"
_BLOCK: Final = 512
_HEADER_BYTES: Final = 16_384  # of a header with a long name or other properties
_EXTRA: Final = 4  # such headers before one member
_PADDING: Final = 1 << 20  # zeros behind the end
_KINDS: Final = {b"0": Kind.FILE, b"\0": Kind.FILE, b"7": Kind.FILE, b"5": Kind.FOLDER,
                 b"2": Kind.LINK}  # fmt: skip
_REFUSED: Final = {b"1": "a hard link", b"3": "a device", b"4": "a device", b"6": "a pipe",
                   b"S": "a sparse file"}  # fmt: skip


class _Gunzip:
    """The bytes in a gzip file of one part, read a little at a time."""

    def __init__(self, source: Source, limits: ArchiveLimits) -> None:
        self._source = source
        self._left = limits.packed_bytes
        self._most = limits.packed_bytes
        self._inflate = zlib.decompressobj(wbits=31)
        self._ready = bytearray()

    def read(self, size: int) -> bytes:
        """This number of bytes; fewer only at the end."""
        while len(self._ready) < size and not self._inflate.eof:
            packed = self._inflate.unconsumed_tail or self._source.read(CHUNK)
            if not self._inflate.unconsumed_tail:
                self._left -= len(packed)
            if self._left < 0:
                raise BadArchive(f"the archive is larger than {self._most >> 20} MB")
            try:
                data = self._inflate.decompress(packed, CHUNK)
            except zlib.error:
                raise BadArchive("the archive is damaged: its gzip data is wrong") from None
            if not packed and not data and not self._inflate.eof:
                raise BadArchive("the archive ends too early; pack it again")
            self._ready += data
        data = bytes(self._ready[:size])
        del self._ready[:size]
        return data

    def check_end(self) -> None:
        """Raise BadArchive where anything but zeros follows."""
        padding = 0
        while data := self.read(CHUNK):
            padding += len(data)
            if data.strip(b"\0") or padding > _PADDING:
                raise BadArchive("the archive goes on behind its end; pack it again")
        if self._inflate.unused_data or self._source.read(1):
            raise BadArchive("the archive has more than one gzip part; pack it again")


def read_tar(source: Source, limits: ArchiveLimits) -> Iterator[Member]:
    """The members of a tar.gz; the content of each has to be read, or is skipped, in turn."""
    checks = Checks(limits)
    stream = _Gunzip(source, limits)
    extra: dict[str, str] = {}
    extras = 0
    while header := _header(stream):
        kind, size = header[156:157], _number(header[124:136])
        if kind in b"xgLK" and kind:
            extras += 1
            if extras > _EXTRA:
                raise BadArchive("the archive has too many headers before a file")
            text = _extra(stream, size)
            if kind == b"x":
                extra |= _properties(text)
            elif kind in b"LK":
                extra["path" if kind == b"L" else "linkpath"] = _text(text.rstrip(b"\0"))
            continue
        name = extra.get("path") or _name(header)
        _check_kind(kind, name, extra)
        target = extra.get("linkpath") or _text(header[157:257].split(b"\0")[0])
        if extra.get("size", str(size)) != str(size):
            raise BadArchive(f"the archive has two sizes for {shown(name)}; pack it again")
        member = _KINDS[kind]
        if member is Kind.FILE and name.endswith("/"):  # as old programs write folders
            member = Kind.FOLDER
        if size and member is not Kind.FILE:
            raise BadArchive(f"{shown(name)} is a {member} with content; pack it again")
        path = checks.admit(name, member, target)
        extra, extras = {}, 0
        content = _content(stream, size, checks)
        if path:
            executable = bool(_number(header[100:108]) & 0o100)
            yield Member(
                path,
                member,
                executable and member is Kind.FILE,
                content,
                target if member is Kind.LINK else "",
            )
        for _ in content:
            pass
    stream.check_end()


def _header(stream: _Gunzip) -> bytes:
    """The next header; empty at the end of the archive."""
    block = stream.read(_BLOCK)
    if len(block) < _BLOCK:
        raise BadArchive("the archive ends too early; pack it again")
    if not block.strip(b"\0"):
        return b""
    expected = _number(block[148:156])
    if expected != sum(block) - sum(block[148:156]) + 8 * 32:
        raise BadArchive("the archive is damaged, or is not a tar.gz: a header is wrong")
    return block


def _number(field: bytes) -> int:
    text = field.split(b"\0")[0].strip()
    if not text:
        return 0
    try:
        number = int(text, 8)
    except ValueError:  # also the binary numbers of huge files
        raise BadArchive("the archive is damaged: a number in a header is wrong") from None
    if number < 0:
        raise BadArchive("the archive is damaged: a number in a header is below 0")
    return number


def _name(header: bytes) -> str:
    name, prefix = header[:100].split(b"\0")[0], header[345:500].split(b"\0")[0]
    posix = header[257:263] == b"ustar\0"
    return _text(prefix + b"/" + name if posix and prefix else name)


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise BadArchive(f"the name {ascii(raw[:40])[1:]} is not UTF-8; rename the file") from None


def _extra(stream: _Gunzip, size: int) -> bytes:
    """The text of a header with properties; its size is checked before it is read."""
    if size > _HEADER_BYTES:
        raise BadArchive(
            f"the archive has a header of {size:,} bytes; {_HEADER_BYTES:,} are allowed"
        )
    text = stream.read(size)
    stream.read(-size % _BLOCK)
    return text


def _properties(text: bytes) -> dict[str, str]:
    """The properties of a PAX header: lines of `LENGTH KEY=VALUE`."""
    found = {}
    while text:
        length, space, _ = text.partition(b" ")
        size = int(length) if length.isdigit() and len(length) < 6 else 0
        line = text[len(length) + 1 : size]
        if not space or size <= len(length) or not line.endswith(b"\n") or b"=" not in line:
            raise BadArchive("the archive is damaged: a header with properties is wrong")
        key, _, value = line[:-1].partition(b"=")
        if key in (b"path", b"linkpath", b"size") or key.startswith(b"GNU.sparse"):
            found[_text(key)] = _text(value)
        text = text[size:]
    return found


def _check_kind(kind: bytes, name: str, extra: dict[str, str]) -> None:
    if any(key.startswith("GNU.sparse") for key in extra):
        kind = b"S"
    if kind not in _KINDS:
        what = _REFUSED.get(kind, f"of the unknown kind {ascii(kind)[1:]}")
        raise BadArchive(f"{shown(name)} is {what}; only files and folders can be handed in")


def _content(stream: _Gunzip, size: int, checks: Checks) -> Iterator[bytes]:
    left = size
    while left:
        data = stream.read(min(CHUNK, left))
        if not data:
            raise BadArchive("the archive ends too early; pack it again")
        checks.count(len(data))
        left -= len(data)
        yield data
    stream.read(-size % _BLOCK)
