"""`paddock new-bot`: a new project for a bot, in any language."""

import shlex
from pathlib import Path

import click

from paddock_server.basics.name import is_guest
from paddock_server.projects.project import project, write
from paddock_server.projects.starters import STARTERS

_SOME_NAME = "mine"


@click.command("new-bot")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--lang", "language", required=True, type=click.Choice(list(STARTERS)),
              help="The language of the bot.")  # fmt: skip
@click.option("--name", help="The name of the bot; that of the folder if not given.")
def new_bot(folder: Path, language: str, name: str | None) -> None:
    """Make a project for a bot in DIR, and print how to build it and let it play.

    The project has all that it needs, except for Paddock, the language and its usual packages: an
    SDK goes along as source. DIR has to be new or empty.

    \b
    For example
      paddock new-bot mybot --lang ruby
    """
    own = folder.name if is_guest(folder.name) else _SOME_NAME
    bot_project = project(language, name or own)
    write(bot_project, folder)
    click.echo(f"a bot in {bot_project.starter.title}: {bot_project.name}, in {folder}\n")
    click.echo(f"cd {shlex.quote(str(folder))}")
    for step in bot_project.steps:
        click.echo(step)
