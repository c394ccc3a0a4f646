"""`paddock replay`: a bot is asked again what its seat was asked, over a real stream."""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from paddock_games import Match, play, read_record, replay, write_record
from paddock_games.clock import Clock
from paddock_games.decision import decisions
from paddock_games.record import PlayedMatch
from paddock_server.checking.rehearsal import Rehearsal, Wanted, rehearse
from tests.cli.command import Outcome, call, start
from tests.games.refereed import CLOCK, refereed
from tests.games.tables import TABLES, match, played

BOTS = Path(__file__).with_name("bots.py")
AT_ONCE = 4
PATIENCE = 120.0  # nothing is measured by it
MIDDLE = """
from paddock import Bot, run


class Middle(Bot):
    def started(self, match):
        print("clock", *match.clock, "seat", match.seat, flush=True)

    def choose(self, ask):
        print("ask", ask.time_ms, ask.bank_ms, flush=True)
        return ask.legal[len(ask.legal) // 2]

    def happened(self, match, event):
        print("step", event.step, flush=True)

    def ended(self, match, result):
        print("ended", result.mine.rank, result.mine.faults, result.kept_its_word, flush=True)


run(Middle())
"""
BOTS_OF_LINES = """
while read -r line; do
    case $line in
        *'"type":"ask"'*) echo 0 ;;
    esac
done
"""


def middle(view: Any, _rng: object = None) -> Any:
    """What the bot above chooses."""
    return view.legal[len(view.legal) // 2]


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bots") / "middle.py"
    path.write_text(MIDDLE)
    return path


def _replay(one: Match, steps: Any, end: Any) -> PlayedMatch:
    return replay(read_record(json.dumps(write_record(one, steps, end))))


# Every format, and picks that are revealed before they are placed.
KINDS = [
    *({form: (form, seats, None) for form, seats in TABLES}.values()),
    ("two-player-winter", 2, {"place_after_reveal": True, "quarantine_may_stay": True}),
]


def test_every_format_is_asked_again_as_it_was(bot: Path) -> None:
    """The recorded choices are played on with, so the bot differs exactly where it must."""

    async def all_of_them() -> list[tuple[Wanted, list[str], Rehearsal]]:
        free = asyncio.Semaphore(AT_ONCE)

        async def one_of_them(
            form: str, seats: int, rules: object
        ) -> tuple[Wanted, list[str], Rehearsal]:
            one = match(form, seats, rules, number=4)
            wanted = Wanted(_replay(one, *played(one)), seats - 1, None, PATIENCE)
            lines: list[str] = []
            async with free:
                command = (sys.executable, str(bot))
                return wanted, lines, await rehearse(command, wanted, lines.append)

        return await asyncio.gather(*(one_of_them(*kind) for kind in KINDS))

    outcomes = asyncio.run(all_of_them())
    assert len(outcomes) == len(KINDS)
    for wanted, lines, found in outcomes:
        expected = list(decisions(wanted.match, wanted.seat))
        assert found.problem == ""
        assert [each.decision for each in found.comparisons] == expected
        assert found.asked == len(expected)
        for each in found.comparisons:
            view = each.decision.state.view(wanted.seat)
            assert each.choice == middle(view)
            assert each.same is (each.choice == each.decision.choice)
            assert each.ms >= 0
        steps = [line for line in lines if line.startswith("step ")]
        assert steps == [f"step {number}" for number in range(len(wanted.match.steps))]
        rank = wanted.match.end.result().ranks()[wanted.seat]
        assert f"ended {rank} 0 True" in lines


def _file(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "matches.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def _command(*arguments: object) -> Outcome:
    return start("replay", *arguments)


def test_a_table_of_what_differs_or_of_everything(bot: Path, tmp_path: Path) -> None:
    one = match("summer", 3, number=8)
    steps, end = play(one.start(), [middle] * 3, [None] * 3)  # type: ignore[list-item]
    same = write_record(one, steps, end)
    one = one._replace(id="OTHER")
    file = _file(tmp_path, same, write_record(one, *played(one)))
    outcome = _command(file, "--seat", "bot1", "--", sys.executable, bot)
    assert (outcome.code, outcome.out) == (0, "0 of 12 decisions differ\n")
    assert "seat 1" in outcome.err  # the bot's own output
    outcome = _command(file, "--seat", 1, "--all", "--", sys.executable, bot)
    assert outcome.code == 0
    assert outcome.out.startswith("summer, match M8, seat 1: bot1")
    assert re.findall(r"│ turn (\d+), place +│", outcome.out) == [str(n) for n in range(1, 13)]
    assert outcome.out.count("│ same ") == 12
    arguments = (file, "--match", "OTHER", "--seat", 1, "--json", "--", sys.executable, bot)
    outcome = _command(*arguments)
    assert outcome.code == 0  # differences are an answer, not a failure
    found = json.loads(outcome.out)
    choices = found.pop("choices")
    assert found == {
        "match": "OTHER", "format": "summer", "seat": 1, "bot": "bot1", "decisions": 12,
        "answered": 12, "different": len(choices), "problem": None,
    }  # fmt: skip
    assert 0 < len(choices) < 12
    for each in choices:
        step = each.pop("step")
        state, chosen = played(one)[0][step][:2]
        assert each.pop("ms") >= 0  # 0 where all of it was the machine's
        assert each == {
            "decision": f"turn {step + 1}, place",
            "where": f"games[0].turns[{step}]",
            "recorded": str(chosen[1]),
            "fault": None,
            "now": str(middle(state.view(1))),
            "same": False,
        }


def test_the_bot_is_told_the_time_of_the_record(bot: Path, tmp_path: Path) -> None:
    """Faults are shown, and a seat that forfeited is asked no more; it is held to no time."""
    for number in range(100):
        one, steps, end = refereed(match("two-player", 2, number=number))
        why = one.seats[0].forfeited
        if why is not None and why.reason == "TIMEOUT" and why.step > 6:
            break
    assert why is not None
    steps = [  # an overrun that touches the bank
        step._replace(timings={seat: timing._replace(charge_ms=timing.charge_ms and 2000.5)
                               for seat, timing in step.timings.items()})
        for step in steps
    ]  # fmt: skip
    file = _file(tmp_path, write_record(one, steps, end))
    arguments = ("--seat", 0, "--all", "--", sys.executable, bot)
    outcome = _command(file, "--json", *arguments)
    assert outcome.code == 0
    faults = [step.timings[0].fault for step in steps[: why.step + 1]]
    assert [each["fault"] for each in json.loads(outcome.out)["choices"]] == faults
    assert f"clock {' '.join(map(str, CLOCK))} seat 0" in outcome.err
    times = [(CLOCK.base_ms, CLOCK.bank_ms - round(500.5 * n)) for n in range(len(faults))]
    asks = re.findall(r"^ask (\d+) (\d+)$", outcome.err, re.M)
    assert [(int(time), int(bank)) for time, bank in asks] == times
    mine = re.search(r"^ended \d \d+ True$", outcome.err, re.M)
    assert mine is not None
    assert mine[0].split()[2] == str(sum(step.timings[0].fault is not None for step in steps))
    outcome = _command(file, "--base-ms", 77_000, *arguments)
    clock = Clock(77_000, *CLOCK[1:])
    assert f"clock {' '.join(map(str, clock))} seat 0" in outcome.err
    assert [time for time, _ in re.findall(r"^ask (\d+) (\d+)$", outcome.err, re.M)] == [
        "77000"
    ] * len(faults)
    assert "(TIMEOUT)" in outcome.out
    assert f" of {len(faults)} decisions differ\n" in outcome.out


def test_a_bot_of_lines_and_one_on_bare_grpc(tmp_path: Path) -> None:
    one = match("summer", 4, number=2)
    lowest = [lambda view, _rng: view.legal[0]] * 4
    file = _file(tmp_path, write_record(one, *play(one.start(), lowest, [None] * 4)))  # type: ignore[list-item]
    paddock = (sys.executable, "-m", "paddock_server")
    lines = tmp_path / "bot.sh"
    lines.write_text(BOTS_OF_LINES)
    outcome = _command(file, "--seat", 3, "--", *paddock, "bridge", "--", "sh", lines)
    assert (outcome.code, outcome.out) == (0, "0 of 12 decisions differ\n"), outcome
    outcome = _command(file, "--seat", 3, "--", sys.executable, BOTS, "Good")  # it throws dice
    assert outcome.code == 0
    assert outcome.out.endswith(" of 12 decisions differ\n"), outcome


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (
            "Exits",
            "after 0 of 12 decisions: it did not connect; its process ended with exit code 3",
        ),
        ("Illegal", "after 0 of 12 decisions: it answered "),
        ("Resigns", "it resigned"),
        ("Crashes", "it ended the stream, which should stay open; its process ended with exit"),
    ],
)
def test_a_bot_that_fails(mistake: str, words: str, tmp_path: Path) -> None:
    one = match("summer", 3, number=2)
    file = _file(tmp_path, write_record(one, *played(one)))
    outcome = _command(file, "--seat", 0, "--", sys.executable, BOTS, mistake)
    assert outcome.code == 1, outcome
    last = outcome.out.splitlines()[-1]
    assert last.startswith("the bot failed after ")
    assert words in last
    assert "Traceback" not in outcome.out


