"""Servers and bots as processes of their own: started, signalled, killed, started again."""

import asyncio
import os
import random
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from tests.cli.command import Outcome

# Nothing is measured by it: it only keeps a broken test from hanging.
GUARD_S = float(os.environ.get("PADDOCK_TEST_GUARD", "120"))
CALM = "[clock]\nbase = 30.0\nbank = 0.0\n"  # so slow that nobody can be late by accident


def until(what: str, there: Callable[[], Any], seconds: float = GUARD_S) -> Any:
    """What the function returns, as soon as that is something."""
    deadline = time.monotonic() + seconds
    while not (found := there()):
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(0.01)
    return found


async def patiently() -> AsyncIterator[None]:
    """Moments to look again at something that is to come, while others go on."""
    deadline = time.monotonic() + GUARD_S
    while time.monotonic() < deadline:
        yield
        await asyncio.sleep(0.02)
    raise AssertionError("it never came")


def environment(**more: str) -> dict[str, str]:
    """Ours, without what would tell a command more than its test does."""
    ours = {key: value for key, value in os.environ.items() if not key.startswith("PADDOCK_")}
    return {**ours, **more}


def quiet_port() -> int:
    """A free port that no outgoing connection gets by chance, so that it can be taken again."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


class Process:
    """A process that we started; what it says goes to a file."""

    def __init__(self, log: Path, *command: str, **env: str) -> None:
        self.log = log
        with log.open("ab") as file:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                env=environment(**env),
                cwd=log.parent,
            )

    @property
    def pid(self) -> int:
        """Its number."""
        return self._popen.pid

    @property
    def code(self) -> int | None:
        """Its exit code, once it has ended."""
        return self._popen.poll()

    def said(self) -> str:
        """All that it said so far."""
        return self.log.read_text(errors="replace")

    async def will_say(self, words: str) -> None:
        """Wait until it has said this."""
        async for _ in patiently():
            if words in self.said():
                return

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        self._popen.send_signal(number)

    def wait(self) -> int:
        """Its exit code, at its end."""
        return self._popen.wait(GUARD_S)

    def kill(self) -> None:
        """End it without a warning."""
        if self.code is None:
            self._popen.kill()
            self._popen.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


def together(folder: Path, commands: Mapping[str, Sequence[str]], **env: str) -> dict[str, Outcome]:
    """What becomes of these `paddock` commands, each in a new folder, all at the same time.

    None of them may leave a process behind.
    """
    mark = secrets.token_hex(16)  # whoever they start has it, too
    running = {}
    for number, (case, command) in enumerate(commands.items()):
        place = folder / str(number)
        place.mkdir()
        running[case] = subprocess.Popen(
            [sys.executable, "-m", "paddock_server", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(**env, MARK_OF_THE_TEST=mark),
            cwd=place,
        )
    outcomes = {}
    try:
        for case, process in running.items():
            out, err = process.communicate(timeout=GUARD_S)
            outcomes[case] = Outcome(process.returncode, out.decode(), err.decode())
    finally:
        left = marked(mark)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
    assert not left
    return outcomes


def marked(mark: str) -> list[int]:
    """The processes that run with this in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue  # it has just ended, or is not ours
    return found


class Server:
    """`paddock serve` in a folder of its own; started again it is the same server."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        config: str = CALM,
        grpc: str = "127.0.0.1:0",
        env: Mapping[str, str] | None = None,
        module: str = "paddock_server",
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.database = folder / "paddock.db"
        self.log = folder / "server.log"
        self.address = ""
        self.http = ""
        self.process: Process | None = None
        self._grpc = grpc
        self._env = dict(env or {})
        self._config = folder / "paddock.toml"
        self._config.write_text(config)
        self._options = options
        self._module = module

    def start(self) -> Self:
        """Start it, and wait until it listens."""
        already = len(self.log.read_bytes()) if self.log.exists() else 0
        process = self.process = Process(
            self.log,
            sys.executable,
            "-m",
            self._module,
            "serve",
            *("--db", str(self.database), "--grpc", self._grpc, "--http", "127.0.0.1:0"),
            *("--config", str(self._config), *self._options),
            **self._env,
        )

        def listens() -> bool:
            said = self.log.read_bytes()[already:].decode()
            assert process.code is None, said
            found = re.search(r"^bots connect to (\S+)$[^$]*? at http://(\S+)/metrics", said, re.M)
            if found:
                self.address, self.http = found.groups()
            return bool(found)

        until("the server's address", listens)
        return self

    def configure(self, config: str) -> None:
        """Change the configuration, which counts from the next start on."""
        self._config.write_text(config)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.signal(number)

    def wait(self) -> int:
        """Its exit code, at its end."""
        assert self.process is not None
        return self.process.wait()

    def terminate(self) -> int:
        """Tell it to stop, and return its exit code."""
        self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.kill()

    def said(self) -> str:
        """All that it logged, through all its lives."""
        return self.log.read_text(errors="replace")

    def metrics(self) -> str:
        """All metrics, as Prometheus reads them."""
        with urllib.request.urlopen(f"http://{self.http}/metrics") as page:
            text: str = page.read().decode()
        return text

    def metric(self, name: str) -> float:
        """The value of a metric; 0 where nothing was counted yet."""
        lines = self.metrics().splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(f"{name} "))

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()


@contextmanager
def sdk_bot(server: Server, name: str, module: str = "random", **env: str) -> Iterator[Process]:
    """A sample bot of the SDK."""
    with Process(
        server.folder / f"{name}.log",
        *(sys.executable, "-m", f"paddock.bots.{module}"),
        PADDOCK_SERVER=server.address,
        PADDOCK_BOT=name,
        **env,
    ) as process:
        yield process
