"""The reference pages are complete: every key, reason, metric, option and point is on them."""

import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from paddock.v1 import arena_pb2
from paddock_games.game import FAULTS
from paddock_server.api.server import Tls
from paddock_server.basics.errors import CALL_REASONS
from paddock_server.checking import check
from paddock_server.cli.app import paddock
from paddock_server.cli.serve import serve
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.observe.logs import IDS
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.clock import Clock
from paddock_server.serving.config import read_config
from paddock_server.serving.settings import Settings
from paddock_server.store.database import Database
from paddock_server.submissions.settings import SubmissionSettings
from paddock_server.visitors.limits import VisitorLimits
from tests.cli.command import subcommands
from tests.docs.test_docs import ROOT

PAGES = {name: (ROOT / f"docs/{name}.md").read_text() for name in ("operating", "protocol")}
FIRST_BOT = (ROOT / "docs/first-bot.md").read_text()


def _block(language: str, having: str) -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```", PAGES["operating"], re.M | re.S)
    (found,) = [block for block in blocks if having in block]
    return str(found)


def test_paddock_toml_has_every_key_with_its_default(tmp_path: Path) -> None:
    text = _block("toml", "database")
    file = tmp_path / "paddock.toml"
    file.write_text(text)
    assert read_config(file) == Settings()
    given = tomllib.loads(text)
    for name, kind in (
        ("clock", Clock),
        ("limits", Limits),
        ("policy", Policy),
        ("visitors", VisitorLimits),
        ("submissions", SubmissionSettings),
    ):
        assert list(given[name]) == list(kind._fields)
    file.write_text(re.sub(r"^# (?=http|\[|\w+ = )", "", text, flags=re.M))  # and what is off
    everything = read_config(file)
    assert everything.http == "127.0.0.1:7912"
    assert everything.tls is not None
    assert everything.tls.client_ca == Path("bots-ca.pem")
    file.write_text("colour = 1")
    with pytest.raises(Exception, match="known are ") as refused:
        read_config(file)
    known = str(refused.value).rpartition("known are ")[2].split(", ")
    assert {*given, "http", "tls"} == set(known)


def test_every_limit_is_told_with_what_meets_who_exceeds_it() -> None:
    table = (ROOT / "SECURITY.md").read_text().partition("## Limits")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z_]+)`", table))
    assert {*Limits._fields, *VisitorLimits._fields} <= named


def test_every_reason_is_told_with_its_status() -> None:
    rows = dict(re.findall(r"^\| `(\w+/\w+)` \| `([A-Z_]+)` \|", PAGES["protocol"], re.M))
    assert rows == {reason: status.grpc for reason, status in CALL_REASONS.items()}
    for reason in re.findall(r"\b\w+/\w+\b", _comment("Refused", "reason")):
        assert f"`{reason}`" in PAGES["protocol"], reason


def _comment(message: str, field: str) -> str:
    """The comment of a field in the contract."""
    text = (ROOT / "proto/paddock/v1/arena.proto").read_text()
    body = re.search(rf"^message {message} {{\n(.*?)^}}", text, re.M | re.S)
    assert body is not None
    comment = re.search(rf"((?:  //.*\n)+)  \w+ {field} = ", body[1])
    assert comment is not None
    return comment[1]


def test_every_item_and_every_fault_is_told() -> None:
    for item in (arena_pb2.BotItem, arena_pb2.RefereeItem):
        for field in item.DESCRIPTOR.fields:
            assert field.message_type is not None
            assert f"\n| `{field.message_type.name}` |" in PAGES["protocol"]
    for fault in FAULTS:
        assert f"\n| `{fault}` |" in PAGES["protocol"]


def test_every_metric_is_told() -> None:
    told = set(re.findall(r"^\| `(paddock_\w+)(?:{\w+})?` \|", PAGES["operating"], re.M))
    there = set(re.findall(r"^# TYPE (\w+) ", Metrics().text().decode(), re.M))
    assert told == {name for name in there if not name.endswith("_created")}


def test_every_option_of_serve_and_every_key_of_a_log_line_is_told() -> None:
    for parameter in serve.params:
        for name in parameter.opts:
            assert f"`{name}`" in PAGES["operating"]
    for key in ("time", "level", "logger", "message", *IDS):
        assert f"`{key}`" in PAGES["operating"]


def test_every_point_of_check_bot_is_told() -> None:
    section = PAGES["protocol"].partition("## Checking a client")[2]
    told = re.findall(r"^\| `([^`]+)` \|", section, re.M)
    assert told == [*check.POINTS[:2], "format NAME", *check.POINTS[2:]]


@pytest.mark.parametrize("page", ["operating", "protocol", "first-bot"])
def test_every_command_exists(page: str) -> None:
    text = FIRST_BOT if page == "first-bot" else PAGES[page]
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```", text, re.M | re.S)
    lines = [re.sub(r"\s#.*", "", line) for block in blocks for line in block.splitlines()]
    inline = re.findall(r"`(paddock [^`\n]+)`", text)
    found = [re.search(r"(?:^|\s)(paddock .+)", line) for line in (*lines, *inline)]
    commands = [command[1] for command in found if command]
    assert commands
    for command in commands:
        words = re.sub(r'"[^"]*"|\s-- .*', "", command).split()[1:]
        known: click.Command = paddock
        while (below := subcommands(known)) and words:
            assert words[0] in below, command
            known = below[words.pop(0)]
        options = {name for parameter in known.params for name in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options, command


def _run(script: str, cwd: Path) -> None:
    command = ("bash", "-euc", script.replace("python ", f"{sys.executable} "))
    subprocess.run(command, cwd=cwd, timeout=60, check=True, capture_output=True)


def test_a_certificate_to_try_tls_with(tmp_path: Path) -> None:
    script = _block("sh", "openssl")
    if shutil.which("openssl"):  # it is no part of Paddock
        _run(script, tmp_path)
        Tls(tmp_path / "server.pem", tmp_path / "server.key").context()


def test_backups_are_whole_while_the_database_is_written(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "paddock.db"))
    with database.engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO bots VALUES ('ada-1', 'ada', x'00', '', '', '[]', 0, '', '', 'ada-l')"
        )
    paddock = f"{sys.executable} -m paddock_server"
    scripts = [_block("sh", "paddock backup").replace("paddock backup", f"{paddock} backup")]
    if shutil.which("sqlite3"):  # it is no part of Paddock
        scripts.append(_block("sh", "sqlite3 paddock.db"))
    for script in scripts:
        _run(script, tmp_path)
    copies = list(tmp_path.glob("*backup*.db"))
    assert len(copies) == (3 if len(scripts) > 1 else 1)
    for copy in copies:
        found = sqlite3.connect(copy)
        assert found.execute("SELECT name FROM bots").fetchall() == [("ada-1",)]
        assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found.close()
    database.close()
