"""An arena for tests: a server that takes submissions, its runners, and the commands of people."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.cli import command
from tests.cli.command import Outcome
from tests.server.process import CALM, Process, Server, quiet_port, until

ROOT = Path(__file__).parents[2]
ORGANISER = "an organiser of a course"
CONFIG = (
    CALM
    + """return_wait = 60.0
nonce_wait = 30.0

[submissions]
enabled = true
lease_seconds = 4.0
uploads_per_hour = 50
waiting_per_owner = 10
"""
)


def arena(folder: Path, config: str = CONFIG, *options: str) -> Server:
    """A server that takes submissions, on a port that it has again after a restart."""
    return Server(
        folder,
        *options,
        config=config,
        grpc=f"127.0.0.1:{quiet_port()}",
        env={"PADDOCK_ORGANISER_TOKEN": ORGANISER},
    )


def call(server: Server, *arguments: object, token: str = ORGANISER) -> Outcome:
    """What becomes of a `paddock` command that asks this server."""
    return command.call(*arguments, "--server", server.address, "--token", token)


def said(server: Server, *arguments: object, token: str = ORGANISER) -> Any:
    """What a command says as JSON."""
    outcome = call(server, *arguments, "--json", token=token)
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


@contextmanager
def runner(
    server: Server, name: str = "here", slots: int = 4, roots: str = "", *, broken: bool = False
) -> Iterator[Process]:
    """A small runner of this server; `roots` are the names of more toolchains, or NAME=SHA256.

    One that is broken runs no bot.
    """
    token = said(server, "runner", "add", name)["token"]
    with started(server, name, token, slots, roots=roots, broken=broken) as process:
        yield process


def started(
    server: Server,
    name: str,
    token: str,
    slots: int = 4,
    share: float = 1.0,
    roots: str = "",
    *,
    broken: bool = False,
) -> Process:
    """A small runner with this token."""
    return Process(
        server.folder / f"runner-{name}.log",
        *(sys.executable, "-m", "tests.submissions.small_runner"),
        RUNNER_SERVER=server.address,
        RUNNER_TOKEN=token,
        RUNNER_SLOTS=str(slots),
        RUNNER_SHARE=str(share),
        RUNNER_ROOTS=roots,
        RUNNER_BROKEN="yes" if broken else "",
        PYTHONPATH=str(ROOT),
    )


def bot_folder(folder: Path, name: str, version: str = "1", **files: str) -> Path:
    """A folder with a bot in Python that plays at random."""
    place = folder / f"{name}-{version}"
    place.mkdir(parents=True)
    (place / "paddock-bot.toml").write_text(
        f'name = "{name}"\nversion = "{version}"\nlanguage = "Python"\n'
        'run = ["python3", "-m", "paddock.bots.random"]\n' + files.pop("manifest", "")
    )
    for path, text in files.items():
        (place / path).write_text(text)
    return place


def submissions_of(server: Server, bot: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = said(server, "submission", "list", "--bot", bot)
    return found


def start(server: Server, *bots: str, games: int = 1, form: str = "two-player") -> list[str]:
    """The ids of new matches."""
    named = [word for bot in bots for word in ("--bot", bot)]
    ids: list[str] = said(server, "match", "start", "--format", form, "--games", games, *named)
    return ids


def begun(server: Server, file: Path) -> Process:
    """The command that runs a tournament, until it is killed."""
    return Process(
        file.with_suffix(".log"),
        *(sys.executable, "-m", "paddock_server", "tournament", "run", str(file)),
        *("--server", server.address, "--token", ORGANISER),
        PYTHONPATH=str(ROOT),
    )


def over(server: Server, ids: list[str]) -> list[Any]:
    """These matches with their records, once all are finished."""

    def states() -> set[str]:
        return {m["state"] for m in said(server, "match", "list") if m["match"] in ids}

    until("the end of the matches", lambda: states() == {"finished"})
    return [said(server, "match", "show", id_) for id_ in ids]


def owner(server: Server, name: str, bots: int = 2) -> str:
    return str(said(server, "owner", "add", name, "--bots", str(bots))["token"])


def accept(server: Server, folder: Path, token: str) -> None:
    handed_in = call(server, "submit", folder, "--wait", token=token)
    assert handed_in.code == 0, handed_in
    assert "was accepted: it plays" in handed_in.out


def versions_in(match: Any) -> dict[str, str]:
    """The versions of the bots of a match."""
    return {seat["bot"]: seat["version"] for seat in match["seats"]}


def is_clean(match: Any) -> bool:
    """Whether nobody was blamed for anything."""
    return all(not each["faults"] and not each["forfeit"] for each in match["results"])
