"""`paddock`: the group of all commands, and how errors end them."""

import os
import sys
from typing import Any

import click

from paddock_games import GamesError
from paddock_server.basics.errors import BAD_INPUT, ServerError
from paddock_server.cli.backup import backup
from paddock_server.cli.bot import bot
from paddock_server.cli.bridge import bridge
from paddock_server.cli.check_bot import check_bot
from paddock_server.cli.compare import compare
from paddock_server.cli.db import db
from paddock_server.cli.export import export
from paddock_server.cli.ladder import ladder
from paddock_server.cli.match import match
from paddock_server.cli.new_bot import new_bot
from paddock_server.cli.owner import owner
from paddock_server.cli.play import play
from paddock_server.cli.replay import replay
from paddock_server.cli.rules import rules
from paddock_server.cli.runner import runner
from paddock_server.cli.runner_tokens import RUNNER_TOKENS
from paddock_server.cli.serve import serve
from paddock_server.cli.show import show
from paddock_server.cli.simulate import simulate
from paddock_server.cli.submission import submission
from paddock_server.cli.submit import submit
from paddock_server.cli.terminal import clean, clean_lines
from paddock_server.cli.tournament import tournament
from paddock_server.cli.verify import verify

INTERRUPTED = 130


class _NobodyReads(Exception):
    """Raised when the reader of standard output is gone, as after `| head`."""


class _Commands(click.Group):
    """A group of commands whose output may be cut short; click alone would exit with 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _NobodyReads from None


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="paddock", message="paddock %(version)s")
def paddock() -> None:
    """Bots in any language compete at dinosaur board games.

    For the options of a command: paddock COMMAND --help.
    """


for command in (
    serve, bot, match, tournament, compare, play, new_bot, check_bot, simulate, verify, show,
    replay, rules, bridge, export, ladder, backup, db, submit, submission, owner, runner,
):  # fmt: skip
    paddock.add_command(command)
for command in RUNNER_TOKENS:
    runner.add_command(command)


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; bad input is one sentence on stderr."""
    _replace_closed_streams()
    try:
        code = paddock.main(arguments, prog_name="paddock", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as nothing:
        click.echo(nothing.format_message())
        return BAD_INPUT
    except click.UsageError as problem:
        where = problem.ctx.command_path if problem.ctx else "paddock"
        return _fail(f"{where}: {problem.format_message().rstrip('.')}; see {where} --help")
    except click.ClickException as problem:
        return _fail(f"paddock: {problem.format_message()}")
    except GamesError as problem:
        return _fail(f"paddock: {problem}")
    except ServerError as problem:  # the text may hold a bot's last lines
        click.echo(clean_lines(f"paddock: {problem}"), err=True)
        return problem.status.exit
    except (BrokenPipeError, _NobodyReads):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        name = f"{problem.filename}: " if problem.filename else ""
        return _fail(f"paddock: {name}{problem.strerror or problem}")
    except (click.Abort, KeyboardInterrupt):
        _fail("paddock: interrupted; nothing was written")
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _replace_closed_streams() -> None:
    """Give Python somewhere to write where the shell closed stdout or stderr (`>&-`)."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 -- until the end


def _fail(sentence: str) -> int:
    click.echo(clean(sentence), err=True)
    return BAD_INPUT
