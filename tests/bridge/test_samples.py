"""The sample bots in other languages play every format to the end, and make no mistake."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from paddock_games import FORMATS
from tests.bridge.arena import ROOT, bridged, faults_of, free_address, run, running, serving

BOTS = ["mine", "house-random", "house-greedy"]
NODE = ROOT / "clients" / "node"


def needs(tool: str, how: str) -> str:
    """Where the tool is; the test is skipped where it isn't."""
    path = shutil.which(tool)
    if path is None:
        pytest.skip(f"needs {tool}: {how}")
    return path


@pytest.fixture(scope="session")
def node_packages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of the Node bot, installed once for each version of its package.json."""
    how = "install Node.js 18 or later with npm, on Debian: apt-get install nodejs npm"
    needs("node", how)
    npm = needs("npm", how)
    package = (NODE / "package.json").read_bytes()
    cache = request.config.cache
    folder = cache.mkdir("node") if cache else tmp_path_factory.mktemp("node")
    home = folder / hashlib.sha256(package).hexdigest()[:16]
    if not home.exists():
        fresh = tmp_path_factory.mktemp("fresh")
        (fresh / "package.json").write_bytes(package)
        options = ("--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
        done = subprocess.run(
            [npm, "install", *options], cwd=fresh, capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"needs npm's registry for npm install: {done.stderr.strip()[-300:]}")
        try:
            shutil.move(fresh, home)
        except OSError:
            assert home.exists()  # another worker was quicker
    return home / "node_modules"


async def plays_everything(folder: Path, *command: object, options: tuple[str, ...] = ()) -> None:
    async with bridged(folder, *command, options=options) as (arena, bot):
        records = await bot.during(arena.play(BOTS, *FORMATS, count=2))
        reveals = {"place_after_reveal": True}
        records += await bot.during(arena.play(BOTS, "winter", rules=reveals))
        assert await bot.end() == 0, bot.said
    assert len(records) == 2 * len(FORMATS) + 1
    for record in records:
        assert set(faults_of(record)) == {None}
        assert not any(seat["forfeit"] for seat in record["seats"])
    assert "Traceback" not in bot.said
    assert "WARNING" not in bot.said


def test_the_bot_of_sh_and_awk(tmp_path: Path) -> None:
    needs("awk", "on Debian: apt-get install mawk")
    run(plays_everything(tmp_path, ROOT / "clients" / "bridge" / "bot.sh"))


def test_the_bot_in_perl(tmp_path: Path) -> None:
    how = "on Debian: apt-get install perl"
    perl = needs("perl", how)
    if subprocess.run([perl, "-MJSON::PP", "-e", "1"], check=False, capture_output=True).returncode:
        pytest.skip(f"needs Perl's own JSON::PP: {how}")
    bot = ROOT / "clients" / "bridge" / "bot.pl"
    run(plays_everything(tmp_path, bot, options=("--max-matches", "4")))


def test_the_bot_in_node(tmp_path: Path, node_packages: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as arena:
            command = ["node", NODE / "bot.js", arena.address, "mine"]
            async with running(tmp_path, *command, NODE_PATH=str(node_packages)) as bot:
                records = await bot.during(arena.play(BOTS, *FORMATS, count=2))
                for record in records:
                    assert set(faults_of(record)) == {None}
                    assert {
                        seat["bot"] for seat in record["seats"] if seat["nonce"].strip("0")
                    } == {"mine"}
        assert "session" in bot.said

    run(scene())


def test_the_bot_in_node_comes_back(tmp_path: Path, node_packages: Path) -> None:
    async def scene() -> None:
        where = await free_address(tmp_path)
        environment = {
            "NODE_PATH": str(node_packages),
            "PADDOCK_SERVER": where,
            "PADDOCK_BOT": "mine",
        }
        async with running(tmp_path, "node", NODE / "bot.js", **environment) as bot:
            for _ in range(2):
                async with serving(tmp_path, grpc=where) as arena:
                    (record,) = await bot.during(arena.play(BOTS, "winter"))
                    assert set(faults_of(record)) == {None}
        assert "next attempt in" in bot.said

    run(scene())


def test_the_bot_in_node_takes_a_refusal_for_one(tmp_path: Path, node_packages: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as arena:
            command = ["node", NODE / "bot.js", arena.address, "mine", "no token"]
            async with running(tmp_path, *command, NODE_PATH=str(node_packages)) as bot:
                assert await bot.process.wait() == 2
                assert "auth/bad_token" in bot.said

    run(scene())


def test_the_samples_are_small_and_pinned() -> None:
    assert not (NODE / "package-lock.json").exists()
    package = json.loads((NODE / "package.json").read_text())
    assert package["private"] is True
    for pinned in package["dependencies"].values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", pinned)
    assert len((NODE / "bot.js").read_text().splitlines()) < 100
    for sample in ("bot.sh", "bot.pl"):
        assert os.access(ROOT / "clients" / "bridge" / sample, os.X_OK)
