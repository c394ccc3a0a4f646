"""Hosted bots in real jails: they play, and nothing is left of a runner that is killed."""

import signal
from collections.abc import Iterator

import pytest

from tests.hosting.stage import Stage
from tests.server.process import until
from tests.submissions.arena import arena, is_clean, over, said, start, versions_in


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A server with two good bots."""
    folder = tmp_path_factory.mktemp("hosting")
    with arena(folder / "server") as server:
        made = Stage(server, folder)
        with made.accepting():
            made.hand_in("one")
            made.hand_in("two")
        yield made


def test_hosted_bots_play_and_nothing_outlives_their_runner(stage: Stage) -> None:
    with stage.runner() as runner:
        (match,) = over(stage.server, start(stage.server, "one", "two"))
        assert is_clean(match)
        assert versions_in(match) == {"one": "1", "two": "1"}
        assert len(stage.jailed()) == 2  # they stay for the next match
        (told,) = [r for r in said(stage.server, "runner", "list") if r["name"] == "real"]
        assert told["connected"]
        assert told["slots"] == 4
        runner.signal(signal.SIGKILL)
    until("the bots of a killed runner are gone", lambda: not stage.jailed())


def test_a_dead_runners_match_goes_on_at_another(stage: Stage) -> None:
    with stage.runner("first") as first:
        ids = start(stage.server, "one", "two", games=6)
        until("a match is over", lambda: _finished(stage) > 1)
        with stage.runner("second"):
            first.signal(signal.SIGKILL)
            for match in over(stage.server, ids):
                assert is_clean(match)  # nobody is blamed for a runner


def _finished(stage: Stage) -> int:
    return sum(match["state"] == "finished" for match in said(stage.server, "match", "list"))


def test_a_runner_that_is_not_heard_ends_its_bots_itself(stage: Stage) -> None:
    with stage.runner("alone"):
        over(stage.server, start(stage.server, "one", "two"))
        assert stage.jailed()
        stage.server.signal(signal.SIGSTOP)
        try:
            until("its bots are gone", lambda: not stage.jailed())
        finally:
            stage.server.signal(signal.SIGCONT)


def test_a_runner_without_a_good_token_ends_and_says_so(stage: Stage) -> None:
    stage.token("bad")
    stage.tokens["bad"] = "pdk_no"
    with stage.runner("bad") as runner:
        assert runner.wait() == 2
    assert "runner" in (stage.folder / "runner-bad.log").read_text()
