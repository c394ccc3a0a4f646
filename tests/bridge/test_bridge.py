"""What a program does wrong costs its own seat and is told to its author; nobody else suffers."""

import asyncio
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from paddock import lines
from paddock.lines import MOST_BYTES
from paddock_server.referee.clock import Clock
from tests.bridge.arena import (
    bridge,
    bridged,
    fallbacks_of,
    faults_of,
    free_address,
    python,
    run,
    running,
    seat_of,
    serving,
)

BOTS = ["mine", "house-random", "house-greedy"]
BANKED = Clock(base=0.1, bank=60.0)  # little time for an answer, and yet nobody is late
TINY = Clock(base=0.2, bank=0.2)
BUSY = "while read -r line; do "  # sh: for every line that it is told


def test_nonsense_instead_of_answers_is_a_fallback_and_shown_once(tmp_path: Path) -> None:
    async def scene() -> None:
        program = f"{BUSY} echo 'what is this?'; done"
        async with bridged(tmp_path, "sh", "-c", program, clock=BANKED) as (arena, bot):
            (record,) = await bot.during(arena.play(BOTS, "winter"))
            assert await bot.end() == 0
        why = "no answer came, only this line is not JSON: 'what is this?'"
        assert set(fallbacks_of(record)) == {why}
        assert set(faults_of(record)) == {None}
        assert not record["seats"][seat_of(record)]["forfeit"]
        shown = (
            "not an answer: this line is not JSON: 'what is this?'; print debug output on stderr"
        )
        assert bot.said.count(shown) == 1
        assert f"{why}; " in bot.said
        assert "Traceback" not in bot.said

    run(scene())


def test_a_flood_of_nonsense_is_told_briefly_and_floods_nobody(tmp_path: Path) -> None:
    async def scene() -> None:
        async with bridged(tmp_path, "yes", "no", clock=BANKED) as (arena, bot):
            (record,) = await bot.during(arena.play(BOTS, "summer"))
            assert await bot.end() == 0
        assert None not in fallbacks_of(record)
        assert bot.said.count("this line is not JSON: 'no'") < 50
        assert "frame/flood" not in bot.said

    run(scene())


# Lines that no ask can be made out of, and what is wrong with them.
STRAY = {
    "oops": "is not JSON",
    "\x00\x7f": "is not JSON",
    "[" * 60_000: "is not JSON",
    "9" * 5000: "is not JSON",
    "1.0": "is neither a whole number nor",
    "true": "is neither a whole number nor",
    '{"number": 0}': 'wants an "ask"',
    '{"ask": "1 and 2", "number": 0}': 'wants an "ask"',
    '"' + "x" * MOST_BYTES: f"is longer than {MOST_BYTES} bytes",
}
CHATTERS = f"""
stray = {[*STRAY, '{"ask": "12345678901234567890", "number": 0}']!r}
number = 0
for one in said():
    assert one["type"] != "refused", one
    if one["type"] == "ask":
        say(stray[number % len(stray)])
        say({{"ask": one["ask"], "number": len(one["choices"]) - 1}})
        number += 1
"""


@pytest.mark.parametrize("line", STRAY, ids=lambda line: line[:20].encode())
def test_a_line_that_is_no_answer_is_told_apart(line: str) -> None:
    with pytest.raises(lines.Garbage, match=re.escape(STRAY[line])) as problem:
        lines.read_answer(line.encode())
    assert problem.value.ask_id is None


def test_debug_output_is_warned_of_once_and_the_answers_count(tmp_path: Path) -> None:
    async def scene() -> None:
        async with bridged(tmp_path, *python(tmp_path, CHATTERS)) as (arena, bot):
            records = await bot.during(arena.play(BOTS, "two-player", "winter"))
            assert await bot.end() == 0, bot.said
        for record in records:
            assert set(faults_of(record)) == {None}
            assert set(fallbacks_of(record)) == {None}
        assert bot.said.count("WARNING") == 1
        assert "WARNING not an answer: this line is not JSON: 'oops'; print debug" in bot.said
        assert "x" * 500 not in bot.said
        assert "Traceback" not in bot.said

    run(scene())


