"""Routes: which address a bot tries next."""

import pytest

from paddock.address import read_address
from paddock.errors import BadSettings
from paddock.route import Route

THREE = "127.0.0.1:1, 127.0.0.1:2,127.0.0.1:3"


def targets(route: Route, count: int) -> list[str]:
    found = []
    for _ in range(count):
        found.append(route.next.target)
        route.failed()
    return found


def test_a_bot_with_several_addresses_tries_them_in_turn() -> None:
    expected = ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "127.0.0.1:1"]
    assert targets(Route(read_address(THREE)), 4) == expected


def test_several_addresses_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDOCK_SERVER", THREE)
    assert targets(Route(read_address()), 2) == ["127.0.0.1:1", "127.0.0.1:2"]


def test_a_goodbye_sends_it_to_another_of_its_addresses_or_to_a_new_one() -> None:
    route = Route(read_address(THREE))
    route.move("127.0.0.1:3")
    assert targets(route, 2) == ["127.0.0.1:3", "127.0.0.1:1"]
    route.move("127.0.0.1:9")
    assert targets(route, 5)[:2] == ["127.0.0.1:9", "127.0.0.1:1"]


def test_one_bad_address_among_several_is_an_error() -> None:
    with pytest.raises(BadSettings, match="not 'nowhere'"):
        read_address("127.0.0.1:1,nowhere")
