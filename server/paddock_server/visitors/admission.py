"""Admission of visitors: how much they may have under way at once, by kind and by address."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Final, NamedTuple, Self

from paddock_server.basics.errors import ServerError

RETRY_SECONDS: Final = 2  # after which a refused visitor may try again


class TooMany(ServerError):
    """Raised when a visitor has, or all together have, too much under way."""

    reason = "visit/too_many"

    @classmethod
    def of_address(cls, what: str) -> Self:
        """The refusal of one address."""
        return cls(f"too many {what} from your address at once; try again in a moment")

    @classmethod
    def of_all(cls, what: str) -> Self:
        """The refusal of everybody."""
        return cls(f"the server has too many {what} at once; try again later", "visit/crowded")


class Kind(StrEnum):
    """A kind of visit; the value is the word for several."""

    PAGE = "pages"
    QUERY = "queries"
    EXPORT = "exports"
    WATCH = "watchers"


class Most(NamedTuple):
    """The most visits of a kind that there may be at once."""

    together: int
    per_address: int


class Admission:
    """The visits that are under way."""

    def __init__(self, most: Mapping[Kind, Most]) -> None:
        self._most = most
        self._together: Counter[Kind] = Counter()
        self._by_address: Counter[tuple[Kind, str]] = Counter()

    def check(self, kind: Kind, address: str) -> None:
        """Raise TooMany if a visit would be one too many."""
        most = self._most[kind]
        if self._by_address[kind, address] >= most.per_address:
            raise TooMany.of_address(kind.value)
        if self._together[kind] >= most.together:
            raise TooMany.of_all(kind.value)

    @contextmanager
    def admitted(self, kind: Kind, address: str) -> Iterator[None]:
        """Count a visit while the block runs; TooMany if it is one too many."""
        self.check(kind, address)
        key = kind, address
        self._together[kind] += 1
        self._by_address[key] += 1
        try:
            yield
        finally:
            self._together[kind] -= 1
            self._by_address[key] -= 1
            if not self._by_address[key]:
                del self._by_address[key]
