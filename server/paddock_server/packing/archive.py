"""Archives: a folder is packed so that one content has one hash."""

import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from paddock_server.packing.folder import FILE_MODE, FOLDER_MODE, PROGRAM_MODE, read_folder
from paddock_server.packing.ignore import Ignored, read_ignored
from paddock_server.packing.manifest import FILE, Manifest, find_manifest, read_manifest
from paddock_server.packing.member import (
    HANDED_IN,
    MB,
    ArchiveLimits,
    BadArchive,
    Kind,
    Member,
)

_LEVEL: Final = 9
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # the first moment of a zip
_UNIX: Final = 3
_FILE_TYPE, _FOLDER_TYPE, _LINK_TYPE = 0o100000, 0o040000, 0o120000


class Package(NamedTuple):
    """A bot that can be handed in: an archive, and what its manifest says."""

    manifest: Manifest
    manifest_bytes: bytes  # as they are in the archive
    data: bytes
    sha256: str  # of the data, in hexadecimal


def pack(folder: Path, limits: ArchiveLimits = HANDED_IN) -> Package:
    """The folder as a tar.gz, without what `.paddockignore` names.

    Raises BadManifest, and BadArchive where something in the folder can't be handed in.
    """
    text = find_manifest(folder)
    manifest = read_manifest(text)
    ignored = read_ignored(folder)
    if ignored(FILE, folder=False):
        raise BadArchive(f".paddockignore leaves out {FILE}, which has to be handed in")
    data = tar_of(read_folder(folder, limits, ignored))
    if len(data) > limits.packed_bytes:
        raise BadArchive(
            f"the archive of {folder} has {len(data) / MB:.1f} MB, and "
            f"{limits.packed_bytes // MB} MB are allowed; leave files out with .paddockignore"
        )
    return Package(manifest, text, data, sha256_of(data))


def repack(folder: Path, archive: Path, limits: ArchiveLimits) -> str:
    """Write all of a folder into a new archive, and return its hash; raises BadArchive."""
    with archive.open("xb") as out:
        write_tar(read_folder(folder, limits, Ignored(always=())), out)
    with archive.open("rb") as written:
        return hashlib.file_digest(written, "sha256").hexdigest()


def sha256_of(data: bytes) -> str:
    """The hash of an archive, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def tar_of(members: Iterable[Member]) -> bytes:
    """The members as a tar.gz, the same bytes for the same members."""
    out = io.BytesIO()
    write_tar(members, out)
    return out.getvalue()


def write_tar(members: Iterable[Member], out: BinaryIO) -> None:
    """Write the members as a tar.gz, the same bytes for the same members."""
    with (
        gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=out, mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for member in members:
            info = tarfile.TarInfo(member.path)
            info.mode = _mode(member)
            content = io.BytesIO(b"".join(member.content))
            info.size = len(content.getbuffer())
            if member.kind is Kind.FOLDER:
                info.type = tarfile.DIRTYPE
            elif member.kind is Kind.LINK:
                info.type, info.linkname = tarfile.SYMTYPE, member.target
            archive.addfile(info, content)


def zip_of(members: Iterable[Member]) -> bytes:
    """The members as a zip, the same bytes for the same members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for member in members:
            name = f"{member.path}/" if member.kind is Kind.FOLDER else member.path
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = _UNIX
            info.compress_type = zipfile.ZIP_DEFLATED
            kind = {Kind.FOLDER: _FOLDER_TYPE, Kind.LINK: _LINK_TYPE}.get(member.kind, _FILE_TYPE)
            info.external_attr = (kind | _mode(member)) << 16
            archive.writestr(info, b"".join(chain(member.content, [member.target.encode()])))
    return out.getvalue()


def _mode(member: Member) -> int:
    if member.kind is Kind.FOLDER:
        return FOLDER_MODE
    return PROGRAM_MODE if member.executable else FILE_MODE
