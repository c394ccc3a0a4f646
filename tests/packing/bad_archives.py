"""Bad archives, each made by hand, with a word of the sentence that refuses it."""

import gzip
import io
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from typing import Final

from paddock_server.packing.member import MB

F, D, S, L = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE


def tar(*entries: tuple[str, bytes, bytes | str], pax: dict[str, str] | None = None) -> bytes:
    """A tar.gz of names, kinds and contents (or targets of links)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as archive:
        for name, kind, content in entries:
            info = tarfile.TarInfo(name)
            info.type = kind
            info.pax_headers = pax or {}
            if isinstance(content, str):
                info.linkname = content
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def zipped(*entries: tuple[str, bytes], mode: int = 0o100644) -> bytes:
    """A zip of names and contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()


def raw_tar(blocks: Iterable[bytes]) -> bytes:
    """A tar.gz of these blocks, made without ever holding them all."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1, mtime=0) as archive:
        for block in blocks:
            archive.write(block)
    return out.getvalue()


def header(name: str, kind: bytes, size: int) -> bytes:
    """The header of a tar's member, whatever its size."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


def _patched(archive: bytes, magic: bytes, at: int, value: bytes) -> bytes:
    place = archive.find(magic) + at
    return archive[:place] + value + archive[place + len(value) :]


def _huge_header(kind: bytes) -> bytes:
    """A header of 400 MB in 2 MB, of the kind of a PAX header or a GNU long name."""
    zeros = bytes(MB)
    return raw_tar([header("x", kind, 400 * MB), *[zeros] * 400])


def _lying_zip(size: int) -> bytes:
    archive = zipped(("x", bytes(30 * MB)))
    return _patched(archive, b"PK\x01\x02", 24, struct.pack("<L", size))


def _overlapping_zip() -> bytes:
    """A zip whose two entries are one content."""
    archive = bytearray(zipped(("aa", bytes(1000)), ("ab", b"")))
    second = archive.find(b"PK\x01\x02", archive.find(b"PK\x01\x02") + 4)
    archive[second + 42 : second + 46] = struct.pack("<L", 0)
    return bytes(archive)


def _sparse() -> bytes:
    return raw_tar([header("s", b"S", 512), bytes(512), bytes(1024)])


def _renamed_in_zip() -> bytes:
    """A zip whose directory and member have two names for one file."""
    return _patched(zipped(("safe", b"x")), b"PK\x03\x04", 30, b"evil")


GOOD: Final = tar(("a", F, b"x" * 1000))

