"""Hostile submissions 1 to 10, handed in to a real server whose runner prepares them in jails.

What each of them tries in detail is in the tests of unpacking and building.
"""

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.hosting.stage import Stage
from tests.packing.bad_archives import BAD
from tests.server.process import until
from tests.submissions.arena import CONFIG, arena, submissions_of
from tests.submissions.uploads import Client, Sent

PATIENCE = 400.0  # nothing is measured by it; the machine may be busy
SHORT = CONFIG.replace("waiting_per_owner = 10", "waiting_per_owner = 40\nbuild_seconds = 5")
ARCHIVES = {
    "01-out": "../ in tar",
    "01-absolute": "absolute",
    "01-link": "link, then through it",
    "02-hard-link": "hard link",
    "02-device": "device",
    "02-pipe": "pipe",
    "02-sparse": "GNU sparse",
    "03-bomb": "bomb of 150 MB",
    "03-lie": "zip says too little",
    "04-header": "PAX header of 400 MB",
    "05-many": "6,000 files",
    "05-deep": "40 deep",
    "05-names": "control characters",
}
LEFT = "left-behind-7f31"
BUILDS = {
    "07-forks": ("f() { f | f & }; f; wait; sleep 100", ("processes", "time 5 s")),
    "08-sleeps": ("sleep 1000", ("ended by a limit: time 5 s; it said nothing",)),
    "09-link": ("ln -s / bot", ("'bot' is a link that leads out",)),
    "10-leaves": (f"for d in /tmp $HOME /dev/shm; do echo > $d/{LEFT}; done; exit 3", ("code 3",)),
    "10-looks": (f"find / -name {LEFT} 2>/dev/null; exit 4", ("code 4; it said nothing",)),
}


class Scene(NamedTuple):
    """A server with a runner, and the folder in which the runner has all its files."""

    stage: Stage
    place: Path


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("uploads")
    with (
        arena(folder / "server", SHORT) as server,
        tempfile.TemporaryDirectory() as place,  # short, as sockets want it
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("TMPDIR", place)
        stage = Stage(server, folder)
        with stage.runner("real", "--preparing", "4"):
            yield Scene(stage, Path(place))


def decided(scene: Scene, bot: str) -> dict[str, Any]:
    """What came of the only submission of a bot."""

    def found() -> dict[str, Any] | None:
        (row,) = submissions_of(scene.stage.server, bot)
        return row if row["state"] in ("active", "rejected", "stuck") else None

    row: dict[str, Any] = until(f"the decision about {bot}", found, PATIENCE)
    return row


def test_01_to_05_bad_archives_are_rejected_and_leave_nothing(scene: Scene) -> None:
    client = Client(scene.stage.server, scene.stage.owner)
    for bot, name in ARCHIVES.items():
        data = BAD[name][0]()
        manifest = f'name = "{bot}"\nversion = "1"\nrun = ["./bot"]\n'.encode()
        sha256 = hashlib.sha256(data).hexdigest()
        assert client.upload(Sent(bot, manifest, data, sha256, len(data))).bot_token
    for bot, name in ARCHIVES.items():
        row = decided(scene, bot)
        assert (row["state"], row["reason"]) == ("rejected", "submission/bad_archive"), row
        assert BAD[name][1] in row["sentence"]
    nothing_is_left(scene)


def test_07_to_10_bad_builds_are_rejected_and_share_nothing(scene: Scene, tmp_path: Path) -> None:
    client = Client(scene.stage.server, scene.stage.owner)
    for bot, (script, _) in BUILDS.items():
        folder = tmp_path / bot
        folder.mkdir()
        (folder / "build.sh").write_text(script)
        (folder / "paddock-bot.toml").write_text(
            f'name = "{bot}"\nversion = "1"\nrun = ["./bot"]\nbuild = ["sh", "build.sh"]\n'
        )
        assert client.upload(Sent.of(folder)).bot_token
    for bot, (_, words) in BUILDS.items():
        row = decided(scene, bot)
        assert (row["state"], row["attempts"]) == ("rejected", 1), row
        assert any(word in row["sentence"] for word in words), row
    nothing_is_left(scene)


def nothing_is_left(scene: Scene) -> None:
    """The runner has its own folder, with nothing in it, and nothing was written beside it."""

    def only_its_own() -> bool:
        (own,) = scene.place.iterdir()
        return own.name.startswith("paddock-runner-") and not list(own.iterdir())

    until("nothing is left", only_its_own)
