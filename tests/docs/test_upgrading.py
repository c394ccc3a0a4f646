"""The page for operators is true: backup, restore and the move to PostgreSQL run as written."""

from pathlib import Path

from sqlalchemy.engine import make_url

from tests import postgresql
from tests.docs.page import blocks_of, run
from tests.docs.test_docs import ROOT
from tests.store.ladder import played, some_matches
from tests.store.opened import opened


def test_the_page_about_upgrading_runs_as_written(tmp_path: Path, postgresql_server: str) -> None:
    with opened(tmp_path / "paddock.db") as database:
        played(database, *some_matches(20, 6))
    url = make_url(postgresql_server)
    env = {
        "PGHOST": str(url.host or url.query["host"]),
        "PGUSER": url.username or "postgres",
        "PGPASSWORD": url.password or "",
        "PGPORT": str(url.port or 5432),
        "PATH_OF_POSTGRESQL": str(Path(postgresql.program("createdb")).parent),
    }
    script = [block.text for block in blocks_of((ROOT / "docs/upgrading.md").read_text())
              if block.language == "sh"]  # fmt: skip
    assert len(script) == 5
    path = 'export PATH="$PATH_OF_POSTGRESQL:$PATH"\n'
    try:
        said = [run(path + block, tmp_path, **env).stdout for block in script]
    finally:
        run(f"{path}dropdb --if-exists paddock", tmp_path, **env)
    assert "backup.db is a copy of paddock.db" in said[0]
    assert said[1].splitlines()[:5] != []
    assert said[2]
    assert "paddock.db was copied: " in said[3]
    assert "1 of 1 ladders are equal to the stored ones" in said[3]
    assert (tmp_path / "broken" / "paddock.db").exists()
