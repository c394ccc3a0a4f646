"""A server with a played tournament behind it, and a browser to look at it with."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from paddock_ladder.rating import PROVISIONAL
from paddock_server.store import store
from tests.cli.command import start
from tests.server.process import CALM, Server
from tests.store.opened import bot, opened, write
from tests.web.stored import store_match

CUP = """
name = "cup"
schedule = "round-robin"
formats = ["summer", "winter", "two-player"]
seats = 3
bots = [
  { name = "rex", sample = "greedy" },
  { name = "dice", sample = "random" },
  { name = "pebble", sample = "random" },
]
"""
STANDING = "two-player-winter"  # the one ladder whose standing was computed, of two bots
INJECTED = "<script>document.title = 'taken'</script>"
VERSION = '"><img src=x onerror=alert(1)>'
LONG = "a-name-as-long-as-the-name-of-a-bot-can-be"[:40]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip


class Played(NamedTuple):
    """A server, and what is worth looking at there."""

    server: Server
    match: str  # of evil, with a fault in it; rex is hosted and has a fallback
    hidden: str  # over, but its deal is still to be played by others
    secret: str  # the seed of that deal
    twist: str  # of Dino Twist, with as many seats as it takes

    @property
    def base(self) -> str:
        """Where its pages are."""
        return f"http://{self.server.http}"


@contextmanager
def played_server(folder: Path) -> Iterator[Played]:
    """A server after a tournament, and some matches that good bots do not have."""
    (folder / "cup.toml").write_text(CUP)
    done = start("tournament", "run", folder / "cup.toml", "--db", folder / "paddock.db")
    assert done.code == 0, done
    match, hidden, secret, twist = _add(folder / "paddock.db")
    done = start("ladder", "recompute", STANDING, "--db", folder / "paddock.db")
    assert done.code == 0, done
    with Server(folder, config=f"standing_seconds = 0\n{CALM}") as server:
        yield Played(server, match, hidden, secret, twist)
        assert "Traceback" not in server.said()


def _add(path: Path) -> tuple[str, str, str, str]:
    """What a tournament of good bots does not have."""
    evil, rex = ("evil", VERSION, INJECTED), ("rex", "1", "rex")
    with opened(path) as database:
        write(database, store.add_bot, bot("evil", owner=INJECTED, version=VERSION))
        match = store_match(
            database, "two-player", [evil, rex], rated=True, faults={0: "TIMEOUT"},
            fallbacks={1: INJECTED}, shares={1: 0.25},
        )  # fmt: skip
        block: dict[str, Any] = {"tournament": "other", "block": "later", "block_size": 2}
        for _ in range(PROVISIONAL):
            two = [("north", "1", "n"), ("south", "1", "s")]
            store_match(database, STANDING, two, rated=True)
        hidden = store_match(database, "two-player", [evil, rex], pairing="later/0", **block)
        six = [(name, "1", name) for name in ("tide", "claw", "fin", "reef", "crag", LONG)]
        twist = store_match(database, "dino-twist", six)
        with database.engine.connect() as connection:
            found = store.find_match(connection, hidden)
    assert found is not None
    assert found[0].begun is not None
    return match, hidden, found[0].begun.seed, twist


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's browser, without anything that would call home."""
    path = shutil.which("chromium")
    assert path, "the pages are looked at in Chromium; apt-get install chromium"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()
