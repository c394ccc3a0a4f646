"""The life of a node that does nothing but write to the database."""

from paddock_server.cluster.life import Fenced
from paddock_server.cluster.messages import BUS
from paddock_server.store import nodes
from paddock_server.store.database import Database
from paddock_server.store.joining import OtherBus, join
from paddock_server.store.registry import Registry


class Node:
    """A node that only writes."""

    def __init__(self, place: str, bus: int = BUS, fence: Fenced | None = None) -> None:
        self.fence = fence or Fenced()
        self.told = 0
        self.fence.on_put_out = self._hear
        self.name = name = nodes.new_name("host", 1)
        self.place = nodes.address_of_node(place, name)
        self.database = Database(self.place, fence=self.fence)
        try:
            self.number = self.database.write(lambda connection: join(connection, name, bus))
        except OtherBus:
            self.database.close()
            raise
        self.fence.node = self.number
        self.registry = Registry(self.place, self.number)
        self.registry.beat()

    def introduce(self) -> None:
        """Say that it is there; from then on its lease is short."""
        self.database.write(lambda connection: nodes.introduce(connection, self.number, "g", ""))

    def _hear(self) -> None:
        self.told += 1

    def close(self) -> None:
        self.registry.close()
        self.database.close()
