"""Seated players: the connected bots at a table, by seat."""

from collections.abc import Iterator, Sequence

from paddock_server.tables.player import Player


class Seated:
    """The players at a table by seat; None: a house bot, or a bot that is not connected."""

    def __init__(self, players: Sequence[Player | None]) -> None:
        self._players = list(players)

    def __len__(self) -> int:
        """How many seats the table has."""
        return len(self._players)

    def __getitem__(self, seat: int) -> Player | None:
        return self._players[seat]

    def __iter__(self) -> Iterator[Player | None]:
        """The player of every seat."""
        return iter(self._players)

    def sit(self, seat: int, player: Player) -> None:
        """A bot is connected (again)."""
        self._players[seat] = player

    def leave(self, seat: int, player: Player) -> bool:
        """A bot's connection is over; False: its seat has another connection already."""
        if self._players[seat] is not player:
            return False
        self._players[seat] = None
        return True

    def send(self, seat: int, item: bytes) -> None:
        """Queue an item for a seat, if its bot is connected."""
        player = self._players[seat]
        if player is not None:
            player.send(item)

    def send_to_all(self, item: bytes) -> None:
        """Queue an item for every connected bot, once, even if it has several seats."""
        for player in dict.fromkeys(self._players):
            if player is not None:
                player.send(item)

    def useless(self, seat: int) -> None:
        """Count a useless item of a seat."""
        player = self._players[seat]
        if player is not None:
            player.useless()
