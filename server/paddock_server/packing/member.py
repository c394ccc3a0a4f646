"""Members of an archive: what may be in one, and the checks that every reader and packer makes."""

import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from itertools import dropwhile
from typing import Final, NamedTuple, Protocol

from paddock_server.basics.errors import ServerError
from paddock_server.basics.printable import is_printable

MB: Final = 1 << 20
CHUNK: Final = 65_536  # bytes that are read at once
_SHOWN: Final = 60  # characters of a name in a sentence


class BadArchive(ServerError):
    """Raised when an archive breaks a rule; the sentence is for its author."""

    reason = "submission/bad_archive"


class ArchiveLimits(NamedTuple):
    """The limits of an archive; a reader counts what it reads and believes no header."""

    packed_bytes: int = 20 * MB
    unpacked_bytes: int = 100 * MB
    file_bytes: int = 50 * MB
    members: int = 5_000  # files and folders
    depth: int = 12
    name_bytes: int = 200
    links: bool = False  # whether links may be there that stay in the folder: in a build's output


HANDED_IN: Final = ArchiveLimits()
"""The limits of an archive that an author hands in."""

BUILT: Final = ArchiveLimits(packed_bytes=100 * MB, links=True)
"""The limits of what a build leaves: an executable is larger than its source, and package
managers make links."""


class Source(Protocol):
    """The source of the bytes of an archive; it needs no seeking, so it may be a pipe."""

    def read(self, size: int = -1, /) -> bytes:
        """This number of bytes; fewer only at the end."""


class Kind(StrEnum):
    """The kinds of members; everything else is refused."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"


class Member(NamedTuple):
    """A member of an archive; its content is read while the archive is."""

    path: str  # relative, with slashes
    kind: Kind
    executable: bool = False
    content: Iterator[bytes] = iter(())
    target: str = ""  # of a link


class Checks:
    """The checks of one archive's members: call `admit` for each, and `count` for its bytes."""

    def __init__(self, limits: ArchiveLimits) -> None:
        self._limits = limits
        self._kinds: dict[str, tuple[str, Kind]] = {}  # spelling and kind by folded path
        self._members = 0
        self._bytes = 0
        self._file_bytes = 0

    def admit(self, name: str, kind: Kind, target: str = "") -> str:
        """The path of the next member; empty for the folder itself. Raises BadArchive."""
        self._members += 1
        if self._members > self._limits.members:
            raise BadArchive(
                f"the archive has more than {self._limits.members:,} files and folders; "
                "leave some out with .paddockignore"
            )
        self._file_bytes = 0
        path = self._checked(name)
        if kind is Kind.LINK:
            self._check_link(path, target)
        if path:
            self._take(path, kind)
        return path

    def count(self, size: int) -> None:
        """Add bytes of the member's content; raises BadArchive where they are too many."""
        self._bytes += size
        self._file_bytes += size
        limits = self._limits
        if self._file_bytes > limits.file_bytes:
            raise BadArchive(f"a file is larger than {limits.file_bytes // MB} MB")
        if self._bytes > limits.unpacked_bytes:
            raise BadArchive(f"the archive unpacks to more than {limits.unpacked_bytes // MB} MB")

    def _checked(self, name: str) -> str:
        """The name as a relative path; raises BadArchive where it does not stay in the folder."""
        if not is_printable(name) or "\\" in name:
            raise BadArchive(
                f"the name {shown(name)} has a backslash, or a character that can't be shown; "
                "rename the file"
            )
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if name.startswith("/") or ".." in parts:
            raise BadArchive(
                f"the name {shown(name)} leads out of the folder; use relative names without .."
            )
        if len(parts) > self._limits.depth:
            raise BadArchive(
                f"{shown(name)} is more than {self._limits.depth} folders deep; move it up"
            )
        path = "/".join(parts)
        if len(path.encode()) > self._limits.name_bytes:
            raise BadArchive(
                f"the name {shown(name)} is longer than {self._limits.name_bytes} bytes; shorten it"
            )
        return path

    def _check_link(self, path: str, target: str) -> None:
        """Raise BadArchive where a link is not allowed, or could lead out of the folder.

        A name in its target may be another link, which goes somewhere else than down. So `..` is
        taken at the beginning only, where no link can be before it: the folders of a member are
        real ones. Then each name leads to a place inside, whatever it is.
        """
        if not self._limits.links:
            raise BadArchive(f"{shown(path)} is a link; only files and folders can be handed in")
        parts = [part for part in target.split("/") if part not in ("", ".")]
        names = list(dropwhile(lambda part: part == "..", parts))
        depth = path.count("/")  # folders between the link and the top
        leads_out = len(parts) - len(names) > depth or ".." in names
        if leads_out or target.startswith("/") or not target or not is_printable(target):
            raise BadArchive(
                f"{shown(path)} is a link that leads out of the folder, or that could with its "
                f".. behind a name, to {shown(target)}; put a copy there, or leave it out"
            )

    def _take(self, path: str, kind: Kind) -> None:
        """Note the path and its folders; raises BadArchive where another member is in the way."""
        ends = [at for at, letter in enumerate(path) if letter == "/"]
        for end in ends:
            self._note(path[:end], Kind.FOLDER)
        if not self._note(path, kind):
            raise BadArchive(f"{shown(path)} is there twice; leave one out")

    def _note(self, path: str, kind: Kind) -> bool:
        """Whether the path is free for this kind, or is a folder already and shall be one."""
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
        if folded not in self._kinds:
            self._kinds[folded] = path, kind
            return True
        there, kind_there = self._kinds[folded]
        if there != path:
            raise BadArchive(
                f"{shown(there)} and {shown(path)} are the same name on some machines; rename one"
            )
        if kind_there is not kind:
            raise BadArchive(f"{shown(path)} is there twice, as a {kind_there} and as a {kind}")
        return kind is Kind.FOLDER


def shown(name: str) -> str:
    """A name in a sentence: in quotes, escaped and not too long."""
    text = name if len(name) <= _SHOWN else f"{name[: _SHOWN - 3]}..."
    return f"'{text}'" if is_printable(text) else ascii(text)
