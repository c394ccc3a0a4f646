"""A course in small: owners from a CSV, bots in five languages, kills, a tournament at the end."""

import csv
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from paddock_server.basics.identity import stamp_of
from paddock_server.projects.project import project, write
from paddock_server.projects.starters import STARTERS
from tests.server.process import Process, Server, until
from tests.submissions.arena import (
    accept,
    arena,
    begun,
    bot_folder,
    call,
    is_clean,
    said,
    started,
    submissions_of,
    versions_in,
)
from tests.tools import needs, needs_perl

OWNERS = ("Ada", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal")
IN_LINES = {"Dan": "sh", "Eve": "perl", "Fay": "lua", "Gus": "ruby"}
PATIENCE = 400.0  # nothing is measured by it; the machine may be busy


class Course:
    """A server, the one runner that it has, and what the students hand in."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.tokens = enrol(server, folder)
        self._token = said(server, "runner", "add", "here")["token"]
        self.runner = self._start()

    def _start(self) -> Process:
        return started(self.server, "here", self._token, slots=4)

    def kill_runner(self) -> None:
        """kill -9; then it starts again."""
        self.runner.kill()
        self.runner = self._start()

    def kill_server(self) -> None:
        """kill -9; then it starts again."""
        self.server.kill()
        self.server.start()

    def hand_in(self, name: str, folder: Path) -> None:
        """Hand in, and do not wait for what comes of it."""
        handed_in = call(self.server, "submit", folder, token=self.tokens[name])
        assert handed_in.code == 0, handed_in

    def is_active(self, name: str) -> bool:
        """Whether the newest version plays; nothing that is good is ever held against it."""
        newest = submissions_of(self.server, name.lower())[0]
        assert newest["state"] not in ("rejected", "stuck"), newest
        return bool(newest["state"] == "active")

    def matches(self) -> list[Any]:
        """Those of the cup."""
        if all(each["name"] != "cup" for each in said(self.server, "tournament", "list")):
            return []
        listed: list[Any] = said(
            self.server, "match", "list", "--tournament", "cup", "--limit", "100"
        )
        return listed


@pytest.fixture
def course(tmp_path: Path) -> Iterator[Course]:
    needs_perl()
    for program in ("awk", "lua", "ruby"):
        needs(program, f"on Debian: apt-get install {program}")
    with arena(tmp_path / "server") as server:
        made = Course(server, tmp_path)
        yield made
        made.runner.kill()


def test_from_a_csv_to_the_final_standings(course: Course, tmp_path: Path) -> None:
    for name in ("Ada", "Bob", "Dan"):
        course.hand_in(name, folder_of(tmp_path, name))
    course.kill_runner()
    for name in ("Cyd", "Eve", "Fay", "Gus"):
        course.hand_in(name, folder_of(tmp_path, name))
    course.kill_server()
    late = bot_folder(tmp_path, "hal", fails="format two-player: no answer in time")
    rejected = call(course.server, "submit", late, "--wait", token=course.tokens["Hal"])
    assert "was rejected: format two-player: no answer in time" in rejected.out
    accept(course.server, bot_folder(tmp_path, "hal", "2"), course.tokens["Hal"])
    accept(course.server, bot_folder(tmp_path, "bob", "2"), course.tokens["Bob"])
    for name in OWNERS:
        until(f"{name}'s bot", lambda name=name: course.is_active(name), PATIENCE)  # type: ignore[misc]
    deadline = stamp_of(datetime.now(UTC))
    accept(course.server, bot_folder(tmp_path, "ada", "2"), course.tokens["Ada"])  # too late
    file = tmp_path / "cup.toml"
    file.write_text(
        'name = "cup"\nschedule = "swiss"\nrounds = 2\nformats = ["two-player"]\n'
        f'entries = "submissions"\nentries_close = {deadline.replace("Z", "+00:00")}\n'
    )

    def finished(count: int) -> bool:
        return len([m for m in course.matches() if m["state"] == "finished"]) >= count

    with begun(course.server, file):
        until("a match", lambda: finished(1), PATIENCE)
        course.kill_runner()
        until("a few matches", lambda: finished(4), PATIENCE)
    course.kill_server()
    played = call(course.server, "tournament", "run", file)
    assert played.code == 0, played
    cup = said(course.server, "tournament", "show", "cup")
    assert {row["bot"] for row in cup["standings"]} == {name.lower() for name in OWNERS}
    matches = course.matches()
    assert len({match["match"] for match in matches}) == len(matches) == 16  # pairs twice
    assert all(map(is_clean, matches))
    versions = {bot: version for match in matches for bot, version in versions_in(match).items()}
    assert versions == {name.lower(): "1" for name in OWNERS} | {"bob": "2", "hal": "2"}
    assert submissions_of(course.server, "ada")[0]["state"] == "active"  # version 2
    log = call(course.server, "tournament", "log", "cup").out
    assert "ada entered: version 1 of Ada" in log
    assert "session/replaced" not in course.server.said()  # nothing ran twice


def enrol(server: Server, folder: Path) -> dict[str, str]:
    """The tokens of the owners, from a file."""
    file, out = folder / "course.csv", folder / "tokens.csv"
    file.write_text("name,mail\n" + "".join(f"{name},{name}@uni.example\n" for name in OWNERS))
    added = call(server, "owner", "add-many", file, "--out", out)
    assert added.out.startswith("8 owners were added, 0 were there already"), added
    assert out.stat().st_mode & 0o077 == 0
    again = call(server, "owner", "add-many", file, "--out", folder / "more.csv")
    assert again.out.startswith("0 owners were added, 8 were there already"), again
    with out.open() as lines:
        return {row["name"]: row["token"] for row in csv.DictReader(lines)}


def folder_of(folder: Path, name: str) -> Path:
    """The bot that somebody wrote."""
    if name not in IN_LINES:
        return bot_folder(folder, name.lower())
    language, bot = IN_LINES[name], name.lower()
    place = folder / name
    write(project(language, bot), place)
    program = STARTERS[language].hosted.run[0]
    # The small runner does not speak lines by itself.
    (place / "paddock-bot.toml").write_text(
        f'name = "{bot}"\nversion = "1"\nlanguage = "{STARTERS[language].title}"\n'
        f'run = ["paddock", "bridge", "--name", "{bot}", "--", "{program}"]\n'
    )
    return place
