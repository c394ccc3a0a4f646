"""A server, bots that were handed in, and real runners: the stage for tests of hosted bots.

A small runner without jails accepts the bots at once, so that hostile ones get into a match too.
"""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.server.process import Process, Server
from tests.submissions import arena

ATTACKS = (Path(__file__).parents[1] / "jails" / "attacks.py").read_text()
GOOD = """import runpy, sys
sys.argv[1:] = []
runpy.run_module("paddock.bots.greedy", run_name="__main__")
"""


class Stage:
    """A server with bots of one owner, and the tokens of its runners."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.owner = arena.owner(server, "Ada", bots=40)
        self.mark = secrets.token_hex(8)  # in the command of every bot
        self.tokens: dict[str, str] = {}  # of runners

    def jailed(self) -> set[int]:
        """The processes of this machine that run a bot of this stage."""
        found = set()
        for entry in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError):
                words = Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
                if words[0] == b"python3" and self.mark.encode() in words:
                    found.add(int(entry))
        return found

    def hand_in(self, name: str, program: str = GOOD, version: str = "1", more: str = "") -> None:
        """A bot in Python that is accepted without a look."""
        manifest = 'formats = ["two-player"]\n' + more
        place = arena.bot_folder(
            self.folder, name, version, manifest=manifest, **{"bot.py": program}
        )
        (place / "attacks.py").write_text(ATTACKS)
        toml = place / "paddock-bot.toml"
        usual = '["python3", "-m", "paddock.bots.random"]'
        toml.write_text(toml.read_text().replace(usual, f'["python3", "bot.py", "{self.mark}"]'))
        arena.accept(self.server, place, self.owner)

    def log_of(self, bot: str) -> str:
        """What the owner of a bot can read of what it printed."""
        (*_, newest) = arena.submissions_of(self.server, bot)
        return arena.call(self.server, "submission", "log", newest["id"], token=self.owner).out

    def token(self, name: str) -> str:
        """The token of a runner."""
        if name not in self.tokens:
            self.tokens[name] = arena.said(self.server, "runner", "add", name)["token"]
        return self.tokens[name]

    def runner(self, name: str = "real", *options: str) -> Process:
        """A real runner, with jails."""
        return Process(
            self.folder / f"runner-{name}.log",
            *(sys.executable, "-m", "paddock_server", "runner", "--server", self.server.address),
            *("--accept-weaker", "--slots", "4", *options),
            PADDOCK_RUNNER_TOKEN=self.token(name),
        )

    @contextmanager
    def accepting(self) -> Iterator[Process]:
        """A small runner accepts what is handed in meanwhile."""
        with arena.started(self.server, "small", self.token("small")) as small:
            yield small