# Answers that can't count, and what is wrong with them.
WRONG = {
    "-1": "wants a number from 0 to",
    "4294967296": "wants a number from 0 to",
    "4294967295": "4294967295 is not one of the",
    '{"ask": "ASK", "number": "0"}': 'wants "ask", and "number"',
    '{"ask": "ASK", "number": 0, "choice": {}}': 'wants "ask", and "number"',
    '{"ask": "ASK", "choice": {}}': "a choice has the keys kind, species, pen, slot",
    '{"ask": "ASK", "choice": {"kind": "EAT", "species": "T_REX"}}': "names no choice: there is",
    '{"ask": "ASK", "choice": {"kind": "MOVE", "species": "T_REX", "pen": "RIVER"}}': (
        "{'kind': 'MOVE', 'species': 'T_REX', 'pen': 'RIVER'} is not one of the"
    ),
}
ERRS = f"""
wrong = {list(WRONG)!r}
number = 0
for one in said():
    if one["type"] == "ask":
        ask = one
        say(wrong[number % len(wrong)].replace("ASK", one["ask"]))
        number += 1
    if one["type"] == "refused":
        assert one["ask"] == ask["ask"] and one["match"] == ask["match"], one
        assert one["reason"] in ("choice/illegal", "choice/malformed"), one
        assert one["sentence"].endswith("; the default choice is played instead"), one
        sys.stderr.write("was refused\\n")
        say({{"ask": ask["ask"], "number": 0}})  # which is too late
"""


def test_every_bad_answer_is_a_fallback_and_told_to_all_who_care(tmp_path: Path) -> None:
    async def scene() -> None:
        async with bridged(tmp_path, *python(tmp_path, ERRS)) as (arena, bot):
            records = await bot.during(arena.play(BOTS, "two-player", "winter"))
            assert await bot.end() == 0, bot.said
        reasons = [reason for record in records for reason in fallbacks_of(record)]
        assert None not in reasons
        assert bot.said.count("was refused") == len(reasons)
        for complaint in WRONG.values():
            assert any(complaint in str(reason) for reason in reasons)
            assert complaint in bot.said
        for record in records:
            assert set(faults_of(record)) == {None}
        assert "Traceback" not in bot.said

    run(scene())


def test_a_bot_that_dies_over_an_ask_is_a_fallback(tmp_path: Path) -> None:
    async def scene() -> None:
        program = f"""{BUSY} case $line in *'"type":"ask"'*) exit 3;; esac; done"""
        async with bridged(tmp_path, "sh", "-c", program, clock=TINY) as (arena, bot):
            (record,) = await arena.play(BOTS, "winter")
            assert await bot.process.wait() == 1
        first, *rest = zip(fallbacks_of(record), faults_of(record), strict=True)
        assert first == ("the bot's output ended; it said nothing", None)
        assert set(rest) == {(None, "DISCONNECTED")}
        assert "the bot ended with exit code 3; it said nothing" in bot.said

    run(scene())


