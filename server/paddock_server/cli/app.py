"""`paddock`: the group of all commands, and how errors end them."""

import os
import sys
from importlib import import_module
from typing import Any, Final

import click

from paddock_games import COMPILED, GamesError
from paddock_server.basics.errors import BAD_INPUT, ServerError
from paddock_server.cli.terminal import clean, clean_lines

COMMANDS: Final = frozenset({
    "serve", "bot", "match", "tournament", "compare", "play", "new-bot", "check-bot", "simulate",
    "verify", "show", "replay", "rules", "bridge", "export", "ladder", "backup", "db", "submit",
    "submission", "owner", "runner",
})  # fmt: skip
"""Every command; it is in the module of its name."""

INTERRUPTED: Final = 130


class _NobodyReads(Exception):
    """Raised when the reader of standard output is gone, as after `| head`."""


class _Commands(click.Group):
    """A group of commands that are imported when they are used: all together take a second.

    Their output may be cut short; click alone would exit with 1.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"paddock_server.cli.{name}"), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _NobodyReads from None


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    package_name="paddock",
    message=f"paddock %(version)s, {'compiled' if COMPILED else 'plain'} rules",
    help="Show the version, and whether the rules are compiled; then exit.",
)
def paddock() -> None:
    """Bots in any language compete at dinosaur board games.

    For the options of a command: paddock COMMAND --help.
    """


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
