"""A reader of zip archives: what the directory says is compared with what is there."""

import struct
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

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

MAGIC: Final = b"PK\x03\x04"
EMPTY: Final = b"PK\x05\x06"
_END: Final = struct.Struct("<4s4H2LH")
_ENTRY: Final = struct.Struct("<4s4B4HL2L5H2L")
_LOCAL: Final = struct.Struct("<4s2B4HL2L2H")
_ENCRYPTED: Final = 1 | 1 << 6 | 1 << 13
_UTF8: Final = 1 << 11
_STORED, _DEFLATED = 0, 8
_UNIX: Final = 3
_TYPES: Final = {0: Kind.FILE, 0o100000: Kind.FILE, 0o040000: Kind.FOLDER, 0o120000: Kind.LINK}
_DAMAGED: Final = "the archive is damaged: its directory is wrong; pack it again"
_LINK_BYTES: Final = 4_096


class _Entry(NamedTuple):
    name: str
    raw: bytes  # the name as it is written
    kind: Kind
    executable: bool
    method: int
    crc: int
    packed: int
    size: int
    offset: int


def read_zip(source: Source, limits: ArchiveLimits) -> Iterator[Member]:
    """The members of a zip; the content of each has to be read, or is skipped, in turn."""
    data = source.read(limits.packed_bytes + 1)
    if len(data) > limits.packed_bytes:
        raise BadArchive(f"the archive is larger than {limits.packed_bytes >> 20} MB")
    checks = Checks(limits)
    free = 0  # where the next member may begin: members that overlap make bombs
    for entry in _entries(data, limits):
        start = _start(data, entry, free)
        free = start + entry.packed
        content = _content(memoryview(data)[start:free], entry, checks)
        target = ""
        if entry.kind is Kind.LINK:
            target = _link_target(entry, content)
        path = checks.admit(entry.name, entry.kind, target)
        if path:
            yield Member(path, entry.kind, entry.executable, content, target)
        for _ in content:
            pass


def _entries(data: bytes, limits: ArchiveLimits) -> Iterator[_Entry]:
    """The entries of the directory, one at a time and not more than may be there."""
    at = data.rfind(EMPTY, max(0, len(data) - _END.size - 0xFFFF))
    if at < 0 or len(data) < at + _END.size:
        raise BadArchive("the archive ends too early, or is not a zip; pack it again")
    _, disk, first, here, total, size, offset, comment = _END.unpack_from(data, at)
    if disk or first or here != total or at + _END.size + comment != len(data):
        raise BadArchive(_DAMAGED)
    if total == 0xFFFF or 0xFFFFFFFF in (size, offset):
        raise BadArchive("the archive is a zip64; pack it with fewer files, or as tar.gz")
    if offset + size != at:
        raise BadArchive(_DAMAGED)
    if total > limits.members:
        raise BadArchive(
            f"the archive has more than {limits.members:,} files and folders; "
            "leave some out with .paddockignore"
        )
    for _ in range(total):
        entry, offset = _entry(data, offset, at)
        yield entry
    if offset != at:
        raise BadArchive(_DAMAGED)


def _entry(data: bytes, at: int, end: int) -> tuple[_Entry, int]:
    if at + _ENTRY.size > end:
        raise BadArchive(_DAMAGED)
    fields = _ENTRY.unpack_from(data, at)
    magic, _, system, _, _, flags, method = fields[:7]
    crc, packed, size = fields[9:12]
    name_size, extra_size, comment_size = fields[12:15]
    outer, offset = fields[17:19]
    begin = at + _ENTRY.size
    raw = data[begin : begin + name_size]
    after = begin + name_size + extra_size + comment_size
    if magic != b"PK\x01\x02" or after > end:
        raise BadArchive(_DAMAGED)
    name = _text(raw, utf8=bool(flags & _UTF8))
    if flags & _ENCRYPTED:
        raise BadArchive(f"{shown(name)} is encrypted; pack it without a password")
    if method not in (_STORED, _DEFLATED):
        raise BadArchive(f"{shown(name)} is packed in a way other than deflate; pack it again")
    mode = outer >> 16 if system == _UNIX else 0
    kind = _TYPES.get(mode & 0o170000)
    if kind is None:
        raise BadArchive(
            f"{shown(name)} is a device or a pipe; only files and folders can be handed in"
        )
    if kind is Kind.FILE and name.endswith("/"):
        kind = Kind.FOLDER
    if kind is Kind.FOLDER and size:
        raise BadArchive(f"{shown(name)} is a folder with content; pack it again")
    executable = kind is Kind.FILE and bool(mode & 0o100)
    entry = _Entry(
        name=name,
        raw=raw,
        kind=kind,
        executable=executable,
        method=method,
        crc=crc,
        packed=packed,
        size=size,
        offset=offset,
    )
    return entry, after


def _text(raw: bytes, *, utf8: bool) -> str:
    try:
        return raw.decode("utf-8" if utf8 else "ascii")
    except UnicodeDecodeError:
        raise BadArchive(
            f"the name {ascii(raw[:40])[1:]} is not UTF-8; rename the file, or pack it as tar.gz"
        ) from None


def _start(data: bytes, entry: _Entry, free: int) -> int:
    """Where the content of a member begins; its own header has to say the same as the directory."""
    at = entry.offset
    if at < free or at + _LOCAL.size > len(data):
        raise BadArchive("the archive has members that overlap; pack it again")
    fields = _LOCAL.unpack_from(data, at)
    magic, flags, method, name_size, extra_size = *fields[:1], *fields[3:5], *fields[10:12]
    begin = at + _LOCAL.size
    start: int = begin + name_size + extra_size
    if (
        magic != MAGIC
        or method != entry.method
        or flags & _ENCRYPTED
        or data[begin : begin + name_size] != entry.raw
        or start + entry.packed > len(data)
    ):
        raise BadArchive(f"the archive says two things about {shown(entry.name)}; pack it again")
    return start


def _content(packed: memoryview, entry: _Entry, checks: Checks) -> Iterator[bytes]:
    """The content, counted and compared with the size and the sum that the directory says."""
    count = crc = 0
    for data in _stored(packed) if entry.method == _STORED else _inflated(packed):
        count += len(data)
        if count > entry.size:
            break
        crc = zlib.crc32(data, crc)
        checks.count(len(data))
        yield data
    if count != entry.size or crc != entry.crc:
        raise BadArchive(
            f"{shown(entry.name)} is not what the archive's directory says of it; pack it again"
        )


def _stored(packed: memoryview) -> Iterator[bytes]:
    for at in range(0, len(packed), CHUNK):
        yield bytes(packed[at : at + CHUNK])


def _inflated(packed: memoryview) -> Iterator[bytes]:
    inflate = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        for piece in _stored(packed):
            data = inflate.decompress(piece, CHUNK)
            while data:
                yield data
                data = inflate.decompress(inflate.unconsumed_tail, CHUNK)
    except zlib.error:
        raise BadArchive("the archive is damaged: its packed data is wrong") from None
    if not inflate.eof or inflate.unused_data:
        raise BadArchive("the archive is damaged: its packed data is wrong")


def _link_target(entry: _Entry, content: Iterator[bytes]) -> str:
    if entry.size > _LINK_BYTES:
        raise BadArchive(f"{shown(entry.name)} is a link with a name of {entry.size:,} bytes")
    return _text(b"".join(content), utf8=True)
