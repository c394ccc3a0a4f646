"""`paddock verify` and `paddock show` on good, tampered, truncated and random records."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paddock_games import read_record, replay
from paddock_games.registry import FORMATS
from tests.cli.command import call, start


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three records of every format."""
    path = tmp_path_factory.mktemp("records") / "good.jsonl"
    formats = [word for name in FORMATS for word in ("--format", name)]
    code = call(
        "simulate", *formats, "--games", 3, "--seed", 5, "--jobs", 1, "--records", path
    ).code
    assert code == 0
    return path.read_text().splitlines()


def _file(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(line + "\n" for line in lines))
    return path


def test_good_records_check_out(lines: list[str], tmp_path: Path) -> None:
    path = _file(tmp_path, *lines)
    assert call("verify", path) == (0, f"{len(lines)} of {len(lines)} records check out\n", "")
    as_json = call("verify", path, "--json")
    assert json.loads(as_json.out) == {"records": len(lines), "wrong": []}
    piped = start("verify", "-", stdin=path.read_bytes())
    assert (piped.code, piped.err) == (0, "")


def _fell_back(reason: str) -> Callable[[Any], None]:
    """A fallback in a decision that is not the default."""

    def change(record: Any) -> None:
        record["games"][0]["turns"][1]["placements"][0]["fallback"] = reason

    return change


def _swap_first_placements(record: dict[str, Any]) -> None:
    turns = record["games"][0]["turns"]
    turns[0]["placements"], turns[1]["placements"] = turns[1]["placements"], turns[0]["placements"]


def _set(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        assert record[path[-1]] != to
        record[path[-1]] = to

    return change


LIES: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (_set("record", to="paddock/9"), "record: unknown value"),
    (_set("fairness", "seed", to="00" * 32), "fairness.commitment: is"),
    (_set("fairness", "commitment", to="00" * 32), "fairness.commitment: is"),
    (_set("seats", 0, "nonce", to="00" * 16), "games[0]."),
    (_set("games", 0, "first_roller", to=9), "games[0].first_roller: is 9"),
    (_set("games", 0, "deals", 0, 0, to=["T_REX"] * 6), "games[0].deals[0][0]["),
    (_set("games", 0, "turns", 3, "die", to="SIX"), "games[0].turns[3].die: is"),
    (_set("games", 0, "turns", 3, "roller", to=9), "games[0].turns[3].roller: is 9"),
    (_set("games", 0, "turns", 0, "placements", 0, "pen", to="ZOO"), "there is no choice"),
    (_set("games", 0, "turns", 0, "placements", 0, "ms", to=-1), "placements[0].ms: must be"),
    (_set("games", 0, "turns", 0, "placements", 0, "fault", to="BORED"), "fault: unknown value"),
    (_fell_back("a\nbug"), "placements[0].fallback: must be a reason in printable characters"),
    (_fell_back("a bug"), "games[0].turns[1]: seat 0: a fallback must be the default choice"),
    (_set("seats", 1, "forfeit", to=True), "seats[1].forfeit: is true, but the seat has neither"),
    (_swap_first_placements, "games[0].turns["),
    (_set("games", 0, "scores", 0, "total", to=99), "games[0].scores[0].total: is 99"),
    (_set("games", 0, "scores", 0, "t_rexes", to=99), "games[0].scores[0].t_rexes: is 99"),
    (_set("games", 0, "scores", 0, "parts", "RIVER", to=99), "scores[0].parts.RIVER: is 99"),
    (_set("totals", 0, to=99), "totals[0]: is 99"),
    (_set("ranks", to=[9, 9, 9, 9]), "ranks[0]: is 9"),
    (_set("rules", "prairie_capacity", to=0), "rules.prairie_capacity: give null"),
    (_set("started", to="yesterday"), "started: must be a time"),
    (_set("seats", to=[]), "seats: must have 3 to 5 entries"),
    (_set("format", to="two-player"), "seats: must have 2 entries"),
    (_set("game", to="chess"), "game: unknown value"),
    (_set("games", to=[]), "games: must have 1 entries"),
]


