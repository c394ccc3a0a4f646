"""`paddock serve --runner`: a server that runs what is handed in by itself."""

from pathlib import Path

from tests.cli.command import call
from tests.server.process import until
from tests.submissions.arena import CONFIG, arena, said


def test_a_runner_comes_and_goes_with_its_server(tmp_path: Path) -> None:
    with arena(tmp_path / "server", CONFIG, "--runner", "--accept-weaker") as server:

        def connected() -> bool:
            return any(each["connected"] for each in said(server, "runner", "list"))

        until("the runner", connected)
        server.kill()  # the runner beside it ends too, and the next one has a new token
        server.start()
        until("the next runner", connected)
        assert len(said(server, "runner", "list")) == 1
        assert server.terminate() == 0


def test_it_is_refused_where_it_has_nothing_to_do() -> None:
    refused = call("serve", "--runner", "--grpc", "127.0.0.1:0")
    assert "set enabled in [submissions] of paddock.toml" in refused.refused()
