"""Whole matches from fixed seeds go as they are written out in tests/data/playthroughs.

Where this fails, the rules, the chance or the order of legal choices changed. If that was meant:
`python -m tests.games.playthrough --write`, and read what git shows.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.games.playthrough import FOLDER, PLAYED, text

from paddock_games import FORMATS

every_match = pytest.mark.parametrize("name", PLAYED)


def kept(name: str) -> str:
    """The match as it is kept."""
    return (FOLDER / f"{name}.txt").read_text("utf-8")


@every_match
def test_the_match_goes_as_written(name: str) -> None:
    assert text(PLAYED[name]).splitlines() == kept(name).splitlines()


@every_match
def test_a_match_stays_short_enough_to_read(name: str) -> None:
    lines = kept(name).splitlines()
    assert len(lines) < 400
    assert max(map(len, lines)) < 160


def test_every_format_is_written_out_and_nothing_else() -> None:
    assert {what.format for name, what in PLAYED.items() if name == what.format} == set(FORMATS)
    assert {path.stem for path in FOLDER.glob("*")} == set(PLAYED)


@pytest.mark.parametrize(
    ("name", "shows"),
    [
        ("a1-quarantine-may-stay", "legal: MOVE Rex in quarantine"),
        ("a4-place-after-reveal", "all reveal, and place"),
        ("two-player", "and remove"),
        ("winter", "Quarantine is left"),
        ("series", "==== Game 2, WINTER ===="),
        ("dino-twist", "attacks "),
        ("dino-twist-six", "of the discard pile made a pile of"),
        ("dino-twist-options", "waives the attack"),
    ],
)
def test_what_is_particular_is_shown(name: str, shows: str) -> None:
    assert shows in kept(name)


def test_the_prairie_fills_up_and_no_further() -> None:
    """A3, as it is written out: two and no more."""
    inside = re.findall(r"prairie((?: [A-Z][a-z]{2})+)", kept("a3-prairie-capacity"))
    assert {len(dinosaurs.split()) for dinosaurs in inside} == {1, 2}


def test_the_sixth_turn_is_rolled_by_the_fifth_roller() -> None:
    """A2, as it is written out: the star stays where it was."""
    rollers = [
        line.split()[0]
        for line in kept("a2-five-player-die-hold").splitlines()
        if line[4:5] == "*" and "zoo" in line
    ]
    assert len(rollers) == 12
    for begin in (0, 6):
        assert rollers[begin + 4] == rollers[begin + 5]
        assert sorted(rollers[begin : begin + 5]) == list("01234")


def test_another_process_plays_the_same_match() -> None:
    """With other hashes of strings: nothing depends on the order of a set."""
    program = "from tests.games.playthrough import *; print(text(PLAYED['winter']), end='')"
    for seed in ("1", "2"):
        found = subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).parents[2],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout == kept("winter")
