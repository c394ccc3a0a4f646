"""Links between nodes: messages arrive once and in order, whatever the bus does to packets.

A link keeps what was not acknowledged and sends it again when the other end misses something. So
only one thing can go wrong with a message between two nodes: one of them is gone. While nothing is
heard of a node, it is silent: nobody is judged by what it did not say.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

import msgpack  # type: ignore[import-untyped]

from paddock_server.cluster.bus import Bus
from paddock_server.cluster.messages import Message, Unreadable, pack, unpack

_LOG: Final = logging.getLogger("paddock.cluster")
BEAT_SECONDS: Final = 0.3
SILENT_SECONDS: Final = 1.0
CUT_OFF_SECONDS: Final = 10.0  # of silence, while this node itself is on the bus
_PACKET_BYTES: Final = 512 * 1024  # NATS takes up to a megabyte
_PATIENCE_SECONDS: Final = 1.0  # without an acknowledgement, until messages are sent again

Packed: TypeAlias = bytes


class Packet(NamedTuple):
    """A packet on the bus: some messages, and how far the sender has heard the receiver."""

    sender: int
    last: int  # the number of the last message that the sender ever sent on this link
    heard: int  # the number of the last message that the sender heard on it
    misses: bool  # whether the sender knows of messages that it did not get
    first: int  # the number of the first message in this packet
    messages: Sequence[Packed]
    gone: bool = False  # whether the receiver was put out: nothing that it says counts any more

    def packed(self) -> bytes:
        """The packet on the bus."""
        packed: bytes = msgpack.packb(tuple(self))
        return packed

    @classmethod
    def read(cls, data: bytes) -> "Packet":
        """The packet that arrived."""
        return cls(*msgpack.unpackb(data))


class Hearer(Protocol):
    """A listener to what other nodes say."""

    def hear(self, sender: int, message: Message) -> None:
        """Handle a message."""

    def silent(self, node: int) -> None:
        """Nothing was heard of a node for a second."""

    def audible(self, node: int) -> None:
        """A node that was silent is heard again."""

    def put_out(self) -> None:
        """This node is gone, say others: it was put out and has not noticed."""


class _End:
    """This end of the link to a node."""

    def __init__(self, node: int) -> None:
        self.node = node
        self.sent = 0  # the number of the last message
        self.unheard: deque[Packed] = deque()  # those that were not acknowledged
        self.waiting: list[Packed] = []  # those of this turn of the event loop
        self.heard = 0
        self.last_packet = 0.0
        self.last_progress = 0.0  # of acknowledgements
        self.is_silent = False

    def packet(self, me: int, messages: Sequence[Packed], first: int, *, misses: bool) -> Packet:
        return Packet(me, self.sent, self.heard, misses=misses, first=first, messages=messages)


class Link:
    """The links of this node to all others."""

    _loop: asyncio.AbstractEventLoop

    def __init__(self, me: int, bus: Bus, hearer: Hearer) -> None:
        self.me = me
        self._bus = bus
        self._hearer = hearer
        self._ends: dict[int, _End] = {}
        self._gone: set[int] = set()  # nodes that were known once
        self._flushing = False
        self._beating: asyncio.TimerHandle | None = None
        self._echo = self._on_bus_since = -SILENT_SECONDS  # moments of this node's own packets
        bus.listen(me, self._on_packet)

    def start(self) -> None:
        """Begin to beat: other nodes hear that this one is there."""
        self._loop = asyncio.get_running_loop()
        self._beat()

    def close(self) -> None:
        """Stop."""
        if self._beating is not None:
            self._beating.cancel()
        self._ends.clear()

    @property
    def unheard(self) -> int:
        """How many messages were not acknowledged yet."""
        return sum(len(end.unheard) for end in self._ends.values())

    def know(self, nodes: Iterable[int]) -> None:
        """These are the nodes of the cluster now; what was to be said to others is dropped."""
        alive = set(nodes) - {self.me}
        for gone in self._ends.keys() - alive:
            del self._ends[gone]
            self._gone.add(gone)
        for node in alive - self._ends.keys():
            self._ends[node] = end = _End(node)
            end.last_packet = end.last_progress = self._loop.time()

    def is_silent(self, node: int) -> bool:
        """Whether nothing was heard of a node for a second."""
        end = self._ends.get(node)
        return end is not None and end.is_silent

    @property
    def hears_all(self) -> bool:
        """Whether no node of the cluster is silent."""
        return not any(end.is_silent for end in self._ends.values())

    def is_cut_off(self, node: int) -> bool:
        """Whether the bus works here, and a node was silent on it for long."""
        end, now = self._ends.get(node), self._loop.time()
        if end is None or not end.is_silent or now - self._echo > SILENT_SECONDS:
            return False
        return now - max(end.last_packet, self._on_bus_since) > CUT_OFF_SECONDS

    def send(self, node: int, message: Message) -> None:
        """Send a message; it arrives unless one of the two nodes is gone."""
        if node == self.me:
            self._loop.call_soon(self._hearer.hear, node, message)
            return
        end = self._ends.get(node)
        if end is None:
            return  # it is gone
        end.waiting.append(pack(message))
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Send what was said in this turn of the event loop, as one packet per node."""
        self._flushing = False
        for end in self._ends.values():
            if end.waiting:
                first, messages = end.sent + 1, end.waiting
                if not end.unheard:
                    end.last_progress = self._loop.time()
                end.unheard.extend(messages)
                end.sent += len(messages)
                end.waiting = []
                self._carry(end, messages, first)

    def _carry(self, end: _End, messages: Sequence[Packed], first: int) -> None:
        for some, number in _parts(messages, first):
            self._bus.carry(end.node, end.packet(self.me, some, number, misses=False).packed())

    def _carry_again(self, end: _End) -> None:
        end.last_progress = self._loop.time()
        self._carry(end, list(end.unheard), end.sent - len(end.unheard) + 1)

    def _beat(self) -> None:
        now = self._loop.time()
        self._bus.carry(self.me, Packet(self.me, 0, 0, misses=False, first=0, messages=()).packed())
        for end in list(self._ends.values()):
            if not end.is_silent and now - end.last_packet > SILENT_SECONDS:
                end.is_silent = True
                self._hearer.silent(end.node)
            if end.unheard and now - end.last_progress > _PATIENCE_SECONDS:
                self._carry_again(end)
            else:
                self._bus.carry(end.node, end.packet(self.me, (), 0, misses=False).packed())
        self._beating = self._loop.call_later(BEAT_SECONDS, self._beat)

    # --- what arrives -----------------------------------------------------------------------

    def _on_packet(self, data: bytes) -> None:
        try:
            packet = Packet.read(data)
        except (ValueError, TypeError, msgpack.UnpackException) as problem:
            _LOG.warning("packet unreadable, so it is said again: %s", problem)
            return
        if packet.sender == self.me:
            self._hear_itself()
            return
        end = self._ends.get(packet.sender)
        if end is None:
            # This node has not heard of it yet, and it will say it again; or it was put out.
            if packet.sender in self._gone and not packet.gone:
                answer = Packet(self.me, 0, 0, misses=False, first=0, messages=(), gone=True)
                self._bus.carry(packet.sender, answer.packed())
            return
        if packet.gone:
            self._hearer.put_out()
            return
        end.last_packet = self._loop.time()
        self._acknowledged(end, packet)
        new = self._new_messages(end, packet)
        if end.heard < packet.last and not packet.misses and not new:
            missing = end.packet(self.me, (), 0, misses=True)
            self._bus.carry(end.node, missing.packed())
        if end.is_silent:
            end.is_silent = False
            self._hearer.audible(end.node)
        for message in new:
            self._hand_over(end.node, message)

    def _hand_over(self, sender: int, packed: Packed) -> None:
        """Have a message heard; one that nobody can read must not take others with it."""
        try:
            message = unpack(packed)
        except Unreadable as problem:
            _LOG.error("message of node %d lost: %s", sender, problem)
            return
        self._hearer.hear(sender, message)

    def _hear_itself(self) -> None:
        """A packet to itself has come back: this node is on the bus."""
        now = self._loop.time()
        if now - self._echo > SILENT_SECONDS:
            self._on_bus_since = now
        self._echo = now

    def _acknowledged(self, end: _End, packet: Packet) -> None:
        still = end.sent - packet.heard
        while len(end.unheard) > still:
            end.unheard.popleft()
            end.last_progress = self._loop.time()
        if packet.misses and end.unheard:
            self._carry_again(end)

    def _new_messages(self, end: _End, packet: Packet) -> Sequence[Packed]:
        """The messages of a packet that are next in order; the others are dropped."""
        known = end.heard - packet.first + 1
        if not packet.messages or known < 0 or known >= len(packet.messages):
            return ()
        new = packet.messages[known:]
        end.heard += len(new)
        return new


def _parts(messages: Sequence[Packed], first: int) -> Iterable[tuple[Sequence[Packed], int]]:
    """The messages in packets that the bus takes, each with the number of its first."""
    some: list[Packed] = []
    size = 0
    for message in messages:
        if some and size + len(message) > _PACKET_BYTES:
            yield some, first
            first += len(some)
            some, size = [], 0
        some.append(message)
        size += len(message)
    if some:
        yield some, first
