"""Every SDK finds its server by the environment alone: in a list, over TLS, and by a socket."""

import shlex
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cli.command import start
from tests.clients.building import Builder
from tests.clients.field import Entrant, field
from tests.server.certificates import Authority
from tests.server.process import CALM, Process, Server, quiet_port, until

TOKEN = "organiser-token-of-the-test"  # noqa: S105


@contextmanager
def _behind(path: str, address: str) -> Iterator[None]:
    """A socket on this machine whose bytes go on to a server, and back."""
    host, _, port = address.rpartition(":")
    ends: list[socket.socket] = []

    def carry(one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65_536):
                other.sendall(data)
        except OSError:
            pass  # one of them is closed
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def welcome() -> None:
        while True:
            try:
                come, _ = listening.accept()
            except OSError:
                return
            gone = socket.create_connection((host, int(port)))
            ends.extend((come, gone))
            for pair in ((come, gone), (gone, come)):
                threading.Thread(target=carry, args=pair, daemon=True).start()

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        threading.Thread(target=welcome, daemon=True).start()
        try:
            yield
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            for end in ends:
                end.close()


def _play(
    entrants: list[Entrant],
    server: Server,
    options: tuple[str, ...],
    env: Callable[[str], Mapping[str, str]],
) -> None:
    """Every bot plays two others, and ends cleanly when it is told to."""
    with ExitStack() as bots:
        running = {
            each.name: bots.enter_context(
                Process(
                    server.folder / f"{each.name}.log",
                    *shlex.split(each.command),
                    PADDOCK_BOT=each.name,
                    **env(each.name),
                )
            )
            for each in entrants
        }
        names = list(running)
        until("all bots", lambda: server.metric("paddock_sessions") == len(names))
        for one, other in zip(names, [*names[1:], names[0]], strict=True):
            pair = ("--bot", one, "--bot", other)
            began = start("match", "start", "--format", "two-player", *pair, *options)
            assert began.code == 0, began

        def over() -> bool:
            dead = {name: bot.said() for name, bot in running.items() if bot.code is not None}
            assert not dead
            return server.metric("paddock_matches_total") == len(names)

        until("all matches", over)
        assert server.metric("paddock_fallbacks_total") == 0
        for bot in running.values():
            bot.signal(signal.SIGTERM)
        assert {name: bot.wait() for name, bot in running.items()} == dict.fromkeys(names, 0)


def test_a_list_of_servers_with_tls_and_tokens(builder: Builder, tmp_path: Path) -> None:
    entrants = field(builder, "random")
    authority = Authority(tmp_path, "authority")
    pair = authority.sign("server")
    tls = ("--tls-cert", str(pair.certificate), "--tls-key", str(pair.key))
    secret = {"PADDOCK_ORGANISER_TOKEN": TOKEN}
    with Server(tmp_path / "server", *tls, config=CALM, env=secret) as server:
        servers = f"https://127.0.0.1:{quiet_port()},https://{server.address}"
        whole = ("--server", f"https://{server.address}", "--token", TOKEN)
        options = (*whole, "--tls-ca", str(authority.certificate))
        tokens = {}
        for each in entrants:
            added = start("bot", "add", each.name, *options)
            assert added.code == 0, added
            tokens[each.name] = added.out.split()[-1]

        def env(name: str) -> Mapping[str, str]:
            return {
                "PADDOCK_SERVER": servers,
                "PADDOCK_TLS_CA": str(authority.certificate),
                "PADDOCK_TOKEN": tokens[name],
            }

        _play(entrants, server, options, env)


def test_a_socket_of_this_machine(builder: Builder, tmp_path: Path) -> None:
    entrants = field(builder, "random")
    with (
        TemporaryDirectory() as short,  # the path of a socket has at most 107 characters
        Server(tmp_path / "server", config=CALM) as server,
        _behind(f"{short}/paddock.sock", server.address),
    ):
        servers = f"unix:{short}/nobody.sock,unix:{short}/paddock.sock"
        options = ("--server", server.address)
        _play(entrants, server, options, lambda _: {"PADDOCK_SERVER": servers})
