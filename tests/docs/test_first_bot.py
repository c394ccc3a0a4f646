"""docs/first-bot.md is true: what it says to save is saved, what it says to run is run."""

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.page import SECONDS, SHELL, blocks_of, environment, run, save
from tests.docs.test_docs import ROOT

PAGE = (ROOT / "docs/first-bot.md").read_text()
BLOCKS = blocks_of(PAGE)
TO_RUN = [n for n, block in enumerate(BLOCKS) if block.language == "sh" and not block.file]


def _run(script: str, cwd: Path, **env: str) -> str:
    return run(script, cwd, **env).stdout


def test_the_page_has_what_the_tests_below_look_for() -> None:
    assert [block.file for block in BLOCKS if block.file] == ["mybot.py", "mybot.py", "mybot.sh"]
    assert len(TO_RUN) == 4
    first = next(block for block in BLOCKS if block.file == "mybot.py")
    assert len([line for line in first.text.splitlines() if line]) <= 10


@pytest.mark.parametrize("number", TO_RUN)
def test_the_commands_run_as_written(number: int, tmp_path: Path) -> None:
    save(BLOCKS[:number], tmp_path)
    script = BLOCKS[number].text
    out = _run(script, tmp_path)
    if "paddock play" in script:
        rows = re.findall(r"│ (mine|greedy)(?:-2)? +│.*│ +(\d+) │", out)
        assert sorted(name for name, _ in rows) == ["greedy", "greedy", "mine", "mine"]
        assert {faults for _, faults in rows} == {"0"}
    if "paddock check-bot" in script:
        assert re.search(r"points: \d+ passed, 0 failed, 0 skipped(, 1 not used)?\n$", out)
    if "paddock show" in script:
        assert "seat 0" in out


DRAFTOSAURUS, DINO_TWIST = PAGE.split("The other game is Dino Twist")


@pytest.mark.parametrize(
    ("format_name", "page", "least"), [("winter", DRAFTOSAURUS, 15), ("dino-twist", DINO_TWIST, 7)]
)
def test_everything_that_the_page_names_is_there(format_name: str, page: str, least: int) -> None:
    """The second bot looks at all of it, and then answers as before."""
    names = re.findall(r"`(ask\.[\w.]+)`", page)
    assert len(names) >= least
    looks = "\n".join(f"        {name}" for name in names)
    text = next(block.text for block in reversed(BLOCKS) if block.file == "mybot.py")
    probe = text.replace("run(Mine())", "").replace(
        "    def choose(self, ask):\n", f"    def choose(self, ask):\n{looks}\n"
    )
    scope: dict[str, object] = {"FORMAT": format_name}
    exec(compile(probe, "mybot.py", "exec"), scope)  # noqa: S102 -- the page's own program
    exec(compile(ASK_ONCE, "ask", "exec"), scope)  # noqa: S102 -- and ours


ASK_ONCE = """
from paddock import Ask, Clock, Match, Seat
from paddock_games import Chance

game = game_of(FORMAT)
state = game.start(FORMAT, 3, game.rules(None), Chance(bytes(32), [bytes(16)] * 3))
seats = (Seat("mine", "1", "me"),) * 3
match = Match("M", FORMAT, seats, 1, game.rules(None), Clock(1000, 0, 200, 3), bytes(32), "")
view = state.view(1)
assert Mine().choose(Ask(8, match, view, tuple(view.legal), 1000, 0)) in view.legal
"""


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free: int = taken.getsockname()[1]
    return free


def test_the_server_of_the_last_section(tmp_path: Path, port: int) -> None:
    """Three terminals: the organiser's server, the organiser, the bot (in Python and by lines)."""
    save(BLOCKS, tmp_path)
    (tmp_path / "mybot.sh").chmod(0o755)
    serve, add, play, start, bridge = [
        block.text.replace("127.0.0.1:7911", f"127.0.0.1:{port}") for block in BLOCKS[-5:]
    ]
    secret = re.findall(r"^export (PADDOCK_ORGANISER_TOKEN)=(.+)$", serve + add, re.M)
    assert len(secret) == 2
    assert len(set(secret)) == 1
    where = {"PADDOCK_SERVER": f"127.0.0.1:{port}", **dict(secret)}
    started: list[subprocess.Popen[bytes]] = []

    def begin(script: str) -> None:
        with (tmp_path / f"{len(started)}.log").open("wb") as log:
            process = subprocess.Popen(
                [*SHELL, script], cwd=tmp_path, env=environment(), start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        started.append(process)

    try:
        assert serve.splitlines()[-1] == "paddock serve"
        begin(serve.replace("paddock serve", f"paddock serve --grpc 127.0.0.1:{port}"))
        _until(lambda: "bots connect to" in (tmp_path / "0.log").read_text())
        token = _run(add, tmp_path, **where).splitlines()[-1]
        assert token.startswith("pdk_")
        for number, bot in enumerate((play, bridge), 1):
            assert "pdk_..." in bot
            begin(bot.replace("pdk_...", token))
            ids = _run(start.splitlines()[0], tmp_path, **where).split()
            assert len(ids) == 4
            _until(lambda n=number: _finished(tmp_path, where) == 4 * n)  # type: ignore[misc]
            os.killpg(started[-1].pid, signal.SIGTERM)
            started[-1].wait(SECONDS)
        assert len(re.findall(r"│ (?:finished|waiting) ", _run(start, tmp_path, **where))) == 12
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _finished(folder: Path, where: dict[str, str]) -> int:
    return _run("paddock match list --state finished --json", folder, **where).count('"match":')


def _until(there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not there():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.1)
