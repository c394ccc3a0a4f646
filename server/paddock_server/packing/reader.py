"""The reader of archives: tar.gz and zip, by strict rules."""

from collections.abc import Iterator

from paddock_server.packing import tar_reader, zip_reader
from paddock_server.packing.member import HANDED_IN, ArchiveLimits, BadArchive, Member, Source


def read(source: Source, limits: ArchiveLimits = HANDED_IN) -> Iterator[Member]:
    """The members of a tar.gz or zip, each checked; raises BadArchive while it is read."""
    magic = source.read(4)
    whole = _Rejoined(magic, source)
    if magic[:2] == tar_reader.MAGIC:
        return tar_reader.read_tar(whole, limits)
    if magic in (zip_reader.MAGIC, zip_reader.EMPTY):
        return zip_reader.read_zip(whole, limits)
    raise BadArchive("the archive is neither a tar.gz nor a zip; pack it again")


class _Rejoined:
    """A stream whose first bytes were read already."""

    def __init__(self, first: bytes, rest: Source) -> None:
        self._first, self._rest = first, rest

    def read(self, size: int = -1, /) -> bytes:
        """This number of bytes; fewer only at the end."""
        first, self._first = self._first, b""
        return first + self._rest.read(size - len(first) if size >= 0 else -1)
