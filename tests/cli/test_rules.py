"""`paddock rules score` and `paddock rules legal`."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import call, start

GOLDEN = json.loads(Path("tests/data/golden/draftosaurus.json").read_text())
HAND = {"board": "SUMMER", "zoo": {}, "hand": ["T_REX"], "die": "WOODLANDS", "roller": False}


def _file(tmp_path: Path, value: object) -> Path:
    path = tmp_path / "position.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


@pytest.mark.parametrize("case", GOLDEN["score"], ids=lambda case: case["id"])
def test_score_of_every_golden_position(case: dict[str, Any], tmp_path: Path) -> None:
    outcome = call("rules", "score", _file(tmp_path, case), "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out) == case["expect"]


@pytest.mark.parametrize("case", GOLDEN["legal"], ids=lambda case: case["id"])
def test_legal_of_every_golden_position(case: dict[str, Any], tmp_path: Path) -> None:
    outcome = call("rules", "legal", _file(tmp_path, case), "--json")
    assert outcome.code == 0
    got = [(c["species"], c["pen"], c["slot"]) for c in json.loads(outcome.out)]
    expected = [(c["species"], c["pen"], c["slot"]) for c in case["expect"]]
    assert sorted(got) == sorted(expected)


def test_standard_input_and_table() -> None:
    position = {"board": "SUMMER", "zoos": [{"WOODY_TRIO": ["T_REX"] * 3}, {"RIVER": ["T_REX"]}]}
    outcome = start("rules", "score", "-", stdin=json.dumps(position).encode())
    assert outcome.code == 0
    rows = [line.split("│") for line in outcome.out.splitlines()]
    cells = {row[1].strip(): [cell.strip() for cell in row[2:4]] for row in rows if len(row) > 3}
    assert cells["woody trio"] == ["7", "0"]
    assert cells["t rex bonus"] == ["1", "0"]
    assert cells["total"] == ["8", "1"]
    assert cells["rank"] == ["1", "2"]


def test_rules_options_change_the_answer(tmp_path: Path) -> None:
    position = {"board": "WINTER", "zoos": [{"QUARANTINE": ["T_REX"]}, {}]}
    kept = json.loads(call("rules", "score", _file(tmp_path, position), "--json").out)
    assert kept["scores"][0]["total"] == 0
    position["rules"] = {"quarantine_may_stay": True}  # type: ignore[assignment]
    stays = json.loads(call("rules", "score", _file(tmp_path, position), "--json").out)
    assert stays["scores"][0]["parts"]["T_REX_BONUS"] == 1
    full = {**HAND, "zoo": {"PRAIRIE_OF_LOVE": ["T_REX"] * 6}, "roller": True, "rules": "polish"}
    pens = {
        c["pen"] for c in json.loads(call("rules", "legal", _file(tmp_path, full), "--json").out)
    }
    assert "PRAIRIE_OF_LOVE" not in pens
    assert "RIVER" in pens


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"zoos": [{}, {}]}, "'board' is missing"),
        ({"board": "SPRING", "zoos": [{}, {}]}, 'board: unknown value "SPRING"; use one of SUMMER'),
        ({"board": "SUMMER", "zoos": [{}]}, "zoos: must have 2 to 5 entries"),
        ({"board": "SUMMER", "zoos": [{}] * 6}, "zoos: must have 2 to 5 entries"),
        ({"board": "SUMMER", "zoos": [{"PYRAMID": []}, {}]}, "zoos[0]: unknown key \"PYRAMID\""),
        (
            {"board": "SUMMER", "zoos": [{}, {"FOREST_OF_SAMENESS": ["T_REX", "DIPLODOCUS"]}]},
            "zoos[1].FOREST_OF_SAMENESS[1]: DIPLODOCUS may not stand here",
        ),
        (
            {"board": "SUMMER", "zoos": [{"MEADOW_OF_DIFFERENCES": ["T_REX", "T_REX"]}, {}]},
            "zoos[0].MEADOW_OF_DIFFERENCES[1]: T_REX may not stand here",
        ),
        (
            {"board": "SUMMER", "zoos": [{"KING_OF_THE_JUNGLE": ["T_REX", "T_REX"]}, {}]},
            "zoos[0].KING_OF_THE_JUNGLE: must have 0 to 1 entries, not 2",
        ),
        (
            {"board": "WINTER", "zoos": [{"WELL_ORDERED_WOOD": ["T_REX", "T_REX"]}, {}]},
            "strictly alternating",
        ),
        (
            {"board": "WINTER", "zoos": [{"PYRAMID": ["T_REX", None, None, "T_REX"]}, {}]},
            "zoos[0].PYRAMID[3]: T_REX may not stand here: a row opens",
        ),
        (
            {"board": "SUMMER", "zoos": [{"RIVER": ["T_REX"] * 6}, {"RIVER": ["T_REX"] * 5}]},
            "11 of T_REX, but the box has 10 (D1)",
        ),
        (
            {"board": "SUMMER", "zoos": [{"RIVER": ["T_REX"] * 7 + ["DIPLODOCUS"] * 5,
                                          "WOODY_TRIO": ["STEGOSAURUS"]}, {}]},
            "holds 13 dinosaurs, but a zoo never holds more than 12 (D12)",
        ),
        ({"board": "SUMMER", "zoos": [{"RIVER": ["DODO"]}, {}]}, "unknown value \"DODO\""),
        (
            {"board": "SUMMER", "zoos": [{}, {}], "rules": {"dodo": 1}},
            "rules: unknown option 'dodo'",
        ),
        ({"board": "SUMMER", "zoos": [{}, {}], "rules": "greek"}, "unknown preset 'greek'"),
        ({"board": "SUMMER", "zoos": [{}, {}], "game": "go"}, "game: unknown value \"go\""),
        ([], "must be an object"),
        ("{", "is not JSON"),
        ('{"board": NaN}', "NaN is not a JSON number"),
        ("[" * 100_000, "nested too deeply"),
        ("", "is not JSON"),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused_with_the_reason(
    position: object, words: str, tmp_path: Path
) -> None:
    assert words in call("rules", "score", _file(tmp_path, position)).refused()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hand": []}, "hand: must have 1 to 6 entries"),
        ({"hand": ["T_REX"] * 7}, "hand: must have 1 to 6 entries"),
        ({"die": "SIX"}, 'die: unknown value "SIX"'),
        ({"roller": "no"}, "roller: must be true or false"),
        ({"hand": ["T_REX"] * 4, "zoo": {"RIVER": ["T_REX"] * 7}}, "11 of T_REX"),
        ({"zoo": {"RIVER": ["T_REX"] * 6 + ["DIPLODOCUS"] * 6}}, "zoo: is full"),
        ({"zoos": []}, 'unknown key "zoos"'),
    ],
)
def test_impossible_hands_are_refused_with_the_reason(
    change: dict[str, Any], words: str, tmp_path: Path
) -> None:
    assert words in call("rules", "legal", _file(tmp_path, {**HAND, **change})).refused()


def test_a_file_that_can_not_be_read(tmp_path: Path) -> None:
    assert "No such file" in call("rules", "score", tmp_path / "none.json").refused()
    assert "Is a directory" in call("rules", "score", tmp_path).refused()
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert "is not JSON" in call("rules", "legal", tmp_path / "binary").refused()
    (tmp_path / "large").write_bytes(b" " * (1 << 20) + b"{}")
    assert "is larger than" in call("rules", "legal", tmp_path / "large").refused()
