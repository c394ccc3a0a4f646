"""No memory goes from match to match of a block: each process of a hosted bot plays one of them."""

from collections import defaultdict
from pathlib import Path

import pytest

from tests.server.process import until
from tests.submissions.arena import (
    accept,
    arena,
    begun,
    bot_folder,
    call,
    owner,
    runner,
    said,
)

REOPENING = """import asyncio, os, sys, time
from pathlib import Path
from paddock import play
from paddock.bots.random import RandomBot

place, name, seen = Path(sys.argv[1]), os.environ["PADDOCK_BOT"], set()

class Reopening(RandomBot):
    async def started(self, match):
        if match.id not in seen:
            seen.add(match.id)
            with (place / "seen").open("a") as file:
                file.write(f"{name} {os.getpid()} {match.id}\\n")
            stop.set()

    def choose(self, ask):
        while not (place / "go").exists():
            time.sleep(0.02)
        return super().choose(ask)

async def main():
    global stop
    while True:
        stop = asyncio.Event()
        await play(Reopening(), stop=stop)

asyncio.run(main())
"""
BOTS = ("ada", "bob", "cyd")
CUP = """name = "cup"
schedule = "round-robin"
formats = ["two-player"]
bots = ["ada", "bob", "cyd"]
"""


@pytest.mark.parametrize("killed", [False, True], ids=["server stays", "server is killed"])
def test_a_process_that_opens_its_stream_again_plays_one_match_of_a_block(
    killed: bool, tmp_path: Path
) -> None:
    with arena(tmp_path / "server") as server, runner(server, slots=4):
        for name in BOTS:
            accept(server, reopening_bot(tmp_path, name), owner(server, name))
        file = tmp_path / "cup.toml"
        file.write_text(CUP)
        if killed:
            with begun(server, file):
                until("a match", lambda: len(seen(tmp_path)) == 2)
            server.kill()
            server.start()
        (tmp_path / "go").touch()
        played = call(server, "tournament", "run", file)
        assert played.code == 0, played
        matches = said(server, "match", "list", "--tournament", "cup", "--limit", "100")
        assert len(matches) == 6  # each pair twice, on one deal
    by_process = seen(tmp_path)
    assert {match for found in by_process.values() for match in found} == {
        match["match"] for match in matches
    }
    assert {process: found for process, found in by_process.items() if len(found) > 1} == {}


def reopening_bot(folder: Path, name: str) -> Path:
    """A bot that ends its stream when a match begins, and opens another one."""
    place = bot_folder(folder, name, **{"bot.py": REOPENING})
    toml = place / "paddock-bot.toml"
    command = f'["python3", "bot.py", "{folder}"]'
    toml.write_text(toml.read_text().replace('["python3", "-m", "paddock.bots.random"]', command))
    return place


def seen(folder: Path) -> dict[tuple[str, int], set[str]]:
    """The matches that each process of a bot has seen."""
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    file = folder / "seen"
    for line in file.read_text().splitlines() if file.exists() else ():
        bot, pid, match = line.split()
        found[bot, int(pid)].add(match)
    return found
