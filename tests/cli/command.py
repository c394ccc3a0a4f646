"""The command line as its users meet it: arguments in; exit code, stdout and stderr out."""

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import click

from paddock_server.cli import run


class Outcome(NamedTuple):
    code: int
    out: str
    err: str

    def refused(self) -> str:
        """The one sentence that a refusal is, with nothing beside it."""
        assert self.code == 2, self
        assert self.out == "", self
        assert self.err.count("\n") == 1, self
        assert self.err.endswith("\n"), self
        assert "Traceback" not in self.err, self
        return self.err.strip()


def call(*arguments: object) -> Outcome:
    """Run `paddock` in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([str(argument) for argument in arguments])
    return Outcome(code, out.getvalue(), err.getvalue())


def start(*arguments: object, stdin: bytes = b"", cwd: Path | None = None) -> Outcome:
    """Run `paddock` as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "paddock_server", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        timeout=240,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def subcommands(command: click.Command) -> dict[str, click.Command]:
    """The commands of a group by name; none of a command that is no group."""
    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return {name: sub for name, sub in found.items() if sub is not None}
