"""Plaintext on this machine, TLS beyond it, no accident in between."""

from pathlib import Path

import pytest

from paddock_wire.address import Address, BadAddress, address, read_address, redirected
from tests.server.certificates import Authority


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
        ("unix:/paddock.sock", Address("unix:/paddock.sock", tls=False)),
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
    with pytest.raises(BadAddress, match=r"empty\.pem: the file has no certificate"):
        address("https://arena:1", empty)


def test_the_environment_fills_in_what_is_not_given(
    pem: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_SERVER", "arena:1")
    monkeypatch.setenv("PADDOCK_TLS_CA", str(pem))
    assert read_address() == address("arena:1", pem)
    assert read_address("https://other:2") == address("https://other:2", pem)
    assert read_address("http://other:2") == address("http://other:2")  # without TLS is without
    assert read_address("unix:/s") == address("unix:/s")


def test_a_socket_has_a_path_and_no_tls(pem: Path) -> None:
    for server, authority in (("unix:", None), ("unix:/s", pem)):
        with pytest.raises(BadAddress, match=r"^server: write unix:PATH, without TLS, not"):
            address(server, authority)


@pytest.mark.parametrize(
    "server", ["", "localhost", "7911", "localhost:port", "ftp://a:1", "https://a:1/path", ":1"]
)
def test_other_ways_to_write_it_are_refused(server: str) -> None:
    with pytest.raises(BadAddress, match=r"^server: write HOST:PORT or https://HOST:PORT, not"):
        address(server)


def test_plaintext_to_another_machine_has_to_be_meant() -> None:
    with pytest.raises(BadAddress, match=r"another machine; write https://arena\.example:7911"):
        address("arena.example:7911")
    with pytest.raises(BadAddress, match="another machine"):
        address("192.0.2.1:7911")


def test_contradictions_are_refused(pem: Path) -> None:
    with pytest.raises(BadAddress, match="means no TLS"):
        address("http://arena:1", pem)
    with pytest.raises(BadAddress, match="both or neither"):
        address("https://arena:1", None, pem)
    with pytest.raises(BadAddress, match="needs TLS"):
        address("localhost:1", None, pem, pem)
    with pytest.raises(BadAddress, match=r"nowhere.pem: No such file"):
        address("https://arena:1", pem.with_name("nowhere.pem"))


def test_a_server_may_name_another_and_never_one_that_is_less_safe() -> None:
    plain, safe = Address("localhost:1", tls=False), Address("a:1", True, b"ca", b"cert", b"key")
    assert redirected(plain, "127.0.0.1:2") == Address("127.0.0.1:2", tls=False)
    assert redirected(plain, "https://b:2") == Address("b:2", tls=True)
    assert redirected(safe, "b:2") == redirected(safe, "https://b:2") == safe._replace(target="b:2")
    for home, server in ((plain, "b:2"), (plain, "nowhere"), (safe, "http://b:2")):
        with pytest.raises(BadAddress, match=r"^server: "):
            redirected(home, server)
