"""Every client passes every point of `paddock check-bot`, and clients/README.md tells it."""

import pytest

from paddock_server.checking.report import PointResult
from tests.clients.building import Builder
from tests.clients.languages import CLIENTS, LANGUAGES, Language, Other, columns
from tests.clients.parity import column, commands, judge, written
from tests.tools import needs_all, needs_perl

STALE = "clients/README.md is stale: run python -m tests.clients.parity --write"


def _passed(outcomes: list[PointResult]) -> None:
    assert [each for each in outcomes if each.word not in {"passed", "not used"}] == []


def test_the_bots_of_an_sdk(language: Language, builder: Builder) -> None:
    builder.build(language)
    for outcomes in judge(*commands(language)):
        _passed(outcomes)
        assert column(outcomes) == written()[language.title], STALE


def test_the_bots_without_an_sdk(
    other: Other, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_all(other.tools)
    if other.name == "perl":
        needs_perl()
    if other.name == "node":
        monkeypatch.setenv("NODE_PATH", str(request.getfixturevalue("node_packages")))
    (outcomes,) = judge(other.command)
    _passed(outcomes)
    assert column(outcomes) == written()[other.title], STALE


def test_the_table_has_every_client() -> None:
    assert list(written()) == columns(), STALE


def test_no_client_is_left_out() -> None:
    """Whoever adds a client adds it to the table of languages."""
    named = {language.folder for language in LANGUAGES.values()} | {
        CLIENTS / "bridge",
        CLIENTS / "node",
    }
    there = {path for path in CLIENTS.iterdir() if path.is_dir()}
    assert there == named, "add the folder to tests/clients/languages.py, then see the table"
    bots = {path.name for folder in ("bridge", "node") for path in (CLIENTS / folder).glob("bot.*")}
    assert bots == {"bot.sh", "bot.awk", "bot.pl", "bot.js"}
    samples = (CLIENTS / "python" / "paddock" / "bots").glob("[a-z]*.py")
    assert {path.stem for path in samples} == {"random", "greedy", "careful", "monte_carlo"}
