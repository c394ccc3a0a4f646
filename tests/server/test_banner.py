"""What `paddock serve` prints when it is ready is true: its hints are run as they stand."""

import os
import re
import shutil
import sys
import urllib.request
from pathlib import Path
from typing import NamedTuple

import pytest

from paddock_server.basics.contact import Contact
from paddock_server.cli.banner import banner
from tests.server.certificates import Authority
from tests.server.process import Process, until

ORGANISER = "organiser-token-of-the-banner-tests"
TLS = ("--tls-cert", "server.pem", "--tls-key", "server.key")


class Way(NamedTuple):
    """A way to run a server."""

    grpc: str = "127.0.0.1:0"
    options: tuple[str, ...] = ()
    token: bool = False
    http: str = ""


WAYS = {
    "plain": Way(),
    "plain, pages": Way(http="127.0.0.1:0"),
    "plain, organiser's token": Way(token=True),
    "TLS": Way(options=TLS, http="127.0.0.1:0"),
    "TLS, token, everywhere": Way("0.0.0.0:0", TLS, True, "0.0.0.0:0"),
    "mTLS, token": Way("0.0.0.0:0", (*TLS, "--client-ca", "CA.pem"), True),
    "plaintext, everywhere": Way("0.0.0.0:0", ("--allow-plaintext",), True),
}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the hints and the servers name."""
    folder = tmp_path_factory.mktemp("keys")
    authority = Authority(folder, "authority")
    shutil.copy(authority.certificate, folder / "CA.pem")
    for name, pair in (("server", authority.sign("server")), ("BOT", authority.sign("client"))):
        shutil.copy(pair.certificate, folder / f"{name}.pem")
        shutil.copy(pair.key, folder / f"{name}.key")
    return folder


def _bash(log: Path, command: str, **env: str) -> Process:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return Process(log, "bash", "-c", command, PATH=path, **env)


@pytest.mark.parametrize("way", WAYS)
def test_every_hint_works_as_it_is_printed(tmp_path: Path, keys: Path, way: str) -> None:
    shutil.copytree(keys, tmp_path, dirs_exist_ok=True)
    grpc, options, token, http = WAYS[way]
    command = ["-m", "paddock_server", "serve", "--grpc", grpc, *options]
    if http:
        command += ["--http", http]
    secret = {"PADDOCK_ORGANISER_TOKEN": ORGANISER} if token else {}
    with Process(tmp_path / "server.log", sys.executable, *command, **secret) as server:
        until("a first bot", lambda: "a first bot: " in server.said() or server.code is not None)
        said = server.said().replace("HOST", "127.0.0.1")
        assert ("https://" in said) is bool(options and options != ("--allow-plaintext",))
        if http:
            (pages,) = re.findall(r"^the pages are at http://(\S+)$", said, re.M)
            with urllib.request.urlopen(f"http://{pages}") as page:
                home = page.read().decode()
        else:
            assert "add --http" in said
        if token:
            (add,) = re.findall(r"^a token for a bot: (.*)$", said, re.M)
            with _bash(tmp_path / "add.log", add, **secret) as adding:
                assert adding.wait() == 0, adding.said()
            said = said.replace("PADDOCK_TOKEN=TOKEN", f"PADDOCK_TOKEN={adding.said().split()[-1]}")
        (first,) = re.findall(r"^a first bot: (.*)$", said, re.M)
        if http:  # the page tells the same
            (shown,) = re.findall(r"PADDOCK_SERVER=\S+", first)
            assert shown in home
        with _bash(tmp_path / "bot.log", first) as bot:
            until(
                f"the bot: {first}", lambda: "bot=greedy" in server.said() or bot.code is not None
            )
            assert bot.code is None, bot.said()
        assert "Traceback" not in server.said()


def test_placeholders_are_explained_where_they_are_used() -> None:
    everything = Contact("0.0.0.0:7911", tls=True, client_certificates=True, tokens=True)
    said = "\n".join(banner(everything, "127.0.0.1:7912"))
    for word in ("HOST", "CA.pem", "BOT.pem", "TOKEN"):
        assert re.search(rf"^{word} ", said, re.M), word
    plain = "\n".join(banner(Contact("[::1]:7911"), None))
    assert plain.splitlines()[0] == "bots connect to [::1]:7911"
    assert "PADDOCK_SERVER=[::1]:7911 python -m paddock.bots.greedy" in plain
    for word in ("HOST", "CA.pem", "BOT.pem", "TOKEN", "https"):
        assert word not in plain