BAD: Final[dict[str, tuple[Callable[[], bytes], str]]] = {
    # 1
    "../ in tar": (lambda: tar(("../../x", F, b"x")), "leads out of the folder"),
    "../ inside": (lambda: tar(("a/../../x", F, b"x")), "leads out of the folder"),
    "../ in zip": (lambda: zipped(("../x", b"x")), "leads out of the folder"),
    "absolute": (lambda: tar(("/etc/cron.d/x", F, b"x")), "leads out of the folder"),
    "absolute in zip": (lambda: zipped(("/etc/x", b"x")), "leads out of the folder"),
    "backslash": (lambda: zipped(("..\\x", b"x")), "backslash"),
    "link, then through it": (lambda: tar(("d", S, "/etc"), ("d/x", F, b"x")), "'d' is a link"),
    "link in zip": (lambda: zipped(("s", b"/etc/passwd"), mode=0o120777), "'s' is a link"),
    # 2
    "hard link": (lambda: tar(("h", L, "/etc/shadow")), "a hard link"),
    "device": (lambda: tar(("d", tarfile.CHRTYPE, b"")), "a device"),
    "block device": (lambda: tar(("d", tarfile.BLKTYPE, b"")), "a device"),
    "device in zip": (lambda: zipped(("d", b""), mode=0o020666), "a device"),
    "pipe": (lambda: tar(("p", tarfile.FIFOTYPE, b"")), "a pipe"),
    "GNU sparse": (_sparse, "a sparse file"),
    "PAX sparse": (
        lambda: tar(("s", F, b"x"), pax={"GNU.sparse.major": "1"}), "a sparse file",
    ),
    "unknown kind": (lambda: raw_tar([header("u", b"V", 0), bytes(1024)]), "unknown kind"),
    # 3
    "bomb of 150 MB": (
        lambda: raw_tar(
            part for n in range(5) for part in (header(f"z{n}", F, 30 * MB), *[bytes(MB)] * 30)
        ),
        "more than 100 MB",
    ),
    "file of 60 MB": (lambda: zipped(("z", bytes(60 * MB))), "larger than 50 MB"),
    "zip says too little": (lambda: _lying_zip(1000), "not what the archive's directory says"),
    "zip says too much": (lambda: _lying_zip(40 * MB), "not what the archive's directory says"),
    "zip with overlaps": (_overlapping_zip, "overlap"),
    "two names in zip": (_renamed_in_zip, "says two things about 'safe'"),
    "encrypted": (
        lambda: _patched(zipped(("x", b"x")), b"PK\x01\x02", 8, b"\x01\x00"), "is encrypted",
    ),
    "other packing": (
        lambda: _patched(zipped(("x", b"x")), b"PK\x01\x02", 10, b"\x0e\x00"), "deflate",
    ),
    "larger than 20 MB": (lambda: b"PK\x03\x04" + bytes(20 * MB), "larger than 20 MB"),
    # 4
    "PAX header of 400 MB": (lambda: _huge_header(b"x"), "a header of 419,430,400 bytes"),
    "global header of 400 MB": (lambda: _huge_header(b"g"), "a header of 419,430,400 bytes"),
    "long name of 400 MB": (lambda: _huge_header(b"L"), "a header of 419,430,400 bytes"),
    "long link of 400 MB": (lambda: _huge_header(b"K"), "a header of 419,430,400 bytes"),
    "headers without end": (
        lambda: raw_tar([header("x", b"g", 0)] * 100_000), "too many headers",
    ),
    # 5
    "6,000 files": (lambda: tar(*((f"f{n}", F, b"") for n in range(6000))), "files and folders"),
    "6,000 in zip": (
        lambda: zipped(*((f"f{n}", b"") for n in range(6000))), "files and folders",
    ),
    "40 deep": (lambda: tar(("a/" * 40 + "x", F, b"")), "more than 12 folders deep"),
    "long name": (lambda: tar(("n" * 201, F, b"")), "longer than 200 bytes"),
    "control characters": (lambda: tar(("a\x1b[31m", F, b"")), "can't be shown"),
    "other direction": (lambda: tar(("a\u202eb", F, b"")), "can't be shown"),
    "not UTF-8": (
        lambda: raw_tar([header("\udcff", F, 0), bytes(1024)]), "is not UTF-8",
    ),
    "not UTF-8 in zip": (
        lambda: _patched(zipped(("x", b"")), b"PK\x01\x02", 46, b"\xff"), "is not UTF-8",
    ),
    # and what else can be wrong
    "other case": (lambda: tar(("A", F, b"1"), ("a", F, b"2")), "the same name"),
    "other case of a folder": (
        lambda: tar(("A/x", F, b"1"), ("a/y", F, b"2")), "the same name",
    ),
    "other form of a letter": (
        lambda: tar(("\u00e9", F, b"1"), ("e\u0301", F, b"2")), "the same name",
    ),
    "twice": (lambda: tar(("a", F, b"1"), ("a", F, b"2")), "is there twice"),
    "file where a folder is": (lambda: tar(("a", F, b"1"), ("a/b", F, b"2")), "is there twice"),
    "folder with content": (
        lambda: raw_tar([header("d", D, 512), bytes(512), bytes(1024)]), "with content",
    ),
    "cut short": (lambda: GOOD[:60], "ends too early"),
    "damaged": (lambda: _patched(GOOD, b"\x1f\x8b", 20, b"\xff\xff\xff\xff"), "damaged"),
    "another archive behind": (lambda: GOOD + GOOD, "more than one gzip part"),
    "bytes behind the end": (
        lambda: raw_tar([header("a", F, 0), bytes(512), b"evil" * 300]), "behind its end",
    ),
    "zip cut short": (lambda: zipped(("a", b"x" * 1000))[:-30], "ends too early"),
    "not an archive": (lambda: b"#!/bin/sh\nrm -rf /\n" * 100, "neither a tar.gz nor a zip"),
    "empty": (lambda: b"", "neither a tar.gz nor a zip"),
    "xz": (lambda: b"\xfd7zXZ\x00" + bytes(100), "neither a tar.gz nor a zip"),
    "gzip of no tar": (lambda: gzip.compress(b"hello" * 300), "damaged"),
}  # fmt: skip
