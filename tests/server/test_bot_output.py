"""What is kept of a bot's output: the first traceback, the last lines, all of it in a file."""

from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from paddock_server.programs.output import Output

RAISED = b"""\
2025-01-01 ERROR match M: choose failed
Traceback (most recent call last):
  File "bot.py", line 4, in choose
    return 1 / 0
           ~~^~~
ZeroDivisionError: division by zero
and on it goes
"""
MORE = b"""\
Traceback (most recent call last):
  File "bot.py", line 9, in choose
KeyError: 'other'
"""


def output_of(*parts: bytes, logs: Path | None = None) -> tuple[Output, list[str]]:
    told: list[str] = []
    output = Output("mine", logs, told.append)
    output.start(("python", "my bot.py"))
    for part in parts:
        output.write(part)
    output.end(1)
    output.close()
    return output, told


@given(cuts=st.lists(st.integers(0, len(RAISED)), max_size=5))
def test_the_first_traceback_is_told_once_however_the_bytes_come(cuts: list[int]) -> None:
    places = sorted({0, len(RAISED), *cuts})
    parts = [RAISED[a:b] for a, b in pairwise(places)]
    _, told = output_of(*parts, MORE, RAISED)
    (only,) = told
    lines = only.splitlines()
    assert lines[0] == "mine wrote a traceback:"
    assert lines[1] == "  Traceback (most recent call last):"
    assert lines[-2] == "  ZeroDivisionError: division by zero"
    assert lines[-1] == (
        "--logs DIR keeps all its output; to check it: paddock check-bot -- python 'my bot.py'"
    )
    assert "KeyError" not in only


def test_a_traceback_that_nothing_follows_is_told_at_the_end() -> None:
    _, told = output_of(RAISED[: RAISED.index(b"Zero")])
    assert "return 1 / 0" in told[0]


def test_a_crash_is_told_from_its_first_error_not_only_its_end() -> None:
    noise = b"".join(b"line %d\n" % number for number in range(1000))
    output, told = output_of(b"/bot.js:3\nTypeError: no such move\n", noise)
    assert not told
    lines = output.summary().splitlines()
    assert lines[:3] == ["it said:", "  TypeError: no such move", "  ..."]
    assert lines[-1] == "  line 999"
    assert len(lines) == 3 + 12
    output, told = output_of(RAISED[: RAISED.index(b"and on")])
    assert "ZeroDivisionError" in told[0]
    assert "ZeroDivisionError" not in output.summary()  # it was told already


def test_memory_is_bounded_whatever_a_bot_writes(tmp_path: Path) -> None:
    endless = b"Traceback (most recent call last):\n" + b"  File deep\n" * 5000 + b"Error: x\n"
    long_line = b"x" * 300_000 + b"\n"
    output, told = output_of(long_line, endless, long_line * 20, logs=tmp_path)
    assert len(output.traceback.lines) <= 62
    assert sum(map(len, output.last)) <= 12 * 4096
    assert len(told) == 1
    kept = (tmp_path / "mine.log").read_bytes()
    assert long_line in kept  # the file has all of it
    assert endless in kept


def test_a_second_start_is_written_behind_the_first(tmp_path: Path) -> None:
    output_of(b"one\n", logs=tmp_path)
    output_of(b"two", logs=tmp_path)
    lines = (tmp_path / "mine.log").read_text().splitlines()
    assert [line for line in lines if not line.startswith("===")] == ["one", "two"]
    kinds = [line.split()[3].rstrip(":") for line in lines if line.startswith("===")]
    assert kinds == ["starts", "ended", "starts", "ended"]