@pytest.mark.parametrize(("lie", "words"), LIES)
def test_every_lie_is_named(
    lie: Callable[[dict[str, Any]], None], words: str, lines: list[str], tmp_path: Path
) -> None:
    record = json.loads(lines[0])
    lie(record)
    path = _file(tmp_path, lines[1], json.dumps(record), lines[2])
    outcome = call("verify", path)
    assert outcome.code == 1
    first, last = outcome.out.splitlines()
    assert first.startswith("line 2: ")
    assert words in first
    assert last == "2 of 3 records check out, 1 do not"
    wrong = json.loads(call("verify", path, "--json").out)["wrong"]
    assert [each["line"] for each in wrong] == [2]
    assert f"line 2: {wrong[0]['problem']}" == first


def test_truncated_and_foreign_lines_are_bad_records(lines: list[str], tmp_path: Path) -> None:
    path = _file(tmp_path, lines[0], lines[1][:1000], "", "[]", '"\\ud800\x1b[2J"', lines[2])
    outcome = call("verify", path)
    assert outcome.code == 1
    assert re.findall(r"^line (\d+): ", outcome.out, re.MULTILINE) == ["2", "4", "5"]
    assert "\x1b" not in outcome.out


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert "has no records in it" in call("verify", _file(tmp_path)).refused()
    assert "No such file" in call("verify", tmp_path / "none").refused()
    assert "has no match 1" in call("show", _file(tmp_path)).refused()


def test_show_draws_every_turn_of_every_format(lines: list[str], tmp_path: Path) -> None:
    path = _file(tmp_path, *lines)
    for number, line in enumerate(lines, start=1):
        record = json.loads(line)
        outcome = call("show", path, "--match", number)
        assert outcome.code == 0, outcome
        turns = sum(len(game.get("turns") or game["rounds"]) for game in record["games"])
        assert len(re.findall(r"^(Turn \d+ of|Round \d+) ", outcome.out, re.MULTILINE)) == turns
        assert all(
            f"seat {s}: {seat['bot']}" in outcome.out for s, seat in enumerate(record["seats"])
        )
        assert record["match"] in outcome.out
        by_id = call("show", path, "--match", record["match"], "--turn", turns)
        assert outcome.out.endswith(by_id.out)


def test_show_tells_the_share_of_a_core_where_the_arena_gave_one(
    lines: list[str], tmp_path: Path
) -> None:
    record = json.loads(lines[0])
    assert "core" not in call("show", _file(tmp_path, lines[0])).out
    record["seats"][1]["cpu_share"] = 0.375
    hosted = _file(tmp_path, json.dumps(record))
    assert call("verify", hosted).code == 0
    outcome = call("show", hosted)
    assert "share of a core" in outcome.out
    (row,) = [line for line in outcome.out.splitlines() if "0.375" in line]
    assert record["seats"][1]["bot"] in row


def test_show_draws_who_stands_where(lines: list[str], tmp_path: Path) -> None:
    record = json.loads(lines[0])
    outcome = call("show", _file(tmp_path, lines[0]), "--turn", 1)
    arrows = outcome.out.count("←")
    assert arrows == len(record["seats"])
    for placement in record["games"][0]["turns"][0]["placements"]:
        words = placement["pen"].replace("_", " ").lower()
        assert f"to the {words}" in outcome.out


def test_show_says_what_chance_gave(lines: list[str], tmp_path: Path) -> None:
    for line in lines:
        lucks = replay(read_record(line)).luck
        out = call("show", _file(tmp_path, line)).out
        for luck in lucks:
            parts = [
                f"{value:+.1f} from the {name}"
                for name, value in (("die", luck.die), ("deal", luck.deal))
                if value
            ]
            assert ", ".join(parts) in out


def test_show_marks_who_did_not_choose(lines: list[str], tmp_path: Path) -> None:
    """A fault and a fallback of every format, in the first decisions."""
    for line in lines:
        record = json.loads(line)
        game = record["games"][0]
        first = game["turns"][0]["placements"] if "turns" in game else game["rounds"][0]["plays"]
        first[0]["fault"] = "TIMEOUT"
        first[1]["fallback"] = "KeyError: [red]'pen'[/nope]"
        out = " ".join(call("show", _file(tmp_path, json.dumps(record)), "--turn", 1).out.split())
        names = [seat["bot"] for seat in record["seats"]]
        assert f"seat 0: {names[0]}: TIMEOUT; the referee chose: P" in out
        fallback = "fallback: KeyError: [red]'pen'[/nope]; the client chose: P"
        assert f"seat 1: {names[1]}: {fallback}" in out


