"""TLS and client certificates: who gets as far as the first message, and who does not."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest

from paddock.v1 import bot_pb2, match_pb2
from tests.cli.command import call, start
from tests.server.certificates import Authority, Pair
from tests.server.organiser import Organiser
from tests.server.process import CALM, Process, Server, together
from tests.server.raw import Bot

TOKEN = "organiser-token-of-the-tls-tests"  # noqa: S105


class Keys:
    """All the certificates of these tests."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder, "authority")
        self.stranger = Authority(folder, "stranger")
        self.server = self.authority.sign("server")
        self.client = self.authority.sign("client")
        self.forged = self.stranger.sign("client")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, keys: Keys) -> Iterator[Server]:
    """A server that can be reached from outside, and wants client certificates."""
    options = ("--tls-cert", keys.server.certificate, "--tls-key", keys.server.key)
    client_ca = ("--client-ca", keys.authority.certificate)
    with Server(
        tmp_path_factory.mktemp("tls"),
        *map(str, (*options, *client_ca)),
        grpc="0.0.0.0:0",
        env={"PADDOCK_ORGANISER_TOKEN": TOKEN},
    ) as server:
        server.address = server.address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        yield server


@asynccontextmanager
async def _secure(server: Server, authority: Authority, pair: Pair | None) -> Any:
    key, chain = (pair.key.read_bytes(), pair.certificate.read_bytes()) if pair else (None, None)
    credentials = grpc.ssl_channel_credentials(authority.certificate.read_bytes(), key, chain)
    options = (("grpc.use_local_subchannel_pool", 1),)
    async with grpc.aio.secure_channel(server.address, credentials, options) as channel:
        yield channel


async def _status(channel: grpc.aio.Channel, token: str | None = TOKEN) -> grpc.StatusCode:
    try:
        await Organiser(channel, token).start("two-player", ["house-random", "house-greedy"])
    except grpc.aio.AioRpcError as problem:
        return problem.code()
    return grpc.StatusCode.OK


def test_only_who_has_the_right_certificates_gets_in(server: Server, keys: Keys) -> None:
    async def knock() -> None:
        async with _secure(server, keys.authority, keys.client) as channel:
            assert await _status(channel) is grpc.StatusCode.OK
            assert await _status(channel, None) is grpc.StatusCode.UNAUTHENTICATED
        for authority, pair in (
            (keys.stranger, keys.client),  # the server is not who the client thinks
            (keys.authority, None),  # the client has no certificate
            (keys.authority, keys.forged),  # or one of another authority
        ):
            async with _secure(server, authority, pair) as channel:
                assert await _status(channel) is grpc.StatusCode.UNAVAILABLE
        async with grpc.aio.insecure_channel(server.address) as channel:
            assert await _status(channel) is grpc.StatusCode.UNAVAILABLE

    asyncio.run(knock())


def test_bots_play_over_mutual_tls(server: Server, keys: Keys) -> None:
    async def play() -> None:
        async with _secure(server, keys.authority, keys.client) as channel:
            organiser = Organiser(channel, TOKEN)
            tokens = {
                name: (
                    await organiser.bots.AddBot(
                        bot_pb2.AddBotRequest(name=name),
                        metadata=(("authorization", f"Bearer {TOKEN}"),),
                    )
                ).token
                for name in ("raw", "sdk")
            }
            raw = Bot(channel, "raw", token=tokens["raw"])
            await raw.enter()
            with Process(
                server.folder / "sdk.log",
                *(sys.executable, "-m", "paddock.bots.random"),
                *("--server", f"https://{server.address}", "--name", "sdk"),
                *("--tls-ca", str(keys.authority.certificate)),
                *("--tls-cert", str(keys.client.certificate)),
                *("--tls-key", str(keys.client.key)),
                PADDOCK_TOKEN=tokens["sdk"],
            ):
                for match_id in await organiser.start("two-player", ["raw", "sdk"], 3):
                    assert (await organiser.finished(match_id)).clean()
            await raw.close()
            for token in (*tokens.values(), TOKEN):
                assert token not in server.said()

    asyncio.run(play())


def test_the_commands_speak_mutual_tls(server: Server, keys: Keys) -> None:
    at = ("--server", server.address, "--token", TOKEN)
    ca = ("--tls-ca", keys.authority.certificate)
    mine = ("--tls-cert", keys.client.certificate, "--tls-key", keys.client.key)
    assert start("bot", "list", *at, *ca, *mine).code == 0
    stranger = ("--tls-ca", keys.stranger.certificate, *mine)
    for wrong, words in (
        ((), f"if it uses TLS, write https://{server.address}"),
        (ca, "if it wants client certificates, give --tls-cert and --tls-key"),
        (stranger, "set PADDOCK_TLS_CA or --tls-ca to the file of the server's CA"),
    ):
        assert words in call("bot", "list", *at, *wrong).refused()
    assert "give both" in call("bot", "list", *at, *ca, *mine[:2]).refused()
    assert "write https://" in call("bot", "list", *at, *mine).refused()
    secure = ("--server", f"https://{server.address}", "--token", TOKEN)
    assert call("bot", "list", *secure, *ca, *mine).code == 0
    assert "PADDOCK_TLS_CA" in call("bot", "list", *secure).refused()  # unknown to this machine
    for odd, words in ((f"http://{server.address}", "no TLS"), ("ftp://here:1", "HOST:PORT")):
        assert words in call("bot", "list", "--server", odd, *ca, *mine).refused()
    assert "none.pem: No such file" in call("bot", "list", *at, "--tls-ca", "none.pem").refused()
    no_certificate = ("--tls-ca", keys.server.key)
    assert "the file has no certificate" in call("bot", "list", *at, *no_certificate).refused()


