"""Every kind of database there is."""

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a database can be that is not there yet, of every kind."""
    if request.param == "sqlite":
        return str(tmp_path / "paddock.db")
    found: str = request.getfixturevalue("postgresql_place")
    return found
