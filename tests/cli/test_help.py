"""Everything explains itself."""

import re
import subprocess
import sys

import click
import pytest

from paddock_games import COMPILED
from paddock_server.cli.app import paddock
from tests.cli.command import call, start, subcommands


def _commands(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    below = subcommands(command).items()
    return [path, *(found for name, sub in below for found in _commands(sub, (*path, name)))]


@pytest.mark.parametrize("path", _commands(paddock), ids=" ".join)
def test_help_on_everything(path: tuple[str, ...]) -> None:
    outcome = call(*path, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: {' '.join(('paddock', *path))}")
    assert call(*path, "-h").out == outcome.out
    command: click.Command = paddock
    for name in path:
        command = subcommands(command)[name]
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{path} {parameter.name} does not say what it does"


def test_version_and_unknown_commands() -> None:
    rules = "compiled" if COMPILED else "plain"
    assert re.fullmatch(rf"paddock \d+\.\d+\.\d+, {rules} rules\n", start("--version").out)
    assert "No such command 'fly'" in call("fly").refused()
    assert "see paddock rules --help" in call("rules", "fly").refused()
    assert "Missing argument 'FILE'" in call("rules", "score").refused()


def test_the_bare_command_shows_what_there_is() -> None:
    outcome = start()
    assert outcome.code == 2
    assert "simulate" in outcome.out + outcome.err


@pytest.mark.parametrize("command", ["bridge", "check-bot", "bot", "owner", "new-bot", "verify"])
def test_an_author_does_not_wait_for_what_only_a_server_needs(command: str) -> None:
    code = (
        "import sys; from paddock_server.cli import run; "
        f"assert run([{command!r}, '--help']) == 0; "
        "assert 'sqlalchemy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
