"""The menu of the pages, and whether a server is behind them."""

from typing import Final, NamedTuple


class MenuLink(NamedTuple):
    """A link of the menu."""

    address: str
    word: str

    def holds(self, address: str) -> bool:
        """Whether a page belongs to this link."""
        return address.startswith(self.address.partition("?")[0])


class Menu(NamedTuple):
    """The menu of all pages."""

    home: str
    links: tuple[MenuLink, ...]
    served: bool  # False: pages in a folder, without streams, forms and JSON


SERVED: Final = Menu(
    "/",
    (
        MenuLink("/ladder", "Ladder"),
        MenuLink("/matches", "Matches"),
        MenuLink("/live", "Live"),
        MenuLink("/tournaments", "Tournaments"),
        MenuLink("/rules", "Rules"),
    ),
    served=True,
)
