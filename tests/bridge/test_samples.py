"""The sample bots in other languages play every format to the end, and make no mistake."""

import json
import os
import re
from pathlib import Path

from paddock_games import FORMATS
from tests.bridge.arena import (
    ROOT,
    bridged,
    fallbacks_of,
    faults_of,
    free_address,
    run,
    running,
    serving,
)
from tests.tools import needs, needs_perl

BOTS = ["mine", "house-random", "house-greedy"]
NODE = ROOT / "clients" / "node"


async def plays_everything(folder: Path, *command: object, options: tuple[str, ...] = ()) -> None:
    async with bridged(folder, *command, options=options) as (arena, bot):
        records = await bot.during(arena.play(BOTS, *FORMATS, count=2))
        reveals = {"place_after_reveal": True}
        records += await bot.during(arena.play(BOTS, "winter", rules=reveals))
        assert await bot.end() == 0, bot.said
    assert len(records) == 2 * len(FORMATS) + 1
    for record in records:
        assert set(faults_of(record)) == {None}
        assert set(fallbacks_of(record)) == {None}
        assert not any(seat["forfeit"] for seat in record["seats"])
    assert "Traceback" not in bot.said
    assert "WARNING" not in bot.said


def test_the_bot_of_sh_and_awk(tmp_path: Path) -> None:
    needs("awk", "on Debian: apt-get install mawk")
    run(plays_everything(tmp_path, ROOT / "clients" / "bridge" / "bot.sh"))


def test_the_bot_in_perl(tmp_path: Path) -> None:
    needs_perl()
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


def test_the_bot_in_node_reports_a_choose_that_fails(tmp_path: Path, node_packages: Path) -> None:
    text = (NODE / "bot.js").read_text()
    good = "return crypto.randomInt(ask.choices.length);"
    assert good in text
    broken = tmp_path / "clients" / "node" / "bot.js"
    broken.parent.mkdir(parents=True)
    broken.write_text(text.replace(good, "return ask.seat ? ask.nothing.at.all : -1;"))
    (tmp_path / "proto").symlink_to(ROOT / "proto")

    async def scene() -> None:
        async with serving(tmp_path) as arena:
            command = ["node", broken, arena.address, "mine"]
            async with running(tmp_path, *command, NODE_PATH=str(node_packages)) as bot:
                records = await bot.during(arena.play(BOTS, "winter", count=2))
        reasons = [str(reason) for record in records for reason in fallbacks_of(record)]
        raised = "TypeError: Cannot read properties of undefined (reading 'at')"
        illegal = "RangeError: choose returned -1, which is not the number of a choice"
        assert {raised, illegal} == set(reasons)
        assert {fault for record in records for fault in faults_of(record)} == {None}
        assert raised in bot.said

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
    assert len((NODE / "bot.js").read_text().splitlines()) <= 120
    for sample in ("bot.sh", "bot.pl"):
        assert os.access(ROOT / "clients" / "bridge" / sample, os.X_OK)
