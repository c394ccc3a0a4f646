"""Links: every message arrives once and in order, whatever the bus does."""

import asyncio
from random import Random

import msgpack  # type: ignore[import-untyped]
import pytest

from paddock_server.cluster.link import Link, Packet
from paddock_server.cluster.messages import (
    Back,
    Begin,
    Entered,
    Message,
    Place,
    WasStuck,
    pack,
    unpack,
)
from paddock_server.referee.plan import Entrant
from tests.cluster.memory_bus import MemoryBus, Weather
from tests.simulation.clockwork import Clockwork

ADA = Entrant("ada", "7", "lovelace", sends_nonces=True, commits_nonces=True)


class Ear:
    """Whoever hears; it keeps all of it."""

    def __init__(self) -> None:
        self.messages: list[tuple[int, Message]] = []
        self.said: list[str] = []

    def hear(self, sender: int, message: Message) -> None:
        self.messages.append((sender, message))

    def silent(self, node: int) -> None:
        self.said.append(f"{node} silent")

    def audible(self, node: int) -> None:
        self.said.append(f"{node} audible")

    def put_out(self) -> None:
        self.said.append("put out")


class Nodes:
    """Some nodes with links, in simulated time."""

    def __init__(self, count: int, weather: Weather) -> None:
        self.loop = Clockwork()
        self.weather = weather
        self.ears = {node: Ear() for node in range(1, count + 1)}
        self.links: dict[int, Link] = {}

        async def start() -> None:
            for node, ear in self.ears.items():
                link = self.links[node] = Link(node, MemoryBus(weather), ear)
                link.start()
                link.know(self.ears)

        self.loop.run_until_complete(start())

    def pass_time(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def close(self) -> None:
        for link in self.links.values():
            link.close()
        self.loop.close()


@pytest.mark.parametrize("seed", range(12))
def test_messages_arrive_once_and_in_order_on_a_bad_bus(seed: int) -> None:
    weather = Weather(seed, lost=0.3, twice=0.2, late=0.3)
    nodes, rng = Nodes(3, weather), Random(seed)
    sent: dict[tuple[int, int], list[Message]] = {}
    for number in range(400):
        if rng.random() < 0.02:
            weather.split ^= {frozenset(rng.sample((1, 2, 3), 2))}
        sender, receiver = rng.choice((1, 2, 3)), rng.choice((1, 2, 3))
        message: Message = WasStuck(number, "x" * rng.choice((0, 10, 60_000)))
        nodes.links[sender].send(receiver, message)
        sent.setdefault((sender, receiver), []).append(message)
        if rng.random() < 0.3:
            nodes.pass_time(rng.random() * 0.2)
    weather.split.clear()
    weather.lost = 0.1
    nodes.pass_time(60)
    heard: dict[tuple[int, int], list[Message]] = {}
    for receiver, ear in nodes.ears.items():
        for sender, message in ear.messages:
            heard.setdefault((sender, receiver), []).append(message)
    assert heard == sent
    assert all(link.unheard == 0 for link in nodes.links.values())
    nodes.close()


def test_a_node_without_packets_is_silent_until_it_is_heard_again() -> None:
    weather = Weather()
    nodes = Nodes(2, weather)
    nodes.pass_time(3)
    assert nodes.ears[1].said == []
    weather.split.add(frozenset((1, 2)))
    nodes.links[2].send(1, WasStuck(5, "late"))
    nodes.pass_time(3)
    assert nodes.ears[1].said == ["2 silent"]
    assert nodes.links[1].is_silent(2)
    weather.split.clear()
    nodes.pass_time(3)
    assert nodes.ears[1].said == ["2 silent", "2 audible"]
    assert nodes.ears[1].messages == [(2, WasStuck(5, "late"))]
    nodes.close()


def test_a_node_that_is_gone_gets_and_says_nothing_more() -> None:
    nodes = Nodes(2, Weather())
    nodes.links[1].know((1,))
    nodes.links[1].send(2, WasStuck(1, ""))
    nodes.links[2].send(1, WasStuck(2, ""))
    nodes.pass_time(5)
    assert nodes.ears[1].messages == nodes.ears[2].messages == []
    assert "1 silent" in nodes.ears[2].said
    assert "put out" in nodes.ears[2].said, "it can't know otherwise: it is cut off from the rest"
    assert nodes.ears[1].said == []
    nodes.close()


@pytest.mark.parametrize(
    "message",
    [
        Entered("s", ADA, ("summer", "winter"), 3, "token", "", 5),
        Begin(7, "m", (Place(1, "s", ADA), None)),
        Back(7, Place(2, "t", ADA)),
        WasStuck(3, "why"),
    ],
)
def test_a_message_is_read_as_it_was_written(message: Message) -> None:
    assert unpack(pack(message)) == message


@pytest.mark.parametrize(
    "unreadable",
    [
        b"",
        b"\xc1",
        msgpack.packb(7),
        msgpack.packb((99,)),
        msgpack.packb((1, "s", True, "one more")),
    ],
)
def test_a_message_that_nobody_can_read_takes_no_other_with_it(
    unreadable: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    weather = Weather()
    nodes = Nodes(2, weather)
    some = (pack(WasStuck(1, "before")), unreadable, pack(WasStuck(2, "after")))
    packet = Packet(2, last=3, heard=0, misses=False, first=1, messages=some)
    weather.hearers[1](packet.packed())
    weather.hearers[1](b"\xc1 no packet at all")
    assert nodes.ears[1].messages == [(2, WasStuck(1, "before")), (2, WasStuck(2, "after"))]
    lost, noise = caplog.messages
    assert lost.startswith("message of node 2 lost: ")
    assert noise.startswith("packet unreadable")
    nodes.close()


def test_only_a_node_on_the_bus_says_that_another_is_cut_off() -> None:
    weather = Weather()
    nodes = Nodes(3, weather)
    nodes.pass_time(1)
    weather.split |= {frozenset((1,)), frozenset((1, 2)), frozenset((1, 3))}  # 1 hears nobody
    nodes.pass_time(5)
    assert not nodes.links[2].hears_all
    assert not nodes.links[2].is_cut_off(1), "it may be back soon"
    nodes.pass_time(10)
    assert nodes.links[2].is_cut_off(1)
    assert not nodes.links[2].is_cut_off(3)
    assert not nodes.links[1].is_cut_off(2), "it is itself cut off"
    weather.split.clear()
    nodes.pass_time(1)
    assert all(link.hears_all for link in nodes.links.values())
    nodes.close()


def test_nobody_is_cut_off_while_the_bus_is_down_or_just_back() -> None:
    weather = Weather()
    nodes = Nodes(2, weather)
    weather.lost = 1.0
    nodes.pass_time(30)
    assert not nodes.links[1].is_cut_off(2)
    weather.lost = 0.0
    weather.split.add(frozenset((1, 2)))  # 2 needs a moment longer to find the bus again
    nodes.pass_time(5)
    assert not nodes.links[1].is_cut_off(2)
    nodes.close()
