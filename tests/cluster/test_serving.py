"""`paddock serve --cluster` refuses what makes no cluster, before it changes anything."""

from pathlib import Path

from paddock_server.serving.config import read_config
from tests import postgresql
from tests.server.process import together

BUS = ("--cluster", "nats://127.0.0.1:4222")


def test_wrong_combinations_are_refused_with_a_sentence(
    tmp_path: Path, postgresql_place: str
) -> None:
    submissions = tmp_path / "submissions.toml"
    submissions.write_text("[submissions]\nenabled = true\n")
    assert read_config(submissions).submissions.enabled
    database = ("--db", postgresql_place)
    refusals = {
        "--cluster needs a database that several servers can share; give --db postgresql:": (*BUS,),
        "--advertise is for nodes of a cluster; give --cluster, or leave": (
            *("--advertise", "a:1"), *database,
        ),
        "--cluster 'http://127.0.0.1' is not an address of NATS; give nats://HOST:4222": (
            *("--cluster", "http://127.0.0.1"), *database,
        ),
        "--web-workers and --cluster don't go together yet; leave one out": (
            *BUS, *database, "--web-workers", "1",
        ),
        "a cluster takes no submissions yet; leave --cluster out, or turn [submissions] off": (
            *BUS, *database, "--config", str(submissions),
        ),
    }  # fmt: skip
    folder = tmp_path / "commands"
    folder.mkdir()
    commands = {sentence: ("serve", *options) for sentence, options in refusals.items()}
    for sentence, outcome in together(folder, commands).items():
        assert sentence in outcome.err, outcome.err
        assert outcome.code == 2, outcome.err
        assert "Traceback" not in outcome.err
    assert not list(folder.rglob("*.db"))
    query = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    assert postgresql.tell(postgresql_place, query) == [(0,)]
