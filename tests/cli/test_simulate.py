"""`paddock simulate`: reproducible, fair to seats, and nothing half-written."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from paddock_games.registry import FORMATS
from tests.cli.command import call, start
from tests.independent import dino_twist, draftosaurus

CHECKS = {"draftosaurus": draftosaurus.check, "dino_twist": dino_twist.check}
RULES = {
    "draftosaurus": ("international", "polish", '{"place_after_reveal": true}'),
    "dino_twist": ("standard", '{"attack_with_play": true, "claw_strengths": "9 10"}'),
}


def _simulate(path: Path, *arguments: object) -> bytes:
    outcome = call("simulate", "--records", path, *arguments)
    assert outcome.code == 0, outcome
    return path.read_bytes()


def test_the_same_seed_gives_the_same_bytes_whatever_the_jobs(tmp_path: Path) -> None:
    common = ("--format", "winter", "--games", 120, "--seed", 7)
    one = _simulate(tmp_path / "one", *common, "--jobs", 1)
    assert _simulate(tmp_path / "again", *common, "--jobs", 1) == one
    assert _simulate(tmp_path / "two", *common, "--jobs", 2) == one
    process = start("simulate", *common, "--jobs", 3, "--records", "three", cwd=tmp_path)
    assert process.code == 0, process
    assert (tmp_path / "three").read_bytes() == one
    other = _simulate(tmp_path / "other", *common[:-1], 8, "--jobs", 1)
    assert other != one


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_and_size_makes_records_that_check_out(name: str, tmp_path: Path) -> None:
    least, most = FORMATS[name].seats
    for seats in range(least, most + 1):
        for rules in RULES[FORMATS[name].game]:
            path = tmp_path / f"{seats}.jsonl"
            common = ("--format", name, "--seats", seats, "--games", 6, "--rules", rules)
            records = _simulate(path, *common, "--seed", seats, "--jobs", 1).splitlines()
            assert len(records) == 6
            for line in records:
                CHECKS[FORMATS[name].game](json.loads(line))
            assert call("verify", path).out == "6 of 6 records check out\n"


def test_bots_fill_the_seats_in_turn_and_change_seats(tmp_path: Path) -> None:
    path = tmp_path / "records"
    lines = _simulate(path, "--format", "summer", "--games", 20, "--seats", 4, "--seed", 1)
    lineups = [tuple(s["bot"] for s in json.loads(line)["seats"]) for line in lines.splitlines()]
    assert lineups[:2] == [("random", "greedy") * 2, ("greedy", "random") * 2]
    seats = Counter((bot, seat) for lineup in lineups for seat, bot in enumerate(lineup))
    assert set(seats.values()) == {10}


def test_summary_as_json_counts_every_result(tmp_path: Path) -> None:
    outcome = call("simulate", "--format", "summer", "--format", "two-player", "--games", 30,
                   "--seed", 3, "--jobs", 1, "--json")  # fmt: skip
    summer, two = json.loads(outcome.out)
    assert (summer["format"], summer["seats"], two["format"], two["seats"]) == (
        "summer", 4, "two-player", 2,
    )  # fmt: skip
    assert [bot["bot"] for bot in summer["bots"]] == ["greedy", "random"]
    assert sum(bot["results"] for bot in summer["bots"]) == 120
    assert sum(bot["wins"] * bot["results"] for bot in summer["bots"]) == pytest.approx(30)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--format", "spring"), "format: unknown format 'spring'; use one of summer, winter"),
        (
            ("--format", "winter", "--seats", "2"),
            "seats: winter is played with 3 to 5 seats, not 2",
        ),
        (("--format", "two-player", "--seats", "3"), "two-player is played with 2 seats, not 3"),
        (("--format", "summer", "--bots", "dodo"), "--bots: no built-in bot 'dodo'"),
        (("--format", "summer", "--bots", ""), "--bots: no built-in bot ''"),
        (("--format", "summer", "--rules", "greek"), "--rules: unknown preset 'greek'"),
        (("--format", "summer", "--rules", "{"), "--rules: is not JSON"),
        (
            ("--format", "dino-twist", "--seats", "2", "--rules", '{"small_seats": "2"}'),
            "small_seats: there is no seat 2, only 2 seats",
        ),
        (
            ("--format", "dino-twist-small", "--rules", '{"small_seats": "0"}'),
            "small_seats: every island of dino-twist-small is small; leave the option out",
        ),
        (("--format", "summer", "--games", "0"), "'--games': 0 is not in the range"),
        (("--format", "summer", "--jobs", "many"), "'many' is not a valid integer"),
        ((), "Missing option '--format'"),
        (("--format", "summer", "--speed", "9"), "--speed"),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "records.jsonl"
    assert words in call("simulate", "--records", path, *arguments).refused()
    assert list(tmp_path.iterdir()) == []


def test_records_go_to_a_file_that_can_be_written(tmp_path: Path) -> None:
    common = ("simulate", "--format", "summer", "--games", 1, "--jobs", 1, "--records")
    assert "not found; create it first" in call(*common, tmp_path / "no" / "file").refused()
    assert "is a folder" in call(*common, tmp_path).refused()


def test_ctrl_c_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("old\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "paddock_server", "simulate", "--format", "summer",
         "--games", "1000000", "--jobs", "2", "--records", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    while not any(part.stat().st_size for part in tmp_path.glob(".records.jsonl.*")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)  # until the first batch is on its way to the disk
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate()
    assert process.returncode == 130
    assert (out, err.strip()) == (b"", b"paddock: interrupted; nothing was written")
    assert [part.name for part in tmp_path.iterdir()] == ["records.jsonl"]
    assert path.read_text() == "old\n"
