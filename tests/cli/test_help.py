"""Everything explains itself."""

import re

import click
import pytest

from paddock_server.cli.app import paddock
from tests.cli.command import call, start


def _commands(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    below = command.commands.items() if isinstance(command, click.Group) else ()
    return [path, *(found for name, sub in below for found in _commands(sub, (*path, name)))]


@pytest.mark.parametrize("path", _commands(paddock), ids=" ".join)
def test_help_on_everything(path: tuple[str, ...]) -> None:
    outcome = call(*path, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: {' '.join(('paddock', *path))}")
    assert call(*path, "-h").out == outcome.out
    command: click.Command = paddock
    for name in path:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{path} {parameter.name} does not say what it does"


def test_version_and_unknown_commands() -> None:
    assert re.fullmatch(r"paddock \d+\.\d+\.\d+\n", start("--version").out)
    assert "No such command 'fly'" in call("fly").refused()
    assert "see paddock rules --help" in call("rules", "fly").refused()
    assert "Missing argument 'FILE'" in call("rules", "score").refused()


def test_the_bare_command_shows_what_there_is() -> None:
    outcome = start()
    assert outcome.code == 2
    assert "simulate" in outcome.out + outcome.err
