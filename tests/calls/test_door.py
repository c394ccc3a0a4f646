"""The door: so many clients come in at once, and the others wait in the system's queue."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from paddock_server.api.server import Tls
from paddock_server.calls import door as doors
from paddock_server.calls.call_server import CallServer
from paddock_server.calls.door import Door
from tests.server.certificates import Authority


class Client(asyncio.Protocol):
    """A client that came in; it is told."""

    came = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say so."""
        Client.came += 1
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"in")


def test_only_so_many_come_in_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        # Three may come in at once, and the next one in an hour.
        monkeypatch.setattr(doors, "_PLAIN_SECONDS", 3600.0 * doors._SHARE)
        monkeypatch.setattr(doors, "_AT_ONCE_SECONDS", 2.5 * 3600.0 * doors._SHARE)
        Client.came = 0
        door = Door(Client)
        port = await door.take("127.0.0.1:0")
        door.open()
        asked = [await asyncio.open_connection("127.0.0.1", port) for _ in range(6)]
        for reader, _ in asked[:3]:
            assert await reader.readexactly(2) == b"in"
        for _ in range(20):
            await asyncio.sleep(0)
        assert Client.came == 3
        await door.close()
        for _, writer in asked:
            writer.close()

    asyncio.run(main())


@pytest.mark.parametrize("address", ["127.0.0.1:0", "localhost:0", "[::1]:0", "0.0.0.0:0", ":0"])
def test_an_address_is_taken_as_it_is_written(address: str) -> None:
    async def main() -> None:
        door = Door(Client)
        port = await door.take(address)
        assert port > 0
        door.open()
        host = "::1" if "::1" in address else "localhost" if "local" in address else "127.0.0.1"
        reader, writer = await asyncio.open_connection(host, port)
        assert await reader.readexactly(2) == b"in"
        writer.close()
        await door.close()

    asyncio.run(main())


def test_a_socket_is_taken_by_its_path(tmp_path_factory: pytest.TempPathFactory) -> None:
    async def main() -> None:
        door = Door(Client)
        path = tmp_path_factory.mktemp("d") / "s"
        await door.take(f"unix:{path}")
        door.open()
        reader, writer = await asyncio.open_unix_connection(str(path))
        assert await reader.readexactly(2) == b"in"
        writer.close()
        await door.close()

    asyncio.run(main())


def test_who_fails_at_tls_leaves_nothing_behind(tmp_path: Path) -> None:
    async def main() -> None:
        failed: list[dict[str, object]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context))
        pair = Authority(tmp_path, "authority").sign("server")
        server = CallServer()
        port = await server.listen("127.0.0.1:0", Tls(pair.certificate, pair.key).context())
        await server.start()
        for said in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x05hello"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(said)
            writer.write_eof()
            with suppress(ConnectionError):
                await reader.read()  # to the end of the connection
            writer.close()
        assert not server._connections
        await server.stop(None)
        assert failed == []

    asyncio.run(main())