def test_silence_is_left_to_the_clock(tmp_path: Path) -> None:
    async def scene() -> None:
        program = f"{BUSY} :; done"
        async with bridged(tmp_path, "sh", "-c", program, clock=TINY) as (arena, bot):
            (record,) = await bot.during(arena.play(BOTS, "winter"))
            assert await bot.end() == 0
        assert set(faults_of(record)) == {"TIMEOUT"}
        assert record["seats"][seat_of(record)]["forfeit"]

    run(scene())


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (
            "read -r line; echo; echo 'I give up'; exit 3",
            "the bot ended with exit code 3; the last it said was 'I give up'",
        ),
        (
            "echo 'what stderr is for' >&2; exit 0",
            "the bot ended with exit code 0; it said nothing",
        ),
        ("kill -9 $$", "the bot was ended by SIGKILL; it said nothing"),
        ("exec >&-; exec sleep 1000", "the bot closed its output and had to be ended"),
    ],
)
def test_a_bot_that_ends_is_told_of(program: str, words: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with bridged(tmp_path, "sh", "-c", program, clock=TINY) as (arena, bot):
            if program.startswith("read"):
                (record,) = await arena.play(BOTS, "winter")
                assert "DISCONNECTED" in faults_of(record)
            assert await bot.process.wait() == 1
        assert words in bot.said
        assert ("what stderr is for" in bot.said) is ("what stderr is for" in program)
        assert "Traceback" not in bot.said

    run(scene())


WAITS_FOR_TWO = """
waiting, together = {}, False
for one in said():
    if one["type"] == "ask":
        assert type(one["ask"]) is str, one
        waiting[one["match"]] = one
        together = together or len(waiting) == 2
        if together:
            for match, ask in waiting.items():
                say({"ask": ask["ask"], "number": len(ask["choices"]) - 1})
            waiting.clear()
"""


def test_a_bot_that_does_not_read_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_UNREAD", 1_000_000)

    async def scene() -> None:
        program = await lines.Program.start(["sleep", "1000"])
        listening = asyncio.create_task(program.listen(lambda _: None))
        while not listening.done():
            program.say({"type": "more of this", "long": "x" * 100_000})
            await asyncio.sleep(0)
        await program.end()
        assert program.epitaph() == "the bot was ended by SIGKILL; it said nothing"

    run(scene())


def test_two_matches_at_once(tmp_path: Path) -> None:
    async def scene() -> None:
        two = ("--max-matches", "2")
        async with bridged(tmp_path, *python(tmp_path, WAITS_FOR_TWO), options=two) as (arena, bot):
            records = await bot.during(arena.play(BOTS, "winter", count=2))
            assert await bot.end() == 0, bot.said
        for record in records:
            assert set(faults_of(record)) == {None}

    run(scene())


def test_it_comes_back_when_the_server_does(tmp_path: Path) -> None:
    async def scene() -> None:
        where = await free_address(tmp_path)
        answers = f"""{BUSY} case $line in *'"type":"ask"'*) echo 0;; esac; done"""
        async with running(tmp_path, *bridge(where, "sh", "-c", answers)) as bot:
            for _ in range(2):
                async with serving(tmp_path, grpc=where) as arena:
                    (record,) = await bot.during(arena.play(BOTS, "winter"))
                    assert set(faults_of(record)) == {None}
            assert await bot.end() == 0
        assert "next attempt in" in bot.said

    run(scene())


def test_no_shell_and_no_token_for_the_program_and_a_refusal_is_final(tmp_path: Path) -> None:
    async def scene() -> None:
        program = f'echo "token:$PADDOCK_TOKEN arguments:$*" >&2; {BUSY} :; done'
        async with serving(tmp_path) as arena:
            line = bridge(arena.address, "sh", "-c", program, "sh", "$(id)", "--name", "--", "*")
            async with running(tmp_path, *line, PADDOCK_TOKEN="guessed") as bot:  # noqa: S106
                assert await bot.process.wait() == 2
        assert "token: arguments:$(id) --name -- *" in bot.said
        assert "auth/bad_token: this is not the token of mine" in bot.said
        assert "guessed" not in bot.said

    run(scene())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_program_and_all_it_started(
    number: signal.Signals, tmp_path: Path
) -> None:
    async def scene() -> None:
        program = "sleep 1000 & echo up >&2; trap '' HUP; exec sleep 1000"
        async with serving(tmp_path) as arena:
            process = await asyncio.create_subprocess_exec(
                *map(str, bridge(arena.address, "sh", "-c", program)),
                stderr=asyncio.subprocess.PIPE,
                env=os.environ,
            )
            assert process.stderr is not None
            while (await process.stderr.readline()).strip() != b"up":
                assert process.returncode is None
            process.send_signal(number)
            # Its end is read when the last process that could write to it is gone.
            assert b"Traceback" not in await process.stderr.read()
            assert await process.wait() == 0

    run(scene())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--name", "a"], "the command is missing; give it after --, such as -- ./mybot"),
        (["--name", "a", "--"], "the command is missing; give it after --, such as -- ./mybot"),
        (["--", "true"], "name: it is missing; give --name or set PADDOCK_BOT"),
        (["--name", "a", "--max-matches", "0", "--", "true"], "max-matches: give 1 or more, not 0"),
        (["--name", "a", "--server", "elsewhere:1", "--", "true"], "elsewhere is another machine"),
        (["--name", "a", "--", "./no-such-bot"], "./no-such-bot can't be started"),
    ],
)
def test_wrong_options_are_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PADDOCK_BOT", raising=False)

    async def scene() -> None:
        command = [sys.executable, "-m", "paddock.bridge", *arguments]
        async with running(tmp_path, *command) as bot:
            assert await bot.process.wait() == 2
        assert sentence in bot.said
        assert "Traceback" not in bot.said

    run(scene())
