"""What visitors get to know when something breaks on our side: that it did, and nothing else."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings
from paddock_server.web.headers import POLICY


@pytest.mark.parametrize("address", ["/ladder", "/api/ladder"])
def test_a_failure_is_ours_and_tells_nothing(tmp_path: Path, address: str) -> None:
    sent: list[Any] = []

    async def visit() -> None:
        serving = Serving(
            Settings(str(tmp_path / "broken.db"), grpc="127.0.0.1:0", http="127.0.0.1:0")
        )
        try:
            web = serving.pages()
            connection = sqlite3.connect(tmp_path / "broken.db")
            connection.execute("DROP TABLE ratings")
            connection.close()
            await web.app(_scope(address), _nothing, _into(sent))
        finally:
            serving.database.close()

    with pytest.raises(OperationalError, match="no such table"):  # for the log
        asyncio.run(visit())
    start, body = sent
    assert start["status"] == 500
    assert dict(start["headers"])[b"content-security-policy"] == POLICY.encode()
    assert b"the server failed; its log says why" in body["body"]
    assert b"table" not in body["body"]


def _scope(address: str) -> dict[str, Any]:
    return {
        "type": "http", "http_version": "1.1", "method": "GET", "path": address,
        "raw_path": address.encode(), "query_string": b"", "headers": [], "scheme": "http",
        "server": ("127.0.0.1", 80), "root_path": "",
    }  # fmt: skip


async def _nothing() -> Any:
    return {"type": "http.request", "body": b"", "more_body": False}


def _into(sent: list[Any]) -> Any:
    async def send(message: Any) -> None:
        sent.append(message)

    return send