def test_the_environment_names_the_authority(
    server: Server, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ("--server", server.address, "--token", TOKEN)
    mine = ("--tls-cert", keys.client.certificate, "--tls-key", keys.client.key)
    monkeypatch.setenv("PADDOCK_TLS_CA", str(keys.authority.certificate))
    assert call("bot", "list", *at, *mine).code == 0


def test_a_command_prints_no_line_of_grpc_beside_its_own(server: Server, keys: Keys) -> None:
    outcome = start("bot", "list", "--server", f"https://{server.address}", "--token", TOKEN)
    assert "PADDOCK_TLS_CA" in outcome.refused()  # one sentence, and nothing else


@pytest.mark.parametrize(
    ("trusted", "words"),
    [
        (False, "tls/untrusted: the certificate of"),
        (True, "auth/missing_token: the token of sdk is missing; set PADDOCK_TOKEN"),
    ],
)
def test_a_bot_that_will_never_get_in_is_told_why_and_ends(
    server: Server, keys: Keys, tmp_path: Path, trusted: bool, words: str
) -> None:
    authority = keys.authority if trusted else keys.stranger
    with Process(
        tmp_path / "sdk.log",
        *(sys.executable, "-m", "paddock.bots.random", "--name", "sdk"),
        *("--tls-cert", str(keys.client.certificate), "--tls-key", str(keys.client.key)),
        PADDOCK_SERVER=server.address,
        PADDOCK_TLS_CA=str(authority.certificate),
    ) as bot:
        assert bot.wait() == 2
        assert words in bot.said()
        assert "ssl_transport_security" not in bot.said()


TLS = ("--tls-cert", "CERT", "--tls-key", "KEY")
REFUSED: dict[str, tuple[bool, tuple[str, ...], str]] = {
    "plaintext": (False, (), "--tls-cert and --tls-key, or --allow-plaintext"),
    "plaintext, token": (True, (), "--tls-cert and --tls-key, or --allow-plaintext"),
    "allowed, no token": (False, ("--allow-plaintext",), "set PADDOCK_ORGANISER_TOKEN"),
    "TLS, no token": (False, TLS, "set PADDOCK_ORGANISER_TOKEN"),
    "half of TLS": (True, TLS[:2], "give both"),
    "a client CA alone": (True, ("--client-ca", "CERT"), "--client-ca needs"),
    "no such file": (True, ("--tls-cert", "none.pem", "--tls-key", "KEY"), "none.pem: No such"),
    "mixed up": (True, ("--tls-cert", "KEY", "--tls-key", "CERT"), "not a certificate and its key"),
    "another's key": (True, (*TLS[:3], "OTHER"), "not a certificate and its key"),
    "a bad client CA": (True, (*TLS, "--client-ca", "KEY"), "is not a certificate"),
}


def _options(keys: Keys, case: str) -> tuple[str, ...]:
    files = {
        "CERT": str(keys.server.certificate),
        "KEY": str(keys.server.key),
        "OTHER": str(keys.client.key),
    }
    given = (files.get(option, option) for option in REFUSED[case][1])
    return ("serve", "--grpc", "0.0.0.0:0", "--db", "x.db", *given)


@pytest.mark.usefixtures("logs_as_before")
@pytest.mark.parametrize("case", REFUSED)
def test_an_address_for_others_needs_tls_and_a_token(
    keys: Keys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    token, _, words = REFUSED[case]
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PADDOCK_ORGANISER_TOKEN", raising=False)
    if token:
        monkeypatch.setenv("PADDOCK_ORGANISER_TOKEN", TOKEN)
    assert words in call(*_options(keys, case)).refused()
    assert list(tmp_path.iterdir()) == []


def test_the_same_as_processes(keys: Keys, tmp_path: Path) -> None:
    cases = ("plaintext", "allowed, no token")
    for case, outcome in together(tmp_path, {c: _options(keys, c) for c in cases}).items():
        assert REFUSED[case][2] in outcome.refused()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_plaintext_behind_a_proxy_still_needs_tokens(tmp_path: Path) -> None:
    with Server(
        tmp_path,
        "--allow-plaintext",
        config=CALM,
        grpc="0.0.0.0:0",
        env={"PADDOCK_ORGANISER_TOKEN": TOKEN},
    ) as server:
        address = server.address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104

        async def knock() -> None:
            async with grpc.aio.insecure_channel(address) as channel:
                assert await _status(channel) is grpc.StatusCode.OK
                assert await _status(channel, "wrong") is grpc.StatusCode.PERMISSION_DENIED
                assert await _status(channel, None) is grpc.StatusCode.UNAUTHENTICATED
                listed = await Organiser(channel).all(match_pb2.MATCH_STATE_UNSPECIFIED)
                assert len(listed) == 1  # looking needs no token

        asyncio.run(knock())
