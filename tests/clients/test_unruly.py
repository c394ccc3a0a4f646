"""Bots that are slow or fail, in all languages: the SDK answers for them, and says so."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from paddock_server.checking.check import check
from tests.cli.command import start
from tests.clients.building import Builder
from tests.clients.field import sdk_bots, tournament_file
from tests.clients.languages import Language

FORMATS = ("summer", "dino-twist")
PINGED = 10
PATIENCE = 60.0  # nothing is measured by it


def test_pings_are_answered_while_a_bot_thinks(
    language: Language, builder: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sample bots answer at once; this one thinks longer than a Pong may take."""
    builder.build(language)
    monkeypatch.setenv("UNRULY", "slow")
    command = [str(language.program("unruly"))]
    _, slow = asyncio.run(check(command, ["summer"], PATIENCE, only=["slow choose"]))
    assert slow.passed, slow
    told = re.search(r"of (\d+) pongs meanwhile", slow.sentence)
    assert told, slow
    assert int(told[1]) > PINGED  # a bot that answers at once gets one Ping or two for each ask


def test_a_bot_that_fails_plays_the_default_and_all_are_told(
    builder: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrants = sdk_bots(builder, "unruly")
    monkeypatch.setenv("UNRULY", "failing")
    database, logs = tmp_path / "babel.db", tmp_path / "logs"
    file = tournament_file(tmp_path, entrants, FORMATS)
    played = start("tournament", "run", file, "--db", database, "--logs", logs, cwd=tmp_path)
    assert played.code == 0, played
    records = tmp_path / "babel.jsonl"
    exported = start("export", "--tournament", "babel", "--output", records, "--db", database)
    assert exported.code == 0, exported
    assert start("verify", records).code == 0  # every fallback is the default choice
    for record in map(json.loads, records.read_text().splitlines()):
        assert '"fault": "' not in json.dumps(record["games"])
    for form in FORMATS:
        listed = start("ladder", form, "--db", database, "--json")
        rows = json.loads(listed.out)["standings"]
        assert {row["bot"] for row in rows} == {each.name for each in entrants}
        for row in rows:
            assert row["fallbacks"] > 0
            assert row["faults"] == 0
    for each in entrants:
        log = "\n".join(path.read_text() for path in logs.glob(f"*{each.name}*"))
        assert re.search(r"fallback: match \w{26}, ask \d+", log), (each.name, log[-2000:])
        assert "no idea" in log
