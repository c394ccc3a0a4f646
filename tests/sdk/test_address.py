"""Plaintext on this machine, TLS beyond it, no accident in between; and what else can be wrong."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from paddock import Ask, Bot, play
from paddock.address import Address, address, given_address, redirected
from paddock.errors import BadSettings
from tests.server.certificates import Authority


class First(Bot):
    def choose(self, ask: Ask) -> Any:
        return ask.legal[0]


class OneString(First):
    formats = "winter"


@pytest.fixture
def pem(tmp_path: Path) -> Path:
    return Authority(tmp_path, "a").certificate


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ("127.0.0.1:7911", Address("127.0.0.1:7911", tls=False)),
        ("localhost:7911", Address("localhost:7911", tls=False)),
        ("[::1]:7911", Address("[::1]:7911", tls=False)),
        ("http://arena.example:7911", Address("arena.example:7911", tls=False)),
        ("https://arena.example:7911", Address("arena.example:7911", tls=True)),
        ("https://localhost:7911/", Address("localhost:7911", tls=True)),
    ],
)
def test_what_a_server_stands_for(server: str, expected: Address) -> None:
    assert address(server) == expected


def test_an_authority_means_tls(pem: Path) -> None:
    read = pem.read_bytes()
    assert address("arena:1", pem) == Address("arena:1", True, read)
    assert address("https://arena:1", None, pem, pem) == Address("arena:1", True, None, read, read)


def test_a_file_without_a_certificate_is_no_authority(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.write_bytes(b"PEM")
    with pytest.raises(BadSettings, match=r"empty\.pem: there is no certificate in it"):
        address("https://arena:1", empty)


def test_the_environment_fills_in_what_is_not_given(
    pem: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_SERVER", "arena:1")
    monkeypatch.setenv("PADDOCK_TLS_CA", str(pem))
    assert given_address() == address("arena:1", pem)
    assert given_address("https://other:2") == address("https://other:2", pem)
    assert given_address("http://other:2") == address("http://other:2")  # without TLS is without


@pytest.mark.parametrize(
    "server", ["", "localhost", "7911", "localhost:port", "ftp://a:1", "https://a:1/path", ":1"]
)
def test_other_ways_to_write_it_are_refused(server: str) -> None:
    with pytest.raises(BadSettings, match=r"^server: write HOST:PORT or https://HOST:PORT, not"):
        address(server)


def test_plaintext_to_another_machine_has_to_be_meant() -> None:
    with pytest.raises(BadSettings, match=r"another machine; write https://arena\.example:7911"):
        address("arena.example:7911")
    with pytest.raises(BadSettings, match="another machine"):
        address("192.0.2.1:7911")


def test_contradictions_are_refused(pem: Path) -> None:
    with pytest.raises(BadSettings, match="means no TLS"):
        address("http://arena:1", pem)
    with pytest.raises(BadSettings, match="both or neither"):
        address("https://arena:1", None, pem)
    with pytest.raises(BadSettings, match="needs TLS"):
        address("localhost:1", None, pem, pem)
    with pytest.raises(BadSettings, match=r"nowhere.pem: No such file"):
        address("https://arena:1", pem.with_name("nowhere.pem"))


def test_a_server_may_name_another_and_never_one_that_is_less_safe() -> None:
    plain, safe = Address("localhost:1", tls=False), Address("a:1", True, b"ca", b"cert", b"key")
    assert redirected(plain, "127.0.0.1:2") == Address("127.0.0.1:2", tls=False)
    assert redirected(plain, "https://b:2") == Address("b:2", tls=True)
    assert redirected(safe, "b:2") == redirected(safe, "https://b:2") == safe._replace(target="b:2")
    for home, server in ((plain, "b:2"), (plain, "nowhere"), (safe, "http://b:2")):
        with pytest.raises(BadSettings, match=r"^server: "):
            redirected(home, server)


@pytest.mark.parametrize(
    ("bot", "settings", "sentence"),
    [
        (First(), {"token": "snow\u2603"}, "token: it has characters that no token has"),
        (First(), {"token": "two\nlines"}, "token: it has characters that no token has"),
        (First(), {"max_matches": 0}, "max_matches: give 1 or more, not 0"),
        (OneString(), {}, r'formats: give a list, such as \("winter",\)'),
    ],
)
def test_what_a_bot_can_not_be_run_with(bot: Bot, settings: Any, sentence: str) -> None:
    with pytest.raises(BadSettings, match=sentence):
        asyncio.run(play(bot, "localhost:1", **settings))
