"""Bots of all languages at one table: every format, and nobody makes a mistake."""

import json
from collections import Counter
from pathlib import Path

from paddock_games import FORMATS
from tests.cli.command import start
from tests.clients.building import Builder
from tests.clients.field import field, tournament_file


def test_a_tournament_of_all_languages(builder: Builder, tmp_path: Path) -> None:
    entrants = field(builder, "greedy")
    database = tmp_path / "babel.db"
    logs = tmp_path / "logs"
    file = tournament_file(tmp_path, entrants, FORMATS)
    played = start("tournament", "run", file, "--db", database, "--logs", logs, cwd=tmp_path)
    assert played.code == 0, played
    records = tmp_path / "babel.jsonl"
    exported = start("export", "--tournament", "babel", "--output", records, "--db", database)
    assert exported.code == 0, exported
    verified = start("verify", records)
    assert verified.code == 0, verified
    matches = [json.loads(line) for line in records.read_text().splitlines()]
    formats = Counter(match["format"] for match in matches)
    assert set(formats) == set(FORMATS)
    seen, dealing = set(), set()
    for match in matches:
        bots = [seat["bot"] for seat in match["seats"]]
        assert len(set(bots)) == len(bots)
        seen |= set(bots)
        text = json.dumps(match["games"])
        assert '"fallback"' not in text
        assert '"fault": "' not in text
        dealing |= {seat["bot"] for seat in match["seats"] if seat["nonce"].strip("0")}
    assert seen == {each.name for each in entrants}
    assert dealing == seen  # a deal waits a second for nonces, and a busy machine may miss that
    for path in logs.iterdir():
        assert "Traceback" not in path.read_text(errors="replace"), path