def test_a_bot_that_fails_tells_a_program_why(tmp_path: Path) -> None:
    one = match("winter", 3, number=2)
    file = _file(tmp_path, write_record(one, *played(one)))
    outcome = _command(file, "--seat", 0, "--json", "--", sys.executable, BOTS, "Good")
    assert outcome.code == 1
    found = json.loads(outcome.out)
    assert found["problem"] == "it does not say that it plays winter"
    assert (found["answered"], found["choices"]) == (0, [])


def test_bad_usage_is_one_sentence(tmp_path: Path) -> None:
    one = match("summer", 3, number=2)
    seats = [each._replace(bot="twin") for each in one.seats]
    one = one._replace(seats=seats)
    file = _file(tmp_path, write_record(one, *played(one)))
    assert "Missing option '--seat'" in call("replay", file, "--", "true").refused()
    assert "Missing argument" in call("replay", file, "--seat", 0).refused()
    assert "there is no seat 3" in call("replay", file, "--seat", 3, "--", "true").refused()
    twin = call("replay", file, "--seat", "twin", "--", "true").refused()
    assert "twin sits in several seats; give one of 0, 1, 2" in twin
    nobody = call("replay", file, "--seat", "\x1b[2J", "--", "true").refused()
    assert "in this match; give one of twin" in nobody
    assert "\x1b" not in nobody
    assert (
        "has no match 2" in call("replay", file, "--match", 2, "--seat", 0, "--", "true").refused()
    )
    assert (
        "program '/no/bot' not found"
        in call("replay", file, "--seat", 0, "--", "/no/bot").refused()
    )
    assert (
        "'--base-ms'" in call("replay", file, "--seat", 0, "--base-ms", 0, "--", "true").refused()
    )