TOKEN = re.compile(r"\b(?:TR|DI|TC|SP|ST|PA)\b")


def test_show_draws_hand_and_board_of_the_same_moment(lines: list[str], tmp_path: Path) -> None:
    """As the seats saw them before they decided: what is chosen is still in the hand."""
    record = json.loads(lines[0])
    path = _file(tmp_path, lines[0])
    seats = len(record["seats"])
    for turn in range(1, 13):
        out = call("show", path, "--turn", turn).out
        picture, _, end = out.partition("The end")
        hands = re.findall(r"│ hand +([^│]*?) *│", picture)
        in_hand = 6 - (turn - 1) % 6
        assert [len(TOKEN.findall(hand)) for hand in hands] == [in_hand] * seats
        assert len(TOKEN.findall(picture)) == seats * (in_hand + turn - 1)
        assert len(TOKEN.findall(end)) == (12 * seats if turn == 12 else 0)
    totals = re.findall(r"(\d+) points ─╯", end)
    assert totals == [str(total) for total in record["totals"]]


def test_show_draws_the_end_of_every_game(lines: list[str], tmp_path: Path) -> None:
    for line in lines[::3]:  # one of every format
        path, turn = _file(tmp_path, line), 0
        for game in json.loads(line)["games"]:
            turn += len(game.get("turns") or game["rounds"])
            _, _, end = call("show", path, "--turn", turn).out.partition("The end")
            points = [int(total) for total in re.findall(r"(\d+) points ─╯", end)]
            assert points == [score["total"] for score in game["scores"]]


def test_show_refuses_what_is_not_there(lines: list[str], tmp_path: Path) -> None:
    path = _file(tmp_path, lines[0], lines[1][:500])
    assert (
        "this match has 12 turns, not 13; give 1 to 12"
        in call("show", path, "--turn", 13).refused()
    )
    assert "has no match 3" in call("show", path, "--match", 3).refused()
    assert "line 2: is not JSON" in call("show", path, "--match", 2).refused()
    assert "--turn" in call("show", path, "--turn", 0).refused()


def test_a_hostile_name_stays_text(lines: list[str], tmp_path: Path) -> None:
    record = json.loads(lines[0])
    record["seats"][0]["bot"] = "[red]x[/nope]\x1b]0;owned\x07\ud800"
    outcome = call("show", _file(tmp_path, json.dumps(record)))
    assert outcome.code == 0
    assert "[red]x[/nope]" in outcome.out
    assert "\x1b" not in outcome.out
    outcome.out.encode()  # nothing that can't be printed


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_records_never_show_a_traceback(
    data: st.DataObject, lines: list[str], tmp_path: Path
) -> None:
    record = json.loads(data.draw(st.sampled_from(lines)))
    place: Any = record
    while True:  # walk to a random node and replace or remove it
        key = data.draw(
            st.sampled_from(list(place) if isinstance(place, dict) else range(len(place)))
        )
        deeper = isinstance(place[key], dict | list) and place[key]
        if not deeper or data.draw(st.integers(0, 3)) == 0:
            break
        place = place[key]
    if data.draw(st.booleans()):
        del place[key]
    else:
        place[key] = data.draw(JSON)
    path = _file(tmp_path, json.dumps(record))
    verified = call("verify", path)
    assert verified.code in (0, 1)
    assert verified.err == ""
    shown = call("show", path)
    assert shown.code in (0, 2)
    if shown.code == 2:
        shown.refused()
        assert verified.code == 1


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300) | JSON.map(lambda value: json.dumps(value).encode()))
def test_random_files_never_show_a_traceback(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert call("verify", path).code in (1, 2)
    call("show", path).refused()
    call("rules", "score", path).refused()
    call("rules", "legal", path).refused()
