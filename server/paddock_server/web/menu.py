"""What every page leads to, and whether a server is behind the pages."""

from typing import Final, NamedTuple


class Entry(NamedTuple):
    """A line of the menu."""

    address: str
    word: str

    def holds(self, address: str) -> bool:
        """Whether a page belongs to this entry."""
        return address.startswith(self.address.partition("?")[0])


class Menu(NamedTuple):
    """The menu of all pages."""

    home: str
    entries: tuple[Entry, ...]
    served: bool  # False: pages in a folder, without streams, forms and JSON


SERVED: Final = Menu(
    "/",
    (
        Entry("/ladder", "Ladder"),
        Entry("/matches", "Matches"),
        Entry("/live", "Live"),
        Entry("/tournaments", "Tournaments"),
        Entry("/rules", "Rules"),
    ),
    served=True,
)
