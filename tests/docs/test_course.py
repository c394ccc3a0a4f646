"""The page for organisers of a course is true: from CSV to final standings, as written."""

import csv
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.docs.page import blocks_of, environment, run, run_within
from tests.docs.test_docs import ROOT
from tests.server.process import Process, quiet_port, until
from tests.submissions.arena import ORGANISER, bot_folder

BLOCKS = blocks_of((ROOT / "docs/course.md").read_text())
SECONDS = 600  # nothing is measured by it: two bots are checked in jails
ADDRESS = "127.0.0.1:7911"


class Course:
    """The commands of the page, on other ports than it says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = f"127.0.0.1:{quiet_port()}"
        self.env = {"PADDOCK_ORGANISER_TOKEN": ORGANISER, "PADDOCK_SERVER": self.address}

    def here(self, script: str) -> str:
        """A script of the page for the server of this test."""
        return script.replace(ADDRESS, self.address)

    def said(self, script: str, **env: str) -> str:
        return run_within(SECONDS, self.here(script), self.folder, **{**self.env, **env}).stdout

    @contextmanager
    def runs(self, name: str, script: str) -> Iterator[Process]:
        """A command of the page that does not end by itself."""
        env = {**environment(), **self.env}
        script = f"exec {self.here(script)}"
        with Process(self.folder / f"{name}.log", "bash", "-euc", script, **env) as process:
            yield process


def test_the_course_of_the_page_runs_as_written(tmp_path: Path) -> None:
    settings, final = (block.text for block in BLOCKS if block.language == "toml")
    (students,) = (block.text for block in BLOCKS if block.language == "csv")
    serving, running, enrolling, during, playing, after = (
        block.text for block in BLOCKS if block.language == "sh"
    )
    (tmp_path / "paddock.toml").write_text(settings)
    (tmp_path / "course.csv").write_text(students)
    course = Course(tmp_path)
    export, serve = serving.splitlines()
    assert run(f"{export}\nenv", tmp_path).stdout.count("PADDOCK_ORGANISER_TOKEN=") == 1
    serve = serve.replace("127.0.0.1:7912", "127.0.0.1:0")
    with ExitStack() as stack:
        server = stack.enter_context(course.runs("server", f"{serve} --grpc {course.address}"))
        until("the server", lambda: "bots connect to" in server.said())
        adding, runner = running.splitlines()
        (token,) = re.findall(r"pdk_\S+", course.said(adding))
        env, _, command = runner.replace("TOKEN=TOKEN", f"TOKEN={token}").partition(" ")
        command = f"env {env} {command} --accept-weaker"
        stack.enter_context(course.runs("runner", command))
        course.said(enrolling)
        with (tmp_path / "tokens.csv").open() as lines:
            tokens = {row["name"]: row["token"] for row in csv.DictReader(lines)}
        assert list(tokens) == ["Ada Lovelace", "Charles Babbage"]
        for name, bot in (("Ada Lovelace", "ada"), ("Charles Babbage", "charles")):
            folder = bot_folder(tmp_path, bot, manifest='formats = ["two-player"]\n')
            out = course.said(f"paddock submit {folder} --wait", PADDOCK_TOKEN=tokens[name])
            assert "was accepted: it plays" in out
        listing, logging, retrying = during.splitlines()
        listed = course.said(f"{listing} --json")
        (submission, _) = re.findall(r'"id": "(\w+)"', listed)
        assert "passed hello" in course.said(logging.replace("ID", submission))
        assert retrying == "paddock submission retry ID"  # of what is stuck, and nothing is
        # Seconds are cut off, and both were accepted before the next one.
        soon = (datetime.now(UTC) + timedelta(seconds=1)).isoformat(timespec="seconds")
        close = re.sub(r"(entries_close = ).*", rf"\g<1>{soon}", final)
        (tmp_path / "final.toml").write_text(close)
        course.said(playing)
        told = course.said(after)
    assert "ada entered: version 1 of Ada Lovelace" in told
    assert "charles entered: version 1 of Charles Babbage" in told
    assert "2 of 2 matches" in told
