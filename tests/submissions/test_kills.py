"""kill -9 of server and runner: nothing is lost, nobody is blamed, nothing runs twice."""

from pathlib import Path

import pytest

from tests.server.process import Server, until
from tests.submissions.arena import (
    CONFIG,
    accept,
    arena,
    bot_folder,
    call,
    is_clean,
    over,
    owner,
    said,
    start,
    started,
    submissions_of,
    versions_in,
)

PATIENT = """import os, sys, time
from pathlib import Path
from paddock import run
from paddock.bots.random import RandomBot

class Patient(RandomBot):
    asks = 0

    def choose(self, ask):
        self.asks += 1
        if self.asks > 3:
            Path(sys.argv[1], os.environ["PADDOCK_BOT"] + " thinks").touch()
            while not Path(sys.argv[1], "go").exists():
                time.sleep(0.02)
        return super().choose(ask)

run(Patient())
"""


BOTS = ("ada-1", "ada-2")
# So long that no busy machine can lose one: it ends because its runner is started again.
LONG_LEASES = CONFIG.replace("lease_seconds = 4.0", "lease_seconds = 600.0")


def patient_bot(folder: Path, name: str) -> Path:
    """A bot that chooses three times, and then not before there is a file named `go`."""
    place = bot_folder(folder, name, **{"bot.py": PATIENT})
    toml = place / "paddock-bot.toml"
    command = f'["python3", "bot.py", "{folder}"]'
    toml.write_text(toml.read_text().replace('["python3", "-m", "paddock.bots.random"]', command))
    return place


def state(server: Server, bot: str) -> str:
    return str(submissions_of(server, bot)[0]["state"])


@pytest.mark.parametrize("victim", ["server", "runner"])
@pytest.mark.parametrize(("stage", "file"), [("building", "hangs"), ("checking", "hangs_later")])
def test_a_submission_that_was_being_prepared_is_prepared_again(
    stage: str, file: str, victim: str, tmp_path: Path
) -> None:
    with arena(tmp_path / "server", LONG_LEASES) as server:
        token = said(server, "runner", "add", "here")["token"]
        ada = owner(server, "Ada")
        with started(server, "here", token) as runner:
            hanging = bot_folder(tmp_path, "ada", **{file: "until somebody kills the runner"})
            assert call(server, "submit", hanging, token=ada).code == 0
            until("the hang", lambda: " hangs" in runner.said())
            until("its state", lambda: state(server, "ada") == stage)
            if victim == "server":
                server.kill()
                server.start()
                # The runner works on, and the server knows: it gives the work to nobody else.
                until("the runner", lambda: said(server, "runner", "list")[0]["leases"] == 1)
                assert submissions_of(server, "ada")[0]["attempts"] == 1
            runner.kill()
        with started(server, "here", token):
            until("the second try", lambda: submissions_of(server, "ada")[0]["attempts"] == 2)
        found = submissions_of(server, "ada")[0]
        assert found["state"] in ("received", "building", "checking")  # never rejected


def test_what_waits_for_a_runner_waits_on_after_a_kill(tmp_path: Path) -> None:
    with arena(tmp_path / "server") as server:
        token = said(server, "runner", "add", "here")["token"]
        ada = owner(server, "Ada")
        assert call(server, "submit", bot_folder(tmp_path, "ada"), token=ada).code == 0
        server.kill()
        server.start()
        again = call(server, "submit", tmp_path / "ada-1", token=ada)
        assert "was handed in before" in again.out
        with started(server, "here", token):
            until("it is accepted", lambda: state(server, "ada") == "active")
        (found,) = submissions_of(server, "ada")
        assert found["attempts"] == 1


@pytest.mark.parametrize("victim", ["server", "runner", "both"])
def test_a_match_goes_on_and_nobody_is_blamed(victim: str, tmp_path: Path) -> None:
    with arena(tmp_path / "server") as server:
        tokens = [said(server, "runner", "add", name)["token"] for name in ("one", "two")]
        ada = owner(server, "Ada")
        with started(server, "one", tokens[0]) as runner:
            for name in BOTS:
                accept(server, patient_bot(tmp_path, name), ada)
            ids = start(server, *BOTS)
            for name in BOTS:
                until("it thinks", (tmp_path / f"{name} thinks").exists)
            if victim in ("runner", "both"):
                runner.kill()
            if victim in ("server", "both"):
                server.kill()
                server.start()
            (tmp_path / "go").touch()
            with started(server, "two", tokens[1]):
                (match,) = over(server, ids)
        assert is_clean(match), match["results"]
        assert versions_in(match) == {"ada-1": "1", "ada-2": "1"}
        assert runs_once(server, "ada-1")


def runs_once(server: Server, bot: str) -> bool:
    """Whether no two sessions of a bot were ever open at once."""
    return "session/replaced" not in server.said()
